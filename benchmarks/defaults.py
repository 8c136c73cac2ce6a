"""How the defaults were chosen: sharpness, rounds and rescaling, on i.i.d. Boolean tasks never reported elsewhere.

Reported tasks have small seeds; these have seed 1000. Accuracy is averaged over the cells, each cell counting alike.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table

from polythetic import AttentionScorer, BooleanTasks, Matching, Method, Selection, evaluate, selection
from polythetic.classifiers import options
from polythetic.results import Result, Row, row, save

OUT = Path("results/benchmarks")
SEED = 1000
TASKS = 100
# n, α, rows: the paper's, and larger ones with more rows.
CELLS = [
    *((n, alpha, 5 * 2**alpha) for n in (5, 10) for alpha in (2, 3, 4)),
    (20, 2, 60),
    (20, 3, 160),
    (50, 2, 200),
    (50, 3, 400),
    (100, 2, 400),
]
# One rule from 5 features to 5,000: n, α, rows.
RANGE = [(5, 1, 20), (100, 1, 40), (1000, 1, 60), (5000, 1, 60), (300, 2, 1000), (1000, 2, 2000)]


class Choice(NamedTuple):
    """What is to be chosen; the values given here are the library's defaults."""

    sharpness: float = selection.SHARPNESS
    repeats: int = selection.REPEATS
    dispersion: str = "std"
    rescale: str = "min-max-squared"
    classification: float = options.SHARPNESS


# Sharpness and rounds together, since one makes up for the other; the rest one at a time.
CHOICES = [
    *(Choice(sharpness=sharpness, repeats=repeats) for sharpness in (6.0, 8.0, 10.0, 12.0) for repeats in (1, 2, 3)),
    *(Choice(dispersion=dispersion) for dispersion in ("mad", "mav")),
    *(Choice(rescale=rescale) for rescale in ("raw", "normalised", "square-root", "min-max")),
    *(Choice(classification=sharpness) for sharpness in (4.0, 6.0, 8.0, 12.0, 16.0)),
]


def measure(choice: Choice, cells: list[tuple[int, int, int]], tasks: int) -> list[Row]:
    scorer = AttentionScorer(repeats=choice.repeats, dispersion=choice.dispersion, sharpness=choice.sharpness)
    method = Method(Matching(sharpness=choice.classification), Selection(scorer, choice.rescale))
    rows = []
    for n, alpha, size in cells:
        suite = BooleanTasks(n=n, alpha=alpha, design="iid", rows=size, query_rows=64)
        found = evaluate({"FS+MN": method}, suite, tasks=tasks, seed=SEED, batch_size=10)["FS+MN"]
        setting = {**choice._asdict(), "n": n, "alpha": alpha, "rows": size, "design": "iid"}
        rows.append(row("FS+MN", setting, "accuracy", found.mean, stderr=found.stderr, tasks=tasks))
    return rows


def main() -> None:
    rows: list[Row] = []
    table = Table(*Choice._fields, *(f"{n},{alpha},{size}" for n, alpha, size in CELLS), "mean")
    for choice in track(CHOICES, "measuring", console=Console(stderr=True)):
        found = measure(choice, CELLS, TASKS)
        means = [entry["mean"] for entry in found]
        table.add_row(*map(str, choice), *(f"{mean:.0f}" for mean in means), f"{sum(means) / len(means):.1f}")
        rows.extend(found)
    Console(width=200).print(table)
    wide = measure(Choice(), RANGE, tasks=10)
    for entry in wide:
        n, alpha, size = (entry["setting"][key] for key in ("n", "alpha", "rows"))
        print(f"the defaults on XOR_{alpha} over {n} bits, {size} rows: {entry['mean']:.1f} %")
    rows.extend(wide)
    save(Result("defaults", "standard", "python -m benchmarks.defaults", SEED, rows), OUT, force=True)


if __name__ == "__main__":
    main()
