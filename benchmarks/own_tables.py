"""For people with their own tables: who finds the columns that matter, and who does best on ordinary data?

``python -m benchmarks.own_tables`` → ``results/benchmarks/own_tables.json``. Nothing here was used to choose anything:
defaults come from ``benchmarks.voters``.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn import datasets
from sklearn.ensemble import RandomForestClassifier
from sklearn.feature_selection import f_classif, mutual_info_classif
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from polythetic.baselines.relief import multisurf
from polythetic.estimators import PolytheticClassifier
from polythetic.estimators.calibration import calibration_error
from polythetic.estimators.classifier import PRIORS
from polythetic.evaluation import Evaluation
from polythetic.results import Result, Row, row, save

OUT = Path("results/benchmarks")
SEED = 0
TABLES = 200
DRAWS = 100
IRRELEVANT = 20
XOR = {2: 40, 3: 60}  # α: rows
QUERIES = 200
ORDINARY = {
    "iris": datasets.load_iris,
    "wine": datasets.load_wine,
    "breast cancer": datasets.load_breast_cancer,
    "digits": datasets.load_digits,
}
SHOTS = (5, 20)
RATES = (0.05, 0.1)  # of false alarms
OURS = "PolytheticClassifier"
Features = NDArray[np.float64]


def others() -> dict[str, Any]:
    """Make what practitioners have, scaled, with scikit-learn's defaults."""
    made = {
        "k-NN": KNeighborsClassifier(),
        "RBF-SVM": SVC(),
        "logistic regression": LogisticRegression(max_iter=2000),
    }
    return {name: make_pipeline(StandardScaler(), classifier) for name, classifier in made.items()}


def _signs(x: Features) -> torch.Tensor:
    return torch.from_numpy((x > 0).astype(np.int64))


RANKERS: dict[str, Callable[[Features, NDArray[np.int64]], Features]] = {
    "MultiSURF": lambda x, y: multisurf(_signs(x), torch.from_numpy(y)).numpy(),
    "analysis of variance": lambda x, y: f_classif(x, y)[0],
    "mutual information": lambda x, y: mutual_info_classif(x, y, discrete_features=True, random_state=0),
    "random forest": lambda x, y: RandomForestClassifier(random_state=0).fit(x, y).feature_importances_,
}


def xor_rows(alpha: int, rows: int) -> Iterator[Row]:
    """Yield how often the active columns rank first, and accuracy on further rows."""
    first: dict[str, list[float]] = {}
    right: dict[str, list[float]] = {}
    for number in track(range(TABLES), f"XOR{alpha} from {rows} rows"):
        chance = np.random.default_rng([SEED, alpha, number])
        x = chance.choice([-1.0, 1.0], (rows + QUERIES, alpha + IRRELEVANT))
        active = chance.permutation(x.shape[1])[:alpha]
        y = (x[:, active].prod(1) > 0).astype(np.int64)
        seen, asked = slice(rows), slice(rows, None)
        ours = PolytheticClassifier().fit(x[seen], y[seen])
        ranked = {OURS: ours.feature_scores_} | {name: rank(x[seen], y[seen]) for name, rank in RANKERS.items()}
        for name, scores in ranked.items():
            top = set(np.argsort(-np.nan_to_num(scores), kind="stable")[:alpha].tolist())
            first.setdefault(name, []).append(100.0 * (top == set(active.tolist())))
        classifiers = {name: c.fit(x[seen], y[seen]) for name, c in others().items()}
        classifiers["random forest"] = RandomForestClassifier(random_state=0).fit(x[seen], y[seen])
        for name, classifier in {OURS: ours, **classifiers}.items():
            right.setdefault(name, []).append(100.0 * classifier.score(x[asked], y[asked]))
    setting = {"alpha": alpha, "n": alpha + IRRELEVANT, "rows": rows, "design": "iid"}
    for metric, found in (("active columns first", first), ("accuracy", right)):
        for name, values in found.items():
            yield _row(name, setting, metric, values)


def ordinary_rows(dataset: str, shots: int) -> Iterator[Row]:
    """Yield accuracy on paired draws, calibration, and false alarms of "none of these"."""
    x, y = ORDINARY[dataset](return_X_y=True)
    found: dict[tuple[str, str], list[float]] = {}
    for number in track(range(DRAWS), f"{dataset}, {shots} rows a class"):
        chance = np.random.default_rng([SEED, shots, number])
        seen = np.concatenate([chance.permutation(np.flatnonzero(y == k))[:shots] for k in np.unique(y)])
        asked = np.setdiff1d(np.arange(len(y)), seen)
        ours = PolytheticClassifier().fit(x[seen], y[seen])
        probabilities = ours.predict_proba(x[asked])
        found.setdefault((OURS, "accuracy"), []).append(100.0 * (probabilities.argmax(1) == y[asked]).mean())
        found.setdefault((OURS, "calibration error"), []).append(calibration_error(probabilities, y[asked]))
        p_values = ours.novelty_p_values(x[asked])
        for rate in RATES:
            found.setdefault((OURS, f"false alarms at {rate:.0%}"), []).append(100.0 * (p_values <= rate).mean())
        for name, classifier in others().items():
            score = classifier.fit(x[seen], y[seen]).score(x[asked], y[asked])
            found.setdefault((name, "accuracy"), []).append(100.0 * score)
    for (name, metric), values in found.items():
        yield _row(name, {"dataset": dataset, "shots": shots}, metric, values)


def imbalance_rows() -> Iterator[Row]:
    """Yield what the prior does where one class has four times the rows of the other: accuracy, averaged over both."""
    x, y = ORDINARY["breast cancer"](return_X_y=True)
    found: dict[str, list[float]] = {}
    for number in track(range(DRAWS), "breast cancer, 5 rows against 20"):
        chance = np.random.default_rng([SEED, number])
        seen = np.concatenate([chance.permutation(np.flatnonzero(y == k))[:count] for k, count in ((0, 5), (1, 20))])
        asked = np.setdiff1d(np.arange(len(y)), seen)
        for prior in PRIORS:
            answers = PolytheticClassifier(prior=prior).fit(x[seen], y[seen]).predict(x[asked])
            by_class = [100.0 * (answers[y[asked] == k] == k).mean() for k in (0, 1)]
            found.setdefault(prior, []).append(sum(by_class) / 2)
    for prior, values in found.items():
        yield _row(OURS, {"dataset": "breast cancer", "rows": "5 and 20", "prior": prior}, "balanced accuracy", values)


def speed_row() -> Row:
    """Time a thousand queries against a hundred rows of fifty columns, after loading."""
    chance = np.random.default_rng(SEED)
    x, query = chance.normal(size=(100, 50)), chance.normal(size=(1000, 50))
    fitted = PolytheticClassifier().fit(x, (x[:, 0] * x[:, 1] > 0).astype(int))
    times = []
    for _ in range(20):
        start = time.perf_counter()
        fitted.predict_proba(query)
        times.append(1000 * (time.perf_counter() - start))
    setting = {"rows": 100, "columns": 50, "queries": 1000}
    return row(OURS, setting, "milliseconds", float(np.median(times)), best=min(times), worst=max(times))


def _row(name: str, setting: dict[str, Any], metric: str, values: list[float]) -> Row:
    found = Evaluation(np.array(values))
    return row(name, setting, metric, found.mean, stderr=found.stderr, tasks=len(values))


def show(rows: list[Row]) -> None:
    table = Table("setting", "metric", "method", "mean", "±")
    for entry in rows:
        setting = ", ".join(f"{key} {value}" for key, value in entry["setting"].items())
        error = "" if entry["stderr"] is None else f"{entry['stderr']:.2f}"
        table.add_row(setting, entry["metric"], entry["method"], f"{entry['mean']:.2f}", error)
    Console().print(table)


def main() -> None:
    rows = [speed_row()]
    for alpha, count in XOR.items():
        rows += xor_rows(alpha, count)
    for dataset in ORDINARY:
        for shots in SHOTS:
            rows += ordinary_rows(dataset, shots)
    rows += imbalance_rows()
    show(rows)
    result = Result("own_tables", "standard", "python -m benchmarks.own_tables", SEED, rows)
    save(result, OUT, force=True)


if __name__ == "__main__":
    main()
