"""Refinement that tells how far it is, step by step; its scores are those of ``RefinedScorer``."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from jaxtyping import Float
from torch import Tensor

from polythetic.belief import Climbed
from polythetic.likelihood import Rows
from polythetic.progress import Progress, Silent
from polythetic.refinement import WAVES, RefinedScorer
from polythetic.views import Views


@dataclass(frozen=True)
class WatchedScorer(RefinedScorer):
    """R, watched: a start that takes a step counts one, of ``most`` at most; who is convinced stops earlier.

    >>> WatchedScorer(seed=1).most
    1440
    """

    progress: Progress = field(default_factory=Silent, compare=False)

    @property
    def most(self) -> int:
        """How many steps there may be, a first look included."""
        return (self.starts + min(self.starts, WAVES[0])) * self.steps

    def _climb(self, views: Views, start: Float[Tensor, "tasks starts F"], **options: Any) -> Climbed:
        return super()._climb(_Counted(views, self.progress, start.shape[1]), start, **options)


class _Counted(Views):
    """Rows that tell when a step looks at them."""

    def __init__(self, views: Views, progress: Progress, starts: int):
        self._views, self._progress, self._starts = views, progress, starts

    def at(self, step: int) -> Rows:
        self._progress.advance(self._starts)
        return self._views.at(step)
