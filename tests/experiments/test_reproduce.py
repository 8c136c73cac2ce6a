import pytest

from polythetic.errors import ResultError
from polythetic.experiments import BUDGETS, Experiment, experiments_named
from polythetic.experiments.reproduce import reproduce
from polythetic.progress import Silent
from polythetic.results import row


def experiment(name, calls, mean=1.0):
    def run(run):
        calls.append(name)
        if mean is None:
            raise KeyboardInterrupt
        return [row("MN", {}, "accuracy", mean)]

    return Experiment(name, "A title <b>", "Table 0", run, lambda result: [f"It is {result.rows[0]['mean']}."])


def call(experiments, out, **options):
    said = []
    given = {"budget": BUDGETS["quick"], "seed": 0, "force": False} | options
    done = reproduce(experiments, out=out, progress=Silent(), say=said.append, **given)
    return done.results, done.page, said


def test__reproduce__again__keeps_what_is_there(tmp_path):
    calls = []
    _, page, _ = call([experiment("a", calls)], tmp_path)
    assert page == tmp_path / "quick" / "report.html"
    _, _, said = call([experiment("a", calls, mean=2.0)], tmp_path)
    assert calls == ["a"]
    assert "already" in said[0]
    results, _, _ = call([experiment("a", calls, mean=2.0)], tmp_path, force=True)
    assert results[0].rows[0]["mean"] == 2.0


def test__reproduce__other_seed__runs_again(tmp_path):
    calls = []
    call([experiment("a", calls)], tmp_path)
    call([experiment("a", calls)], tmp_path, seed=1)
    assert calls == ["a", "a"]


def test__reproduce__interrupted__goes_on_where_it_was(tmp_path):
    calls = []
    with pytest.raises(KeyboardInterrupt):
        call([experiment("a", calls), experiment("b", calls, mean=None)], tmp_path)
    call([experiment("a", calls), experiment("b", calls)], tmp_path)
    assert calls == ["a", "b", "b"]


def test__reproduce__standard__does_not_replace_paper_budget(tmp_path):
    calls = []
    call([experiment("a", calls)], tmp_path, budget=BUDGETS["paper"])
    with pytest.raises(ResultError, match="--force"):
        call([experiment("a", calls)], tmp_path, budget=BUDGETS["standard"])
    assert calls == ["a"]


def test__page__escapes_and_names_the_command(tmp_path):
    _, page, _ = call([experiment("a", [])], tmp_path)
    html = page.read_text()
    assert "A title &lt;b&gt;" in html
    assert "polythetic reproduce a --budget quick --seed 0" in html
    assert "It is 1.0." in html


def test__page__one_experiment_again__keeps_the_sections_of_the_others(tmp_path):
    call(experiments_named(["figure13", "figure5"]), tmp_path)
    _, page, _ = call(experiments_named(["figure5"]), tmp_path)
    html = page.read_text()
    assert html.index('id="figure5"') < html.index('id="figure13"')  # in the paper's order


def test__reproduce__after_the_code_has_changed__runs_again(tmp_path, monkeypatch):
    calls = []
    call([experiment("a", calls)], tmp_path)
    monkeypatch.setattr("polythetic.experiments.reproduce.versions", lambda: {"source": "another"})
    call([experiment("a", calls)], tmp_path)
    assert calls == ["a", "a"]


def test__reproduce__a_result_of_another_version__is_left_out_of_the_report_and_that_is_said(tmp_path):
    table1 = experiments_named(["table1"])[0].name
    call([experiment(table1, [])], tmp_path)  # with none of the rows that Table 1 has
    _, page, said = call([experiment("a", [])], tmp_path)
    assert any("table1: in" in line and "another version" in line for line in said)
    assert "A title" in page.read_text()
