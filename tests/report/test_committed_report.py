"""The report of the committed results, read as its reader does."""

import re
from collections import Counter
from html import unescape

import pytest

from polythetic.experiments import EXPERIMENTS
from polythetic.report.claims import CLAIMS
from polythetic.report.credited import ELSEWHERE, credited
from polythetic.report.evidence import Evidence
from polythetic.report.ledger import ledger, standings
from polythetic.report.page import write_report
from polythetic.results import load
from tests.committed import RESULTS

HYPHEN = re.compile(r"(?<!\w)-\d")  # for a minus; 5-shot and 1e-09 have letters before it


@pytest.fixture(scope="module")
def sections():
    """Every experiment as it is laid out for people."""
    found = {name: load(RESULTS / f"{name}.json") for name in EXPERIMENTS if (RESULTS / f"{name}.json").exists()}
    return [EXPERIMENTS[name].section(result, RESULTS / "figures") for name, result in found.items()]


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
