"""Measure a method of `discovery` on one setting, from few rows to many: what it finds, what that is good for, time.

Seconds are those that the processor spent, on one core: what else the machine does counts little.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from statistics import mean
from typing import Any, TypeAlias, TypeVar

import torch
from jaxtyping import Float
from torch import Tensor

from polythetic.classifiers.matching import Matching
from polythetic.evaluation import active_share
from polythetic.experiments.discovery_tasks import Drawn, Setting, columns, drawn
from polythetic.pipeline import Method, Selection
from polythetic.results import Row
from polythetic.selection import GivenScorer

LONGEST = 60.0  # seconds a task; what would take longer is not run

T = TypeVar("T")
Measure: TypeAlias = Callable[[Setting, Drawn], Row]
Enough: TypeAlias = Callable[[Setting, Row, float], str | None]  # why not to go on from so many rows and so much found


def climb(
    measure: Measure,
    setting: Setting,
    ladder: Sequence[int],
    tasks: int,
    seed: int,
    enough: Enough = lambda setting, before, share: None,
) -> list[Row]:
    """Measure on ever more rows; where it goes no further, say why, and how long a task might have taken."""
    measure(setting, drawn(setting, ladder[0], 1, seed))  # once untimed: what is done first takes its time
    found: list[Row] = []
    for rows in ladder:
        before = found[-1] if found else None
        expected = before["seconds"] * (rows / before["rows"]) ** 2 if before else 0.0
        reason = _reason_to_stop(setting, before, expected, enough)
        if reason is None:
            found.append({"rows": rows, **measure(setting, drawn(setting, rows, tasks, seed))})
        else:
            found.append({"rows": rows, "seconds": expected, "reason": reason})
    return found


def _reason_to_stop(setting: Setting, before: Row | None, expected: float, enough: Enough) -> str | None:
    if before is None:
        return None
    if "reason" in before:
        return str(before["reason"])
    share = min(mean(part["active share"]) for part in before["found"].values())
    return enough(setting, before, share) or ("over a minute" if expected > LONGEST else None)


def found_by(
    by_feature: Float[Tensor, "tasks n"],
    scores: Float[Tensor, "tasks F"],
    setting: Setting,
    tasks: Drawn,
    selection: Selection,
) -> dict[str, Any]:
    """Give, task by task, the share of active features on top, and the accuracy of attention on scaled columns."""
    method = Method(Matching(), replace(selection, scorer=GivenScorer(scores)))
    support, query = columns(tasks.support, setting.features), columns(tasks.query, setting.features)
    right = method.predict(support, tasks.labels, query) == tasks.query_labels
    return {
        "active share": active_share(by_feature, tasks.active).values.tolist(),
        "accuracy": (100 * right.double().mean(-1)).tolist(),
    }


def timed(work: Callable[[], T]) -> tuple[T, float]:
    """Do something, and say how many seconds it took."""
    began = time.process_time()
    with torch.no_grad():
        done = work()
    return done, time.process_time() - began
