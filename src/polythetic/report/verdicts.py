"""Verdicts: is a number of the paper's met?

A row meets the paper's figure if the two differ by no more than 2√(se² + se_paper²). An error that is not given counts
as nothing, ours as well as the paper's: two figures without errors agree only if they are equal. What was found on
other data than the paper's, the stand-in for tieredImageNet, or on other tasks, alphabets drawn without replacement,
stands beside its figures and is not judged by them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from math import hypot
from typing import NamedTuple

from polythetic.report.comparable import claims_chance, on_other_tasks
from polythetic.report.numbers import percentage, tidy
from polythetic.report.stand_in import on_stand_in
from polythetic.results import Row

HIGHER_IS_BETTER = {"accuracy", "active share", "named rightly", "wins"}
LOWER_IS_BETTER = {"misclassification", "losses"}
PERCENTAGES = {*HIGHER_IS_BETTER, "misclassification"}


class Outcome(StrEnum):
    """How a figure of ours stands to the paper's."""

    REPRODUCED = "reproduced"
    BETTER = "better"
    SHORT = "short"
    DIFFERENT = "different"  # where more is neither better nor worse: a count, a variance, chance
    OTHER_DATA = "not comparable (stand-in data)"
    OTHER_TASKS = "not comparable (other tasks)"


UNJUDGED = (Outcome.OTHER_DATA, Outcome.OTHER_TASKS)


class Verdict(NamedTuple):
    """An outcome, and the difference that led to it (ours less the paper's)."""

    outcome: Outcome
    difference: float
    allowed: float

    def __str__(self) -> str:
        if self.outcome in (Outcome.REPRODUCED, *UNJUDGED):
            return str(self.outcome)
        size = abs(self.difference)
        return f"{self.outcome}, by {percentage(size) if 0.1 <= size < 100 else tidy(size, 4 if size > 1 else 1)}"


def verdict(entry: Row) -> Verdict | None:
    """Judge a row that the paper has a figure for; None for any other.

    >>> row = {"metric": "accuracy", "mean": 77.7, "stderr": 0.4, "paper": 75.9, "paper_stderr": 1.3}
    >>> print(verdict(row), "|", verdict(row | {"mean": 82.5}), "|", verdict(row | {"mean": 71.0}))
    reproduced | better, by 6.6 | short, by 4.9
    """
    paper = entry.get("paper")
    if paper is None:
        return None
    difference = float(entry["mean"] - paper)
    allowed = 2 * hypot(entry.get("stderr") or 0.0, entry.get("paper_stderr") or 0.0)
    if on_stand_in(entry):
        outcome = Outcome.OTHER_DATA
    elif on_other_tasks(entry):
        outcome = Outcome.OTHER_TASKS
    elif abs(difference) <= allowed + 1e-9 * abs(paper):  # the last bits of a sum are nobody's finding
        outcome = Outcome.REPRODUCED
    elif claims_chance(entry):
        outcome = Outcome.DIFFERENT
    elif entry["metric"] in HIGHER_IS_BETTER:
        outcome = Outcome.BETTER if difference > 0 else Outcome.SHORT
    elif entry["metric"] in LOWER_IS_BETTER:
        outcome = Outcome.SHORT if difference > 0 else Outcome.BETTER
    else:
        outcome = Outcome.DIFFERENT
    return Verdict(outcome, difference, allowed)


def counted(entries: Iterable[Row]) -> Counter[Outcome]:
    """Count the outcomes of the rows that the paper has figures for.

    >>> rows = [{"metric": "accuracy", "mean": 9.0, "paper": p} for p in (9.0, 8.0, 7.0, None)]
    >>> dict(counted(rows))
    {<Outcome.REPRODUCED: 'reproduced'>: 1, <Outcome.BETTER: 'better'>: 2}
    """
    return Counter(judged.outcome for entry in entries if (judged := verdict(entry)) is not None)


def in_words(counts: Counter[Outcome]) -> str:
    """Say the counts, the best first.

    >>> in_words(Counter({Outcome.SHORT: 1, Outcome.REPRODUCED: 4}))
    '4 reproduced, 1 short'
    """
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in Outcome if counts[outcome])
