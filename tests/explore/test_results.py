"""The page of results shows what is in the folder, and nothing outside it."""

import base64
from pathlib import Path
from runpy import run_path

import pytest

from polythetic.errors import PolytheticError
from polythetic.experiments import EXPERIMENTS
from polythetic.explore import results as module
from polythetic.explore.results import ResultsView, place_of, results
from polythetic.progress import Silent
from polythetic.results import Result, row, save

ROOT = Path(__file__).parents[2]
PICTURE = b"\x89PNG and so on"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    fallen = [
        row("MN", {"function": "xor"}, "accuracy", 100.0, tasks=1, paper=100.0),
        row("PN", {"function": "xor"}, "accuracy", 50.0, tasks=1),
    ]
    save(Result("figure2", "standard", "polythetic reproduce figure2", 0, fallen), tmp_path / "results")
    other = [row("R", {}, "accuracy", 90.0, tasks=4, paper=95.0)]
    save(Result("table4", "standard", "polythetic reproduce table4", 0, other), tmp_path / "results")
    (tmp_path / "results" / "figures").mkdir()
    (tmp_path / "results" / "figures" / "figure2.png").write_bytes(PICTURE)
    return tmp_path


def test__experiments__that_are_there__have_a_line_each(folder):
    found = results(ResultsView(), Silent())
    assert [line["name"] for line in found["experiments"]] == ["figure2", "table4"]
    assert found["experiments"][0]["verdicts"] == ["1 reproduced"]
    assert found["shown"] is None


def test__one_experiment__is_shown_as_its_section(folder):
    shown = results(ResultsView("figure2"), Silent())["shown"]
    assert base64.b64decode(shown["picture"]) == PICTURE
    assert shown["table"]["body"] == [["xor", "50", "100"]]
    assert shown["comparison"]["body"][0][2:4] == ["100.0", "100.0"]
    assert shown["question"] == EXPERIMENTS["figure2"].question


def test__captions__say_what_the_report_says__and_what_stands_in_for_the_data(folder):
    drawn = {"dataset": "stand-in", "C": 2, "G": 10, "split": "evaluation"}
    rows = [
        row(method, drawn, "accuracy", 90.0, tasks=4, categories=["insect 10", "vessel 10"]) for method in ("MN", "PN")
    ]
    rows[0]["paper"] = 80.0
    save(Result("table5", "standard", "polythetic reproduce table5", 0, rows), folder / "results")
    shown = results(ResultsView("table5"), Silent())["shown"]
    for caption in (shown["caption"], shown["caption_compared"]):
        assert "Standard budget: 4 tasks a cell (paper: 500)." in caption
        assert "The data are a stand-in: those classes of tieredImageNet that Tiny-ImageNet has too" in caption
        assert "EfficientNet-Lite0" in caption
        assert "C=2/G=10 is one fixed pair, insect and vessel." in caption
    assert EXPERIMENTS["table5"].errors in shown["caption"]
    assert "after ± the standard error" in shown["caption_compared"]
    assert "stand-in" not in results(ResultsView("figure2"), Silent())["shown"]["caption"]


def test__captions__of_rows_from_another_version__are_left_out_if_they_cannot_be_said(folder):
    rows = [row("R", {"dataset": "stand-in"}, "accuracy", 90.0, tasks=4, paper=95.0)]
    save(Result("table4", "standard", "polythetic reproduce table4", 0, rows), folder / "results")
    shown = results(ResultsView("table4"), Silent())["shown"]
    assert shown["caption"] == shown["caption_compared"] == ""


def test__lines__executed__give_what_is_shown(folder, capsys):
    found = results(ResultsView("figure2"), Silent())
    made = {}
    exec(found["code"], made)
    assert list(made["section"].text) == found["shown"]["text"]
    assert len(capsys.readouterr().out.splitlines()) == len(found["shown"]["comparison"]["body"])
    overview = results(ResultsView(), Silent())
    exec(overview["code"], made)
    assert made["verdicts"] == {line["name"]: line["verdicts"] for line in overview["experiments"]}
    printed = capsys.readouterr().out
    assert all(line["question"] in printed for line in overview["experiments"])


def test__budgets__offered__are_those_with_such_a_result(folder, monkeypatch):
    monkeypatch.setattr(module, "COMMITTED", folder / "none")
    monkeypatch.setattr(module, "SOURCES", folder / "none")
    assert results(ResultsView(), Silent())["budgets"] == ["standard"]
    quick = folder / "results" / "quick"
    quick.mkdir()
    (quick / "table4.json").write_bytes((folder / "results" / "table4.json").read_bytes())
    assert results(ResultsView(), Silent())["budgets"] == ["standard", "quick"]
    assert results(ResultsView("table4"), Silent())["budgets"] == ["standard", "quick"]
    assert results(ResultsView("figure2"), Silent())["budgets"] == ["standard"]


def test__rows__of_another_version__still_stand_beside_the_papers(folder):
    shown = results(ResultsView("table4"), Silent())["shown"]
    assert "another version" in shown["text"][0]
    assert shown["comparison"]["body"][0][2:4] == ["95.0", "90.0"]


def test__file__damaged__is_said_and_the_others_shown(folder):
    (folder / "results" / "table4.json").write_text("{")
    found = results(ResultsView(), Silent())
    assert "not a result of polythetic" in found["experiments"][1]["verdicts"][0]


@pytest.mark.parametrize("name", ["../../secret", "/etc/passwd", "figures/figure2.png", "nothing", "table5"])
def test__experiment__that_is_none__is_refused(folder, name):
    (folder / "secret.json").write_text("{}")
    with pytest.raises(PolytheticError, match="one of figure2, table4"):
        results(ResultsView(name), Silent())


def test__place__is_the_nearest_that_has_results(folder, tmp_path, monkeypatch):
    """Those where the explorer was started, or those of the wheel, or those of the source tree."""
    monkeypatch.setattr(module, "COMMITTED", tmp_path / "package")
    monkeypatch.setattr(module, "SOURCES", tmp_path / "tree")
    for place in ("package", "tree/results"):
        (tmp_path / place).mkdir(parents=True)
        (tmp_path / place / "table1.json").write_bytes((folder / "results" / "table4.json").read_bytes())
    assert place_of().folder.absolute() == folder / "results"
    assert str(folder / "results") in results(ResultsView(), Silent())["place"]
    monkeypatch.chdir(tmp_path / "package")
    assert place_of().folder == tmp_path / "package"
    assert "come with polythetic" in results(ResultsView(), Silent())["place"]
    (tmp_path / "package" / "table1.json").unlink()
    with pytest.raises(PolytheticError, match="no results"):
        place_of()  # a folder is a source tree only if it says so
    (tmp_path / "tree" / "pyproject.toml").touch()
    assert place_of().folder == tmp_path / "tree" / "results"
    assert "source tree" in results(ResultsView(), Silent())["place"]


def test__wheel__has_what_is_committed_at_the_standard_budget(tmp_path):
    pytest.importorskip("hatchling")
    hook = run_path(str(ROOT / "tools" / "committed_results.py"))["CommittedResults"]
    for name in ("table1.json", "quick/table1.json", "figures/figure2.png", "figures/figure2.pdf", "report.html"):
        (tmp_path / "results" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "results" / name).touch()
    included = {version: {"force_include": {}} for version in ("standard", "editable")}
    for version, build_data in included.items():
        hook(str(tmp_path), {}, None, None, str(tmp_path), "wheel").initialize(version, build_data)
    inside = [f"polythetic/{module.COMMITTED.name}/{name}" for name in ("table1.json", "figures/figure2.png")]
    assert list(included["standard"]["force_include"].values()) == inside
    assert included["editable"]["force_include"] == {}


def test__no_results__says_how_to_make_some(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module, "SOURCES", tmp_path)
    with pytest.raises(PolytheticError, match="polythetic reproduce --budget quick"):
        results(ResultsView(budget="quick"), Silent())


def test__results__chosen__are_shown(asker, tab, tmp_path, monkeypatch):
    monkeypatch.setattr(module, "OUT", tmp_path)
    monkeypatch.setattr(module, "SOURCES", tmp_path)  # which may have quick results, too
    means = {"MN": 100.0, "PN": 50.0}
    rows = [row(method, {"function": "xor"}, "accuracy", mean, paper=mean) for method, mean in means.items()]
    save(Result("figure2", "standard", "polythetic reproduce figure2", 0, rows), tmp_path)
    tab.open(f"{asker.server.address}results")
    tab.set("#experiment", "figure2")
    assert tab.texts("#table td") == ["50", "100"]
    assert tab.text("#caption").endswith("Standard budget: one task a function, its four corners.")
    assert tab.text("#caption-compared").startswith("The paper's figures beside ours, after ± the standard error")
    assert tab.run("['caption', 'caption-compared'].every((id) => document.getElementById(id).checkVisibility())")
    assert tab.run("document.getElementById('budgets').hidden")  # no quick results
    assert not tab.run("document.getElementById('said-of-it').open")
    assert "experiment=figure2" in tab.query()
    assert tab.run("document.getElementById('list').href").endswith("/results?budget=standard")
    tab.run("history.back()")
    tab.wait_for("document.getElementById('one').hidden")
    assert tab.run("document.getElementById('experiment').value") == ""
    assert tab.texts("#all th a") == ["Figure 2, §3"]
