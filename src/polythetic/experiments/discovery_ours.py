"""Algorithm 1 and its refinement in `discovery`; apart from the baselines, whose results outlive changes to these."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from statistics import mean

from polythetic.baselines.categories import by_feature
from polythetic.classifiers import SELECTIONS, Selection
from polythetic.experiments.discovery_climbing import climb, found_by, timed
from polythetic.experiments.discovery_tasks import Drawn, Setting, columns, drawn
from polythetic.results import Row

TIMED = 10  # tasks, each on its own, at most
LONG_ENOUGH = 2.0  # seconds of them
BATCH_ROWS = 20_000  # of all tasks of a batch, five hundred of forty rows, or of as many tasks as are looked at


def ours_climbed(method: str, setting: Setting, ladder: Sequence[int], tasks: int, seed: int) -> list[Row]:
    """Measure Algorithm 1 (FS) or its refinement (R) on ever more rows.

    >>> (entry,) = ours_climbed("R", Setting(n=6, alpha=2), [60], tasks=2, seed=0)
    >>> entry["found"][""]["active share"]
    [100.0, 100.0]
    """
    return climb(partial(_measure, method, seed), setting, ladder, tasks, seed)


def _measure(method: str, seed: int, setting: Setting, tasks: Drawn) -> Row:
    """Score all tasks at once, then a few alone for the time; attention has the scales that come of the scores.

    Of few rows, more tasks are drawn to be scored at once with these: a batch is what fits, not what is looked at.
    """
    selection = SELECTIONS[method]()
    assert isinstance(selection, Selection)
    support, query = columns(tasks.support, setting.features), columns(tasks.query, setting.features)
    together = max(len(support), BATCH_ROWS // support.shape[1])
    batch = drawn(setting, support.shape[1], together, seed)
    facts = (columns(batch.support, setting.features), batch.labels, columns(batch.query, setting.features))
    scores, seconds = timed(lambda: selection.scores(*facts))
    scores = scores[: len(support)]
    singles: list[float] = []
    while len(singles) < min(TIMED, len(support)) and sum(singles) < LONG_ENOUGH:
        one = [part[len(singles)] for part in (support, tasks.labels, query)]
        singles.append(timed(partial(selection.scores, *one))[1])
    scored = by_feature(scores, support.shape[-1] // setting.n)
    found = {"": found_by(scored, scores, setting, tasks, selection)}
    times = {"seconds": seconds / together, "together": together, "single": mean(singles), "alone": len(singles)}
    return {**times, "found": found}
