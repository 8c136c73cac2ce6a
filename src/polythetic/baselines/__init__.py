"""What practitioners have to find the features that matter, for comparison; none of it is used by the library."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from torch import Tensor

from polythetic.baselines.categories import by_feature, indicators
from polythetic.baselines.exhaustive import affordable, best_set
from polythetic.baselines.importance import boosting, forest, has_sklearn, mutual_information
from polythetic.baselines.ncfs import NCFS
from polythetic.baselines.relief import RELIEFS, by_skrebate, has_skrebate

Ranker: TypeAlias = Callable[[Tensor, Tensor, int], Tensor]  # categories [n, F], labels [n] and α to scores [F]


class Baseline(NamedTuple):
    """A way to score the features of one task.

    Attributes:
        rank: does it.
        signed: whether scores may be negative, so that their absolute values are another ranking.
        there: whether what it needs is installed.
    """

    rank: Ranker
    signed: bool = False
    there: Callable[[], bool] = lambda: True


def _ncfs(x: Tensor, labels: Tensor, alpha: int) -> Tensor:
    values = int(x.max()) + 1
    if values == 2:  # two columns that always differ together are one
        return NCFS()(x.to(indicators(x, values)), labels)
    return by_feature(NCFS()(indicators(x, values), labels), values)


def _untold(score: Callable[[Tensor, Tensor], Tensor]) -> Ranker:
    """Make a ranker of scores that ask for no α."""
    return lambda x, labels, alpha: score(x, labels)


BASELINES = {
    **{name: Baseline(_untold(score), signed=True) for name, score in RELIEFS.items()},
    "NCFS": Baseline(_ncfs),
    "mutual information": Baseline(_untold(mutual_information)),
    "random forest": Baseline(_untold(forest), there=has_sklearn),
    "gradient boosting": Baseline(_untold(boosting), there=has_sklearn),
    "exhaustive": Baseline(best_set),
}

__all__ = [
    "BASELINES",
    "NCFS",
    "RELIEFS",
    "Baseline",
    "Ranker",
    "affordable",
    "best_set",
    "boosting",
    "by_feature",
    "by_skrebate",
    "forest",
    "has_skrebate",
    "indicators",
    "mutual_information",
]
