"""Table 1's picture: every mark stands where the committed rows, or the paper's figures, say."""

import pytest

from polythetic.experiments import EXPERIMENTS
from polythetic.experiments.table1_picture import MARKS
from polythetic.results import load
from tests.committed import CELLS, RESULTS, table1


@pytest.fixture(scope="module")
def panels():
    return EXPERIMENTS["table1"].draw(load(RESULTS / "table1.json")).axes


def heights(panel, name):
    (bars,) = [bars for bars in panel.containers if bars.get_label() == name]
    return list(bars.lines[0].get_ydata())


@pytest.mark.parametrize(("place", "design"), [(0, "balanced"), (1, "iid")])
def test__picture__marks__are_the_rows(panels, place, design):
    found = table1()
    for label in ("MN", "FS+MN", "FS+MN, authors'", "R+MN"):
        assert heights(panels[place], label) == [found[label, design, *cell]["mean"] for cell in CELLS]
    widest = [found["PN, d = n², 1,000 tasks", design, *cell]["mean"] for cell in CELLS]
    assert heights(panels[place], "PN, n²") == widest


def test__picture__crosses__are_the_papers_and_on_balanced_supports_alone(panels):
    balanced, iid = panels
    assert heights(balanced, "FS+MN, paper") == [99.6, 100.0, 100.0, 75.9, 82.6, 96.3]
    assert heights(balanced, "PN, n², paper") == [90.4, 77.8, 100.0, 62.1, 50.3, 50.6]
    assert heights(iid, "FS+MN, paper") == heights(iid, "PN, n², paper") == []
    assert [bars.get_label() for bars in balanced.containers] == list(MARKS)
