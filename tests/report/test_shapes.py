"""The ledger and the findings know their way about the rows that the experiments on pictures really make."""

import pytest

from polythetic.report.claims import CLAIMS
from polythetic.report.comparison import comparison, verdict_counts
from polythetic.report.evidence import Evidence
from polythetic.report.findings import all_found
from polythetic.report.ledger import Standing, ledger
from polythetic.report.traps import FINDINGS
from tests.report.shaped import digits, mixes, omniglot, papers_digits, pretrained, tiered


@pytest.fixture(scope="module")
def evidence():
    accuracy, duels = tiered()
    found = {"table2": digits(papers_digits), "figure8": mixes(), "table3": omniglot()}
    return Evidence(found | {"table4": accuracy, "table5": duels, "appendix-g": pretrained()})


def as_if_official(rows):
    """Say of rows on the stand-in that they are of the data that it stands for."""
    return [entry | {"setting": entry["setting"] | {"dataset": "tieredImageNet"}} for entry in rows]


@pytest.mark.parametrize("where", ["Table 2", "Figure 8", "Table 3", "Table 4", "Table 5", "Table 7"])
def test__ledger__the_papers_own_figures__bear_out_what_it_says_of_them(evidence, where):
    official = {name: as_if_official(evidence.results[name]) for name in ("table4", "table5")}
    entries = [entry for entry in ledger(CLAIMS, Evidence({**evidence.results, **official})) if where in entry.where]
    assert len(entries) >= 2
    for entry in entries:
        assert entry.standing is Standing.HOLDS, entry


def test__ledger__the_papers_own_figures_on_a_stand_in__bear_nothing_out(evidence):
    entries = [entry for entry in ledger(CLAIMS, evidence) if "Table 5" in entry.where]
    assert [entry.standing for entry in entries].count(Standing.INCOMPARABLE) == 3


def test__findings__of_learned_tables__are_shown(evidence):
    found = {entry.title: entry for entry in all_found(FINDINGS, evidence)}
    alphabets = found["Alphabets are drawn with replacement"].number
    assert "counted, in 25.0 % of 8" in alphabets
    assert "NN* has 95.7 % without replacement" in alphabets
    rounds = found["Omniglot's FS+MN was probably made with no rounds of attention"]
    assert rounds.shown
    assert (
        "euclidean: MN* 81.3, as FS+MN* but with no scores 78.4, FS+MN* 78.4 at R = 0, 96.0 at R = 2, 78.4 at R = 5"
        in rounds.number
    )
    held_out = found["Characters of seen alphabets"].number
    assert "98.6 ± " in held_out.partition("on characters of these")[0]
    assert "97.6 ± " in held_out.partition("on characters of these")[2]
    assert "tasks with our settings" in found["Temperatures must know the number of features"].number


@pytest.mark.parametrize(
    ("name", "figures"), [("table2", 36), ("table3", 51), ("table4", 30), ("table5", 24), ("appendix-g", 20)]
)
def test__comparison__of_learned_tables__tells_every_figure_apart(evidence, name, figures):
    lines = comparison(evidence.results[name])
    assert len(lines) == figures
    assert len({(line.name, line.setting) for line in lines}) == figures


def test__verdict_counts__of_a_stand_in__say_so(evidence):
    for words in verdict_counts(evidence.results["table5"]):
        assert words.endswith("12 not comparable (stand-in data)")
