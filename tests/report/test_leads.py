"""Who is ahead: by a duel on the same tasks where there is one, else by means and their errors."""

import pytest

from polythetic.report.evidence import Evidence, NoRowError
from polythetic.report.leads import Lead, lead_of
from polythetic.results import row
from tests.report.papers import table2

CELL = {"dataset": "colourless", "tasks": "polythetic", "variant": "ours"}


def duel(difference, p):
    figures = {"difference": difference, "difference_stderr": 1.0, "wilcoxon_p": p, "tasks": 250}
    return row("FS+MN", {**CELL, "against": "MN"}, "wins", 60.0, **figures)


def test__lead_of__no_duel__is_of_the_means():
    found = lead_of(Evidence({"table2": table2()}), "table2", "FS+MN", "MN", **CELL)
    assert found.points == pytest.approx(37.0)
    assert found.error == pytest.approx(0.1 * 2**0.5)
    assert (found.p, found.ahead, found.behind) == (None, True, False)


@pytest.mark.parametrize(
    ("difference", "p", "ahead", "behind"), [(1.6, 0.014, True, False), (-1.6, 0.014, False, True)]
)
def test__lead_of__duel__is_decided_by_its_test(difference, p, ahead, behind):
    found = lead_of(Evidence({"table2": [*table2(), duel(difference, p)]}), "table2", "FS+MN", "MN", **CELL)
    assert found == Lead(difference, 2.0, p, 250)
    assert (found.ahead, found.behind) == (ahead, behind)


def test__lead_of__duel_that_chance_may_decide__is_nobodys():
    found = lead_of(Evidence({"table2": [*table2(), duel(9.0, 0.2)]}), "table2", "FS+MN", "MN", **CELL)
    assert not found.ahead
    assert not found.behind


def test__lead_of__no_row__says_so():
    with pytest.raises(NoRowError, match="no row for NN"):
        lead_of(Evidence({"table2": table2()}), "table2", "FS+MN", "NN", **CELL)
