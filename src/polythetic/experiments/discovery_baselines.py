"""What practitioners have, in `discovery`: rankings, task by task, told how many features to keep."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import torch

from polythetic.baselines import BASELINES, affordable, by_skrebate
from polythetic.baselines.exhaustive import search_seconds
from polythetic.experiments import discovery_climbing
from polythetic.experiments.discovery_climbing import climb, found_by, timed
from polythetic.experiments.discovery_tasks import VALUES, Drawn, Setting, drawn
from polythetic.pipeline import Selection
from polythetic.results import Row

SOLVED = 99.0  # per cent found, after which the slow ones are not run on more rows
TREES = ("random forest", "gradient boosting")
UNTIL_SOLVED = ("NCFS", *TREES, "exhaustive")
HOPELESS = 5.0  # points above chance: trees that have no more with many rows are not run on more
MANY_ROWS = 500
TIMED = 3  # tasks, of scikit-rebate


def baseline_climbed(method: str, setting: Setting, ladder: Sequence[int], tasks: int, seed: int) -> list[Row]:
    """Measure a baseline on ever more rows, a slow one until it has found all.

    >>> ladder = baseline_climbed("exhaustive", Setting(n=6, alpha=2), [60, 100], tasks=2, seed=0)
    >>> ladder[0]["found"][""]["active share"], ladder[1]["reason"]
    ([100.0, 100.0], 'solved')
    """
    if method == "exhaustive" and not affordable(setting.n, setting.alpha):
        seconds = search_seconds(setting.n, setting.alpha)
        return [{"rows": rows, "seconds": seconds, "reason": "too many sets"} for rows in ladder]
    return climb(partial(_measure, method), setting, ladder, tasks, seed, partial(_enough, method))


def _enough(method: str, setting: Setting, before: Row, share: float) -> str | None:
    if method in UNTIL_SOLVED and share >= SOLVED:
        return "solved"
    hopeless = method in TREES and before["rows"] >= MANY_ROWS and share <= setting.chance + HOPELESS
    return "at chance" if hopeless else None


def _measure(method: str, setting: Setting, tasks: Drawn) -> Row:
    """Rank the features of every task; attention is on the α best, all alike."""
    baseline = BASELINES[method]
    pairs = list(zip(tasks.support, tasks.labels, strict=True))
    scores, seconds = timed(lambda: torch.stack([baseline.rank(x, y, setting.alpha) for x, y in pairs]))
    width = 1 if setting.features == "binary" else VALUES[setting.features]
    found = {}
    for kind, values in ({"signed": scores, "absolute": scores.abs()} if baseline.signed else {"": scores}).items():
        kept = torch.zeros_like(values).scatter_(-1, values.topk(setting.alpha, -1).indices, 1.0)
        found[kind] = found_by(kept, kept.repeat_interleave(width, -1), setting, tasks, Selection(rescale="raw"))
    return {"seconds": seconds / len(pairs), "found": found}


def timed_by_skrebate(methods: Sequence[str], n: int, features: str, ladder: Sequence[int], seed: int) -> list[Row]:
    """Time scikit-rebate; which of the features matter, and whether labels are right, is nothing to its loops."""
    found: list[Row] = []
    for method in methods:
        small = drawn(Setting(n, 2, features), ladder[0], 1, seed)
        by_skrebate(method, small.support[0], small.labels[0])  # once untimed
        seconds, before = 0.0, ladder[0]
        for rows in ladder:
            if seconds * (rows / before) ** 2 > discovery_climbing.LONGEST:
                break
            tasks = drawn(Setting(n, 2, features), rows, TIMED, seed)
            calls = [partial(by_skrebate, method, x, y) for x, y in zip(tasks.support, tasks.labels, strict=True)]
            seconds, before = sum(timed(call)[1] for call in calls) / TIMED, rows
            found.append({"method": method, "rows": rows, "seconds": seconds, "tasks": TIMED})
    return found
