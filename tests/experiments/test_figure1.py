"""Figure 1: what the examples are said to show, they show."""

from dataclasses import replace

import pytest

from polythetic.experiments.budgets import BUDGETS
from polythetic.experiments.figure1 import EXPERIMENT, IRRELEVANT
from polythetic.report.pictures import write_png
from polythetic.results import Result


@pytest.fixture(scope="module")
def result():
    rows = EXPERIMENT.run(replace(BUDGETS["quick"], tasks=20))
    return Result("figure1", "quick", "polythetic reproduce figure1", 0, rows)


def test__definitions__are_counted(result):
    counted = {(e["setting"]["example"], e["metric"]): e["mean"] for e in result.rows if e["method"] == "definition"}
    expected = {"one": (3, 3, 3, 3), "pairs": (6, 0, 3, 3), "none": (0, 0, 0, 0)}
    for name, numbers in expected.items():
        metrics = ("necessary", "sufficient", "pairs told apart", "threshold classes")
        assert tuple(counted[name, metric] for metric in metrics) == numbers


def test__methods__prototypes_fail_where_no_feature_says_anything_and_selection_does_not(result):
    at = {
        (e["setting"]["example"], e["method"]): e["mean"]
        for e in result.rows
        if e["setting"].get("irrelevant") == IRRELEVANT
    }
    assert at["one", "PN"] > 90
    assert at["pairs", "PN"] > 90
    assert at["none", "PN"] < 45
    assert at["none", "PN"] < at["none", "MN"] < 80
    assert all(at[name, "FS+MN"] > 95 for name in ("one", "pairs", "none"))


def test__table_text_and_picture__are_whole(result, tmp_path):
    table = EXPERIMENT.table(result.rows)
    assert [line[1:5] for line in table.body] == [["3", "3", "3", "3"], ["6", "0", "3", "3"], ["0", "0", "0", "0"]]
    assert all(len(line) == len(table.header) for line in table.body)
    words = " ".join(EXPERIMENT.text(result))
    assert "no value is necessary, no value sufficient" in words
    assert "tell 3, 3, 0 of the 3 classes" in words
    write_png(lambda: EXPERIMENT.draw(result), tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000
