"""The report of the committed results, read as its reader does."""

import re
from collections import Counter
from contextlib import suppress
from html import unescape

import pytest

from polythetic.experiments import EXPERIMENTS
from polythetic.report.claims import CLAIMS
from polythetic.report.credited import ELSEWHERE, credited
from polythetic.report.evidence import Evidence
from polythetic.report.formats import aligned_right
from polythetic.report.ledger import ledger, standings
from polythetic.report.page import write_report
from polythetic.results import load
from tests.committed import RESULTS

COLUMN = 3.25  # inches, of two on a page
HYPHEN = re.compile(r"(?<!\w)-\d")  # for a minus; 5-shot and 1e-09 have letters before it


@pytest.fixture(scope="module")
def sections():
    """Every experiment as it is laid out for people."""
    found = {name: load(RESULTS / f"{name}.json") for name in EXPERIMENTS if (RESULTS / f"{name}.json").exists()}
    made = []
    for name, result in found.items():
        with suppress(LookupError):  # of another version, to be run again: the report leaves it out, too
            made.append(EXPERIMENTS[name].section(result, RESULTS / "figures"))
    return made


def the(sections, name):
    found = [section for section in sections if section.name == name]
    if not found:
        pytest.skip(f"results/{name}.json is of another version")
    return found[0]


@pytest.fixture(scope="module")
def entries(sections):
    return ledger(CLAIMS, Evidence({section.name: section.rows for section in sections}))


@pytest.fixture(scope="module")
def summary(sections, tmp_path_factory):
    """The lines of the page's summary, cell by cell, as plain words."""
    page = write_report(sections, tmp_path_factory.mktemp("page"), budget="standard").read_text(encoding="utf-8")
    (table,) = re.findall(r'<section id="summary".*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    lines = [re.findall(r"<t[hd].*?>(.*?)</t[hd]>", line, re.DOTALL) for line in table.split("</tr>")[:-1]]
    return [[unescape(re.sub(r"<[^>]*>", " ", cell)).strip() for cell in line] for line in lines]


def test__summary__sentences__add_up_to_the_ledger(summary, entries):
    counted = Counter()
    for *_, said in summary:
        for part in said.split(", ") if said != "–" else ():
            number, words = part.split(" ", 1)
            counted[words.replace("holds", "hold").replace("does not", "do not")] += int(number)
    expected = dict(part.split(" ", 1)[::-1] for part in standings(entries).split(", "))
    assert counted == {words: int(number) for words, number in expected.items()}


def test__credited__each_line__to_the_place_that_names_it_most_exactly(sections, entries):
    found = credited(sections, entries)
    owner = {entry.quote: name for name, lines in found.items() for entry in lines}
    assert len(owner) == len(entries) == sum(map(len, found.values()))
    assert all(owner[entry.quote] == "theory" for entry in entries if entry.where.startswith("App. C"))
    assert all(owner[entry.quote] == "figure3" for entry in entries if "Figure 3" in entry.where)
    assert all(owner[entry.quote] == "appendix-a" for entry in entries if entry.where == "App. A")
    assert {entry.where for entry in found[ELSEWHERE]} >= {"Abstract", "§2", "§5", "§7", "App. F"}


def test__summary__the_authors_settings__say_after_how_much_training(summary):
    figures = {line[0]: line[2] for line in summary}
    assert "the authors' settings, 200 training tasks (paper: 10,000; 100,000 for full): " in figures["Table 2, §5"]
    if "Table 3, §5" in figures:  # whose result may be of another version
        assert "training tasks (paper: 10,000): " in figures["Table 3, §5"].partition("the authors' settings")[2]
    assert "800 batches (paper: 800 batches): " in figures["Table 7, App. G"]


def test__summary__lines__have_names_of_their_own(summary):
    names = [line[0] for line in summary]
    assert len(set(names)) == len(names)
    assert {"Table 6, App. A", "Discovery, beyond the paper", "Elsewhere in the paper"} <= set(names)


def test__report__negative_numbers__have_the_same_sign_everywhere(sections):
    for section in sections:
        cells = [cell for line in section.table.body for cell in line] if section.table else []
        assert not [words for words in (*section.text, *cells) if HYPHEN.search(words)]


def test__report__names_of_methods__are_all_explained(sections, tmp_path):
    page = write_report(sections, tmp_path, budget="standard").read_text(encoding="utf-8")
    glossary = page.partition("<nav")[0]
    for name in ("PN:", "MN:", "NN:", "IMP:", "MAML:", "FS+:", "R+:", "D+:", "a star:"):
        assert name in glossary


@pytest.mark.parametrize("name", ["table2", "table3"])
def test__report__heads_of_ours__are_not_said_to_be_the_authors(sections, name):
    lines = [line for line in the(sections, name).table.body if line[0].startswith(("R+", "D+"))]
    assert {line[1] for line in lines} == {"ours", "ours, on the encoder trained with the authors' settings"}


def test__report__discovery__has_all_its_figures_to_the_right(sections):
    table = the(sections, "discovery").table
    assert aligned_right(table) == [False, False, *[True] * (len(table.header) - 2)]


def test__report__words__speak_of_what_a_reader_sees(sections):
    for section in sections:
        assert not [words for words in section.text if "in the rows" in words or "Every row" in words]


def drawn(name):
    return EXPERIMENTS[name].draw(load(RESULTS / f"{name}.json"))


@pytest.mark.parametrize("name", ["figure6", "figure10", "figure12", "discovery"])
def test__pictures__numbers_written_in__are_legible_in_a_column_of_print(name):
    figure = drawn(name)
    numbers = [text for ax in figure.axes for text in ax.texts]
    assert len(numbers) > 200
    assert min(text.get_fontsize() for text in numbers) * COLUMN / figure.get_figwidth() > 4.5


def test__pictures__of_tables_2_and_3__show_ours_and_say_what_is_left_out():
    (legend,) = drawn("table2").legends
    assert {"R+MN*, ours", "D+MN*, ours"} <= {text.get_text() for text in legend.get_texts()}
    _, alphabets = drawn("table3").axes
    assert "authors' settings: with replacement alone" in alphabets.get_xlabel()


def test__pictures__training_time__tells_what_was_learned_from_and_what_is_asked():
    figure = drawn("training-time")
    assert [ax.get_title() for ax in figure.axes] == ["put to monothetic tasks", "put to polythetic tasks"]
    assert all(", trained on " in text.get_text() for text in figure.legends[0].get_texts())
