"""Rows of what learners have scored, rows of duels between them, and the words for both."""

from __future__ import annotations

from collections.abc import Mapping
from math import isnan
from typing import Any

from polythetic.evaluation import Repeated, head_to_head
from polythetic.report.numbers import signed
from polythetic.results import Row, row

SIGNIFICANT = 0.05
points = signed  # the difference of two accuracies: written the same everywhere in the report


def accuracy_row(
    method: str,
    setting: Mapping[str, Any],
    found: Repeated,
    train_tasks: int,
    paper: tuple[float, float] | tuple[None, None] = (None, None),
    source: str | None = None,
) -> Row:
    """Make the row of what learners, alike but for chance, have scored: ``spread`` is over learners, ``std`` over tasks.

    >>> import numpy as np
    >>> entry = accuracy_row("PN", {"dataset": "full"}, Repeated(np.array([[50.0, 70.0]])), train_tasks=1000)
    >>> entry["mean"], entry["stderr"], entry["spread"]
    (60.0, 10.0, None)
    """
    learners, tasks = found.values.shape
    figures: dict[str, Any] = {"stderr": found.stderr, "tasks": tasks, "std": None if isnan(found.std) else found.std}
    figures |= {"spread": found.spread, "train_tasks": train_tasks, "train_seeds": learners, "label": method}
    figures |= {} if source is None else {"source": source}
    return row(method, setting, "accuracy", found.mean, paper=paper[0], paper_stderr=paper[1], **figures)


def duel_row(setting: Mapping[str, Any], first: tuple[str, Repeated], second: tuple[str, Repeated]) -> Row:
    """Compare two methods task by task, on the learners and tasks that both have.

    ``difference`` is in points; its standard error takes both learners and tasks for samples.
    """
    (name, one), (against, other) = first, second
    learners, tasks = (min(sizes) for sizes in zip(one.values.shape, other.values.shape, strict=True))
    one, other = (Repeated(each.values[:learners, :tasks]) for each in (one, other))
    difference = Repeated(one.values - other.values)
    duel = head_to_head(one.by_task, other.by_task)
    figures: dict[str, Any] = {"difference": difference.mean, "difference_stderr": difference.stderr, **vars(duel)}
    figures |= {"tasks": tasks, "train_seeds": learners, "label": f"{name} against {against}"}
    return row(name, {**setting, "against": against}, "wins", 100 * duel.wins / tasks, **figures)


def outcome(duel: Row) -> str:
    """Say in a word how a duel ended.

    >>> outcome({"difference": 0.4, "wilcoxon_p": 0.2})
    'level'
    """
    if duel["wilcoxon_p"] >= SIGNIFICANT or duel["difference"] == 0:
        return "level"
    return "ahead" if duel["difference"] > 0 else "behind"


def many(number: int, what: str) -> str:
    """Count in words as people do.

    >>> many(1, "learner"), many(3, "learner")
    ('one learner', '3 learners')
    """
    return f"one {what}" if number == 1 else f"{number:,} {what}s"
