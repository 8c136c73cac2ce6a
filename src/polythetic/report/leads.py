"""By how much one method is above another, and whether that is more than chance."""

from __future__ import annotations

from typing import Any, NamedTuple

from polythetic.experiments.scored import SIGNIFICANT
from polythetic.report.evidence import Evidence, NoRowError, gap


class Lead(NamedTuple):
    """By how much one method is above another."""

    points: float
    error: float  # two standard errors
    p: float | None = None  # of the signed-rank test, where both were put to the same tasks
    tasks: int | None = None  # that both were put to

    @property
    def clear(self) -> bool:
        """Whether it is more than chance: by the test of the tasks where there is one, else by two standard errors.

        >>> Lead(1.6, 2.0).clear, Lead(1.6, 2.0, p=0.014).clear
        (False, True)
        """
        return self.p < SIGNIFICANT if self.p is not None else abs(self.points) > self.error

    @property
    def ahead(self) -> bool:
        """Whether the one is clearly above the other."""
        return self.points > 0 and self.clear

    @property
    def behind(self) -> bool:
        """Whether it is clearly below."""
        return self.points < 0 and self.clear


def lead_of(evidence: Evidence, experiment: str, first: str, second: str, **setting: Any) -> Lead:
    """Return by how much a method is above another: task by task where there is a duel of them, else by their means."""
    try:
        duel = evidence.the(experiment, first, metric="wins", **setting, against=second)
    except NoRowError:
        return Lead(*gap(*(evidence.the(experiment, method, **setting) for method in (first, second))))
    return Lead(duel["difference"], 2 * duel["difference_stderr"], duel["wilcoxon_p"], duel["tasks"])
