"""The documentation builds without a warning and shows every public name; its figures are those of the results."""

import json
import math
import os
import re
import subprocess
import sys
from pkgutil import resolve_name
from statistics import median

import pytest

from tests.committed import rows, table1
from tests.docs.pages import PAGES, ROOT, text_of

SHOWN = re.compile(r"^::: (\S+)$", re.MULTILINE)  # what mkdocstrings makes a page from
AS_MAKE_DOES = re.search(r"mkdocs (build.*?) >", text_of("Makefile"))[1]
REFINEMENT = "docs/explanation/refinement.md"
SUBSCRIPTS = "₀₁₂₃₄"
PROMPT = '<span class="gp">&gt;&gt;&gt; </span>'  # as it is coloured in a block of code


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The documentation, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    built = build("--site-dir", str(folder))
    assert built.returncode == 0, built.stderr
    return folder


def build(*options):
    """Build what `make docs` does, and as it does."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *AS_MAKE_DOES.split(), *options],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )


def test__documentation__something_wrong__is_a_warning_and_fails(tmp_path):
    said_of = {
        "[a page](gone.md)": "'gone.md', but the target is not found",
        "[a heading](#gone)": "there is no such anchor on this page",
        "[a place](/gone/)": "absolute link '/gone/'",
        "[a folder](gone/)": "unrecognized relative link 'gone/'",
    }
    pages = tmp_path / "docs"
    pages.mkdir()
    (pages / "index.md").write_text("\n\n".join(["# Pages", *said_of]), encoding="utf-8")
    (pages / "other.md").write_text("# A page that is not in the nav\n", encoding="utf-8")
    ours = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "docs_dir": str(pages),
        "nav": ["index.md"],
        "plugins": [],
        "hooks": [],
    }
    (tmp_path / "mkdocs.yml").write_text(json.dumps(ours), encoding="utf-8")
    built = build("--config-file", str(tmp_path / "mkdocs.yml"), "--site-dir", str(tmp_path / "site"))
    assert built.returncode != 0
    warnings = re.findall("^WARNING .*", built.stderr, re.MULTILINE)
    for said in [*said_of.values(), 'not included in the "nav"']:
        assert sum(said in warning for warning in warnings) == 1, said


def test__documentation__built__shows_every_page_and_public_name(site):
    for page in PAGES[1:]:
        name = page.removeprefix("docs/").removesuffix(".md").removesuffix("index")
        html = (site / name / "index.html").read_text(encoding="utf-8")
        shown = {name.rpartition(".")[2] for name in re.findall(r'id="(polythetic\.[\w.]+)"', html)}
        for module in SHOWN.findall(text_of(page)):
            assert public(resolve_name(module)) <= shown, f"{page}: {module}"


def test__navigation__of_the_first_page__names_nothing_twice(site):
    html = (site / "index.html").read_text(encoding="utf-8")
    primary = re.search(r'<nav class="md-nav md-nav--primary".*?</nav>\s*</div>', html, re.DOTALL)[0]
    names = re.findall(r'<span class="md-ellipsis">\s*(.*?)\s*<', primary)
    assert len(names) > 20
    assert len({"polythetic", *names}) == 1 + len(names)  # above them stands the name of the site


def test__reference__examples_of_docstrings__are_code_and_no_quotations(site):
    html = "".join(page.read_text(encoding="utf-8") for page in (site / "reference").rglob("*.html"))
    assert "<blockquote" not in html
    assert html.count("&gt;&gt;&gt;") == html.count(PROMPT) > 200


def public(module):
    """The functions and classes that a module offers."""
    return {name for name in getattr(module, "__all__", []) if callable(getattr(module, name))}


def marked(page, name):
    """What stands between two comments on a page."""
    return re.search(rf"<!-- {name} -->(.*?)<!-- /{name} -->", text_of(page), re.DOTALL)[1]


def test__encoder_page__what_was_learned__equals_the_result_file():
    text = marked("docs/how-to/encoder.md", "learning")
    at = {e["setting"]["tasks"]: e for e in rows("benchmarks/learning") if e["cell"] == "mnist-colourless-fs-mn"}
    figures = [float(figure) for figure in re.findall(r"\d+\.\d", text)]
    kinds = ("monothetic", "polythetic")
    assert figures == [round(at[k]["mean"], 1) for k in kinds] + [at[k]["paper"] for k in kinds]
    assert all(at[k]["train_tasks"] == 1000 for k in kinds)


def test__refinement_page__table_1__equals_the_result_file():
    lines = re.findall(r"^\| XOR(.) of (\d+), (\d+) rows \| (.*) \|$", marked(REFINEMENT, "table 1"), re.MULTILINE)
    found = table1()
    for alpha, n, rows_, figures in lines:
        entries = [found[label, "iid", int(n), SUBSCRIPTS.index(alpha)] for label in ("MN", "FS+MN", "R+MN")]
        assert figures.split(" | ") == [f"{entry['mean']:.1f}" for entry in entries]
        assert {entry["setting"].get("rows", 5 * 2 ** entry["setting"]["alpha"]) for entry in entries} == {int(rows_)}
        assert {entry["tasks"] for entry in entries} == {1000}
    assert len(lines) == 5


def test__refinement_page__where_it_falls_short__equals_the_result_files():
    at = {
        (e["setting"]["dataset"], e["label"]): e["mean"]
        for e in rows("ordinary")
        if e["metric"] == "accuracy" and e["setting"]["shots"] == 5
    }
    told = [("digits", "R+MN"), ("digits", "MN"), ("breast cancer", "R+MN"), ("breast cancer", "random forest")]
    assert re.findall(r"(\d+\.\d) %", marked(REFINEMENT, "short")) == [f"{at[cell]:.1f}" for cell in told]


def test__refinement_page__four_of_a_hundred__equals_the_result_file():
    place = {"features": "binary", "noise": 0, "alpha": 4, "n": 100}
    found = [e for e in rows("discovery") if e["metric"] == "active share" and e["setting"].items() >= place.items()]

    def best(many, *methods):
        return max(e["mean"] for e in found if e["method"] in methods and e["setting"]["rows"] == many)

    figures = [best(40, "R"), best(640, "NCFS"), best(1600, "NCFS"), best(1600, "ReliefF", "MultiSURF")]
    text = marked(REFINEMENT, "four of a hundred")
    assert re.findall(r"(\d+) %", text) == [f"{figure:.0f}" for figure in figures]


def test__refinement_page__what_is_not_found__equals_the_result_files():
    few = {"alpha": 4, "r": 2, "design": "iid", "variant": "ours"}  # 2 · 2⁴ rows
    on_xor = [e["mean"] for e in rows("figure6") if e["method"] == "R+MN" and e["setting"].items() >= few.items()]
    assert all(86 < mean < 88 for mean in on_xor)
    found = {
        (s["features"], s["noise"], s["n"], s["alpha"], s["rows"]): e["mean"]
        for e in rows("discovery")
        if (s := e["setting"]) and (e["metric"], e["method"]) == ("active share", "R")
    }
    assert found["binary", 0, 20, 4, 40] == 100
    assert 70 < found["binary", 10, 20, 4, 40] < 80
    by_noise = {
        s["noise"]: e["mean"]
        for e in rows("benchmarks/relief_speed")
        if (s := e["setting"]).items() >= {"features": "genotype", "n": 100, "alpha": 5, "rows": 250}.items()
        and e["metric"] == "active share"
    }
    assert by_noise[0] == 100 > 50 > by_noise[10]


def test__refinement_page__time__equals_the_result_file():
    found = rows("benchmarks/relief_speed")
    took = [(e["method"], e["setting"], e["mean"]) for e in found if e["metric"] == "seconds"]
    theirs = {
        (s["features"], s["n"], s["rows"]): mean
        for method, s, mean in took
        if (method, s.get("by")) == ("MultiSURF", "scikit-rebate")
    }
    alone, batched = (
        [
            (theirs[s["features"], s["n"], s["rows"]] / mean, s["noise"], s["n"])
            for method, s, mean in took
            if method == "R" and s["batched"] is many
        ]
        for many in (False, True)
    )
    slower = [cell for cell in alone if cell[0] < 1]
    times = [median(cell[0] for cell in cells) for cells in (alone, batched)]
    many = sum(cell[0] >= 20 for cell in batched)
    text = marked(REFINEMENT, "time")
    assert [int(n) for n in re.findall(r"(\d+) times on|and (\d+) times", text) for n in n if n] == [
        round(t) for t in times
    ]
    assert [int(n) for n in re.findall(r"in (\d+) of the (\d+)", text)[0]] == [len(slower), len(alone)]
    assert int(re.search(r"or more in (\d+)", text)[1]) == many
    assert int(re.search(r"at least (\d+) times", text)[1]) == math.floor(min(batched)[0])
    *_, noise, n = min(batched)
    assert (noise, n in (10, 100)) == (10, True)


def test__own_data_page__prior__equals_the_result_file():
    found = [e for e in rows("benchmarks/own_tables") if e["metric"] == "balanced accuracy"]
    at = {e["setting"]["prior"]: e["mean"] for e in found}
    text = marked("docs/how-to/own-data.md", "prior")
    assert re.findall(r"(\d+\.\d) %", text) == [f"{at[prior]:.1f}" for prior in ("support", "uniform")]
