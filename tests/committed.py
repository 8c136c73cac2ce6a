"""The committed results, for tests to look at."""

from pathlib import Path

from polythetic.results import load

RESULTS = Path(__file__).parents[1] / "results"
CELLS = [(n, alpha) for n in (5, 10) for alpha in (2, 3, 4)]


def table1():
    found = load(RESULTS / "table1.json")
    assert found.budget == "standard"
    return {
        (e["label"], e["setting"]["design"], e["setting"]["n"], e["setting"]["alpha"]): e
        for e in found.rows
        if e["metric"] == "accuracy"
    }


def rows(name):
    return load(RESULTS / f"{name}.json").rows
