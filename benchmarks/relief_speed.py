"""How fast is R beside Relief? On sizes of `discovery`, R and scikit-rebate's MultiSURF in turn, on one core.

``python -m benchmarks.relief_speed`` → ``results/benchmarks/relief_speed.json``, some 10 minutes; it goes on where it
was interrupted. Both are timed twice at each size, in turn, and the shorter time counts. What R finds is told, too, on
the tasks of `discovery`, whose own run, of all methods, takes an hour. With more rows than are looked at here, Relief
falls behind further.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["OMP_NUM_THREADS"] = "1"

from itertools import groupby
from pathlib import Path
from statistics import mean
from typing import Any

from rich.progress import track

from polythetic import speed
from polythetic.experiments.budgets import BUDGETS
from polythetic.experiments.discovery_baselines import timed_by_skrebate
from polythetic.experiments.discovery_ours import ours_climbed
from polythetic.experiments.discovery_tasks import Plan, Setting
from polythetic.jobs import Job, Store
from polythetic.jobs.store import as_kept
from polythetic.results import Result, Row, row, save

OUT = Path("results/benchmarks")
COMMAND = "python -m benchmarks.relief_speed"
SEED = 0
CELLS = Path("runs/cells")
MOST_ROWS = 250


def size_of(setting: Setting) -> tuple[str, int]:
    return setting.features, setting.n


def compared(features: str, n: int, rows: int, tasks: int, seed: int) -> list[Row]:
    """Time MultiSURF and R on every setting of a size, and then both once more."""
    settings = [s for s in Plan.of(BUDGETS["standard"]).settings if size_of(s) == (features, n)]
    theirs, ours = [], []
    for _ in range(2):
        theirs += timed_by_skrebate(["MultiSURF"], n, features, [rows], seed)
        ours.append([ours_climbed("R", setting, [rows], tasks, seed)[0] for setting in settings])
    made = []
    for setting, *entries in zip(settings, *ours, strict=True):
        place, first = {**vars(setting), "rows": rows}, entries[0]
        batched, alone = (min(entry[key] for entry in entries) for key in ("seconds", "single"))
        made += [
            row("R", {**place, "batched": True}, "seconds", batched, tasks=first["together"]),
            row("R", {**place, "batched": False}, "seconds", alone, tasks=first["alone"]),
            *(row("R", place, metric, mean(shares), tasks=tasks) for metric, shares in first["found"][""].items()),
        ]
    size = {"features": features, "n": n, "rows": rows, "by": "scikit-rebate"}
    best = min(theirs, key=lambda entry: entry["seconds"])
    return [*made, row("MultiSURF", size, "seconds", best["seconds"], tasks=best["tasks"])]


def main() -> None:
    speed.on(threads=1)
    plan, kept = Plan.of(BUDGETS["standard"]), Store(CELLS)
    sizes = [key for key, _ in groupby(sorted(plan.settings, key=size_of), size_of)]
    rows: list[Row] = []
    for (features, n), many in track(
        [(size, rows) for rows in plan.ladder if rows <= MOST_ROWS for size in sizes], "sizes"
    ):
        facts: dict[str, Any] = {"features": features, "n": n, "rows": many, "tasks": plan.tasks, "seed": SEED}
        job = Job(f"relief speed, {facts}", compared, facts)
        found = kept.get(job)
        if found is None:
            kept.put(job, found := as_kept(compared(**facts)))
        assert isinstance(found, list)
        rows += found
    save(Result("relief_speed", "standard", COMMAND, SEED, rows), OUT, force=True)


if __name__ == "__main__":
    main()
