"""Algorithm 1 and its refinement in `discovery`; apart from the baselines, whose results outlive changes to these."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import mean

from polythetic.baselines.categories import by_feature
from polythetic.classifiers import SELECTIONS, Selection
from polythetic.experiments.discovery_climbing import climb, found_by, timed
from polythetic.experiments.discovery_tasks import Drawn, Setting, columns
from polythetic.results import Row

TIMED = 3  # tasks, each on its own
LONG_ENOUGH = 2.0  # seconds of them


def ours_climbed(method: str, setting: Setting, ladder: Sequence[int], tasks: int, seed: int) -> list[Row]:
    """Measure Algorithm 1 (FS) or its refinement (R) on ever more rows.

    >>> (entry,) = ours_climbed("R", Setting(n=6, alpha=2), [60], tasks=2, seed=0)
    >>> entry["found"][""]["active share"]
    [100.0, 100.0]
    """
    return climb(partial(_measure, method), setting, ladder, tasks, seed)


def _measure(method: str, setting: Setting, tasks: Drawn) -> Row:
    """Score all tasks at once, then a few alone for the time; attention has the scales that come of the scores."""
    selection = SELECTIONS[method]()
    assert isinstance(selection, Selection)
    support, query = columns(tasks.support, setting.features), columns(tasks.query, setting.features)
    scores, seconds = timed(lambda: selection.scores(support, tasks.labels, query))
    singles: list[float] = []
    while len(singles) < min(TIMED, len(support)) and sum(singles) < LONG_ENOUGH:
        one = [part[len(singles)] for part in (support, tasks.labels, query)]
        singles.append(timed(partial(selection.scores, *one))[1])
    scored = by_feature(scores, support.shape[-1] // setting.n)
    found = {"": found_by(scored, scores, setting, tasks, selection)}
    return {"seconds": seconds / len(support), "single": mean(singles), "alone": len(singles), "found": found}
