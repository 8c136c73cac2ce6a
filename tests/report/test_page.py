from html.parser import HTMLParser
from re import findall, search

import pytest

from polythetic.report.page import write_report
from polythetic.report.section import Section, Table
from polythetic.report.terminal import print_sections
from tests.committed import RESULTS, rows
from tests.report.papers import table2

TABLE = Table(["", "a"], [["x <y>", "1.0"]])
PICTURE = RESULTS / "figures" / "figure5.png"


def section(name, made_of=(), *, table=TABLE, picture=None):
    return Section(
        name=name,
        title=f"Title of {name} & <b>",
        where=f"{name.capitalize()}, §0",
        question="Is it so?",
        command=f"polythetic reproduce {name}",
        text=["A paragraph, **bold** & plain."],
        table=table,
        picture=picture,
        rows=made_of,
        budget="standard",
    )


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    sections = [
        section("table1", rows("table1")),
        section("table2", table2()[:6], table=None),
        section("figure5", rows("figure5"), picture=PICTURE),
    ]
    return write_report(sections, folder, budget="standard")


class Reader(HTMLParser):
    """Notes identifiers, links and what is left open."""

    VOID = ("meta", "img", "br")

    def __init__(self):
        super().__init__()
        self.ids, self.links, self.open, self.loaded = [], [], [], []

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if tag == "a" else []
        self.loaded += [given[key] for key in ("src", "srcset", "data") if key in given]
        self.open += [] if tag in self.VOID else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test__page__html__is_closed_linked_and_needs_nothing_else(report):
    html = report.read_text(encoding="utf-8")
    reader = Reader()
    reader.feed(html)
    assert html.startswith("<!DOCTYPE html>")
    assert reader.open == []
    assert len(set(reader.ids)) == len(reader.ids)
    assert all(link.startswith("#") and link[1:] in reader.ids for link in reader.links)
    assert reader.loaded
    assert all(source.startswith("data:image/png;base64,") for source in reader.loaded)
    assert "@import" not in html
    assert "url(" not in html


def test__page__sections__have_question_budget_comparison_and_verdicts(report):
    html = report.read_text(encoding="utf-8")
    assert html.count("Is it so?") == 6  # in the summary and in the section
    assert "Title of table1 &amp; &lt;b&gt;" in html
    assert "A paragraph, <b>bold</b> &amp; plain." in html
    assert "Standard budget: 1,000 tasks a cell (paper: 1,000); trained on 1,000 or 10,000 tasks, 5 seeds" in html
    assert "our settings: 6 reproduced, 5 better, 1 short" in html
    assert search(r'<span class="verdict short">short, by 1\.9</span>', html)


def test__page__every_caption__names_the_budget_and_the_tasks(report):
    captions = findall(r"<figcaption>(.*?)</figcaption>", report.read_text(encoding="utf-8"))
    assert len(captions) == 4  # a table, a picture with its table, two comparisons
    assert all("Standard budget: " in caption and "task" in caption for caption in captions)
    assert "one set of vectors, no tasks." in captions[-1]


def test__caption__of_a_title_that_asks__has_no_full_stop_after_the_question_mark():
    asked = section("table1", rows("table1"))._replace(title="Which?")
    assert asked.caption.startswith("Which? Standard budget: 1,000 tasks")
    assert asked._replace(budget="").caption.startswith("Which? 1,000 tasks")
    assert asked._replace(budget="from-weights").caption.startswith("Which? Trained weights: 1,000 tasks")


def test__page__long_comparisons__are_folded_and_short_ones_are_not(report):
    html = report.read_text(encoding="utf-8")
    (summary,) = findall(r"<details><summary>(.*?)</summary>", html)
    assert "60 lines" in summary
    assert html.index('id="table2"') < html.index("clean, monothetic")


def test__page__ledger_and_findings__are_there(report):
    html = report.read_text(encoding="utf-8")
    assert "√(e² + e⁻²)/(e − e⁻¹) = 1.167" in html
    assert "table3 has not been run" in html
    assert "3,595 by App. C" in html


def test__page__quick_budget__warns_of_its_verdicts(tmp_path):
    assert "no findings" in write_report([section("a")], tmp_path, budget="quick").read_text(encoding="utf-8")


def test__tables__beside_the_page__are_markdown_and_latex(report):
    folder = report.parent / "tables"
    names = {"table1", "table2", "figure5", "ledger", "findings"}
    assert {path.name for path in folder.iterdir()} == {f"{name}.{kind}" for name in names for kind in ("md", "tex")}
    assert all(path.read_text().isascii() for path in folder.glob("*.tex"))
    assert (
        "| FS+MN | n = 10, α = 2 | 75.9 ±1.3 | 82.5 ±0.5 | +6.6 | better, by 6.6 |"
        in (folder / "table1.md").read_text()
    )


def test__tables__as_latex__open_and_close_alike(report):
    for path in (report.parent / "tables").glob("*.tex"):
        words = path.read_text()
        assert words.count(r"\begin{longtable}") == words.count(r"\end{longtable}") >= 1
        plain = words.replace(r"\{", "").replace(r"\}", "")
        assert plain.count("{") == plain.count("}")
        assert words.replace(r"\$", "").count("$") % 2 == 0
        assert "?" not in words.replace("``", "")
        assert words.startswith(r"% needs \usepackage{array,booktabs,longtable}")


def test__terminal__prints_question_and_verdicts(capsys):
    print_sections([section("table1", rows("table1"))])
    printed = capsys.readouterr().out
    assert "Is it so?" in printed
    assert "The paper's figures, our settings: 6 reproduced, 5 better, 1 short." in printed


def test__caption__of_a_table_that_tells_its_effort__says_so_and_what_the_errors_are():
    told = section("table2", table2(), table=Table(["", "tasks", "trained on"], [["PN", "1,000", "10,000"]]))
    caption = told._replace(errors="After ± the standard error.").caption
    assert "After ± the standard error. Standard budget" in caption
    assert caption.endswith("Each line of the table says which.")


def test__page__of_results_of_two_versions__says_which_made_which(tmp_path):
    made = [{"polythetic": "0.1.0", "source": source} for source in ("aaa", "bbb")]
    sections = [section(name)._replace(versions=by) for name, by in zip(("table1", "table2"), made, strict=True)]
    html = write_report(sections, tmp_path, budget="standard").read_text(encoding="utf-8")
    for name, source in (("table1", "aaa"), ("table2", "bbb")):
        assert f"<code>polythetic reproduce {name}</code> · polythetic 0.1.0, source {source}</p>" in html
        assert f"`polythetic reproduce {name}` (polythetic 0.1.0, source {source})" in (
            tmp_path / "tables" / f"{name}.md"
        ).read_text(encoding="utf-8")
