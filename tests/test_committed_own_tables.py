"""What is committed on own tables: patterns found, and ordinary data no worse than with what others there are."""

import pytest

from polythetic.results import load
from tests.committed import RESULTS

ROWS = load(RESULTS / "benchmarks" / "own_tables.json").rows
OURS = "PolytheticClassifier"
OTHERS = ("k-NN", "RBF-SVM", "logistic regression")
ORDINARY = [(dataset, shots) for dataset in ("iris", "wine", "breast cancer", "digits") for shots in (5, 20)]


def the(method: str, metric: str, **setting: object) -> float:
    (entry,) = (
        e for e in ROWS if (e["method"], e["metric"]) == (method, metric) and setting.items() <= e["setting"].items()
    )
    return entry["mean"]


@pytest.mark.parametrize(("alpha", "rows", "least"), [(2, 40, 95), (3, 60, 90)])
def test__own_tables__active_columns__rank_first(alpha, rows, least):
    assert the(OURS, "active columns first", alpha=alpha, rows=rows) >= least
    others = [e["mean"] for e in ROWS if e["metric"] == "active columns first" and e["method"] != OURS]
    assert len(others) == 8


@pytest.mark.parametrize(("dataset", "shots"), ORDINARY)
def test__own_tables__ordinary_data__within_a_point_of_the_best(dataset, shots):
    best = max(the(other, "accuracy", dataset=dataset, shots=shots) for other in OTHERS)
    assert the(OURS, "accuracy", dataset=dataset, shots=shots) >= best - 1


def test__own_tables__on_average__above_all_others():
    def mean(method: str) -> float:
        return sum(the(method, "accuracy", dataset=d, shots=s) for d, s in ORDINARY) / len(ORDINARY)

    assert all(mean(OURS) > mean(other) for other in OTHERS)


def test__own_tables__digits__are_calibrated():
    assert the(OURS, "calibration error", dataset="digits", shots=20) <= 0.05


@pytest.mark.parametrize("rate", [5, 10])
@pytest.mark.parametrize("dataset", ["iris", "wine", "breast cancer", "digits"])
def test__own_tables__false_alarms__are_as_many_as_asked(dataset, rate):
    assert abs(the(OURS, f"false alarms at {rate}%", dataset=dataset, shots=20) - rate) <= 2


def test__own_tables__a_thousand_queries__take_less_than_50_ms():
    assert the(OURS, "milliseconds") < 50


def test__own_tables__prior__uniform_is_better_where_rows_are_unlike_queries():
    by_prior = {prior: the(OURS, "balanced accuracy", prior=prior) for prior in ("support", "uniform")}
    assert by_prior["uniform"] > by_prior["support"]
