"""Measure one method of `discovery` on one setting, from few rows to many: what it finds, what that is good for, time.

Seconds are those that the processor spent, on one core: what else the machine does counts little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from statistics import mean
from typing import Any, TypeVar

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.baselines import BASELINES, affordable, by_feature, by_skrebate
from polythetic.baselines.exhaustive import search_seconds
from polythetic.classifiers import SELECTIONS, Matching
from polythetic.evaluation import active_share
from polythetic.experiments.discovery_tasks import VALUES, Drawn, Setting, columns, drawn
from polythetic.pipeline import Method, Selection
from polythetic.results import Row

LONGEST = 60.0  # seconds a task; what would take longer is not run
SOLVED = 99.0  # per cent found, after which the slow ones are not run on more rows
TREES = ("random forest", "gradient boosting")
UNTIL_SOLVED = ("NCFS", *TREES, "exhaustive")
HOPELESS = 5.0  # points above chance: trees that have no more with so many rows are not run on more
MANY_ROWS = 500
TIMED = 3  # tasks, where each is timed on its own
LONG_ENOUGH = 10.0  # seconds of them

T = TypeVar("T")


@dataclass(frozen=True)
class Given:
    """Scores that are there already."""

    scores: Tensor

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks F"]:
        """Return them."""
        return self.scores


def climbed(method: str, setting: Setting, ladder: Sequence[int], tasks: int, seed: int) -> list[Row]:
    """Measure a method on ever more rows; on too many for it, say why not and how long it might have taken."""
    measure = _ours if method in SELECTIONS else _baseline
    if _reason_not_to(method, setting, None, 0.0) is None:  # once untimed: what is done first takes its time
        measure(method, setting, drawn(setting, ladder[0], 1, seed))
    found: list[Row] = []
    for rows in ladder:
        before = found[-1] if found else None
        expected = 0.0 if before is None else before["seconds"] * (rows / before["rows"]) ** 2
        reason = _reason_not_to(method, setting, before, expected)
        if reason is None:
            found.append({"rows": rows, **measure(method, setting, drawn(setting, rows, tasks, seed))})
        else:
            sets = search_seconds(setting.n, setting.alpha)
            found.append({"rows": rows, "seconds": sets if method == "exhaustive" else expected, "reason": reason})
    return found


def _reason_not_to(method: str, setting: Setting, before: Row | None, expected: float) -> str | None:
    if method == "exhaustive" and not affordable(setting.n, setting.alpha):
        return "too many sets"
    if before is None:
        return None
    if "reason" in before:
        return str(before["reason"])
    share = min(mean(part["active share"]) for part in before["found"].values())
    if method in UNTIL_SOLVED and share >= SOLVED:
        return "solved"
    if method in TREES and before["rows"] >= MANY_ROWS and share <= setting.chance + HOPELESS:
        return "at chance"
    return "over a minute" if expected > LONGEST else None


def _ours(method: str, setting: Setting, tasks: Drawn) -> Row:
    """Algorithm 1 or its refinement: all tasks at once, then a few alone for the time; attention with their scales."""
    selection = SELECTIONS[method]()
    support, query = columns(tasks.support, setting.features), columns(tasks.query, setting.features)
    scores, seconds = _timed(lambda: selection.scores(support, tasks.labels, query))
    singles = []
    while len(singles) < min(TIMED, len(support)) and sum(singles) < LONG_ENOUGH:
        one = support[len(singles)], tasks.labels[len(singles)], query[len(singles)]
        singles.append(_timed(lambda one=one: selection.scores(*one))[1])
    by = by_feature(scores, support.shape[-1] // setting.n)
    found = {"": _found(by, selection, scores, setting, tasks)}
    return {"seconds": seconds / len(support), "single": mean(singles), "alone": len(singles), "found": found}


def _baseline(method: str, setting: Setting, tasks: Drawn) -> Row:
    """A ranking, task by task; attention on the α best features, since it is told how many to keep."""
    baseline = BASELINES[method]
    pairs = list(zip(tasks.support, tasks.labels, strict=True))
    scores, seconds = _timed(lambda: torch.stack([baseline.rank(x, y, setting.alpha) for x, y in pairs]))
    kinds = {"signed": scores, "absolute": scores.abs()} if baseline.signed else {"": scores}
    found = {}
    for kind, values in kinds.items():
        best = values.topk(setting.alpha, -1).indices
        kept = torch.zeros_like(values).scatter_(-1, best, 1.0)
        width = 1 if setting.features == "binary" else VALUES[setting.features]
        found[kind] = _found(kept, Selection(rescale="raw"), kept.repeat_interleave(width, -1), setting, tasks)
    return {"seconds": seconds / len(pairs), "found": found}


def _found(by_feature: Tensor, selection: Selection, scores: Tensor, setting: Setting, tasks: Drawn) -> dict[str, Any]:
    method = Method(Matching(), replace(selection, scorer=Given(scores)))
    support, query = columns(tasks.support, setting.features), columns(tasks.query, setting.features)
    right = method.predict(support, tasks.labels, query) == tasks.query_labels
    return {
        "active share": active_share(by_feature, tasks.active).values.tolist(),
        "accuracy": (100 * right.double().mean(-1)).tolist(),
    }


def timed_by_skrebate(methods: Sequence[str], n: int, features: str, ladder: Sequence[int], seed: int) -> list[Row]:
    """Time scikit-rebate; which of the features matter, and whether labels are right, is nothing to its loops."""
    found: list[Row] = []
    for method in methods:
        before: Row | None = None
        small = drawn(Setting(n, 2, features), ladder[0], 1, seed)
        by_skrebate(method, small.support[0], small.labels[0])  # once untimed
        for rows in ladder:
            if before is not None and before["seconds"] * (rows / before["rows"]) ** 2 > LONGEST:
                break
            tasks = drawn(Setting(n, 2, features), rows, TIMED, seed)
            pairs = zip(tasks.support, tasks.labels, strict=True)
            _, seconds = _timed(lambda method=method, pairs=pairs: [by_skrebate(method, x, y) for x, y in pairs])
            before = {"method": method, "rows": rows, "seconds": seconds / TIMED, "tasks": TIMED}
            found.append(before)
    return found


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    began = time.process_time()
    with torch.no_grad():
        done = work()
    return done, time.process_time() - began
