import pytest

from polythetic.report.evidence import Evidence, NoRowError, NotRunError, gap
from polythetic.results import row
from tests.report.papers import table2

EVIDENCE = Evidence({"table2": table2()})
CELL = {"dataset": "clean", "tasks": "polythetic", "variant": "ours"}


def test__the__one_row_agrees__returns_it():
    assert EVIDENCE.mean("table2", "FS+MN", **CELL) == 98.3


def test__the__several_agree__prefers_the_one_that_the_paper_has():
    beside = row("FS+MN", {**CELL, "R": 0}, "accuracy", 70.0)
    assert Evidence({"table2": [beside, *table2()]}).mean("table2", "FS+MN", **CELL) == 98.3


def test__the__several_of_the_papers__says_so():
    with pytest.raises(NoRowError, match="several rows for FS\\+MN, accuracy, dataset = clean"):
        EVIDENCE.the("table2", "FS+MN", dataset="clean")


def test__rows__nothing_agrees__names_what_was_looked_for():
    with pytest.raises(NoRowError, match="table2 has no row for NN, accuracy"):
        EVIDENCE.rows("table2", "NN")


def test__rows__experiment_not_run__says_so():
    with pytest.raises(NotRunError, match="table3 has not been run"):
        EVIDENCE.rows("table3")


def test__gap__of_rows__has_two_standard_errors():
    first, second = (EVIDENCE.the("table2", method, **CELL) for method in ("FS+MN", "MN"))
    difference, error = gap(first, second)
    assert difference == pytest.approx(40.7)
    assert error == pytest.approx(0.1 * 2**0.5)
