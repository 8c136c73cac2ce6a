"""Pictures of four coloured digits at random, with all their attributes: a task for each attribute in one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import whole_number
from polythetic.datasets.collection import Collection
from polythetic.episodes.assembly import Drawn, Facts, Rows, Side, batch_of
from polythetic.episodes.chance import Chance
from polythetic.episodes.episode import Episode
from polythetic.episodes.quadrants import VALUES, Quadrants


@dataclass(frozen=True, eq=False)
class PictureTasks:
    """Support and queries drawn at random, with no class in mind; the label is the digit at the top left.

    What makes them worth encoding is recorded of each row: ``traits``, the values of all eight attributes. A learner
    can relabel the same pictures by each of them (see ``RelabelledPrototypes``), and has eight tasks for one pass of
    the encoder. That is more supervision than monothetic tasks give.

    Attributes:
        digits: the digits that pictures are made from.
        support: pictures of the support.
        queries: pictures to be asked.

    >>> from polythetic.datasets import mnist
    >>> episode = PictureTasks(mnist("evaluation", source="embedded")).batch(seed=0, start=0, stop=1)
    >>> episode.support.shape, episode.attributes["support_traits"].shape
    (torch.Size([1, 64, 3, 56, 56]), torch.Size([1, 64, 8]))
    """

    digits: Collection
    support: int = 64
    queries: int = 64

    def __post_init__(self) -> None:
        whole_number("support", self.support, least=2)
        whole_number("queries", self.queries, least=1)
        self._quadrants  # noqa: B018 - checks the digits

    @property
    def rows(self) -> Rows:
        """The rows of support and queries."""
        return Rows(self.support, self.queries)

    @property
    def example_shape(self) -> tuple[int, ...]:
        """The shape of a picture."""
        return self._quadrants.shape

    @property
    def source(self) -> str:
        """Where its examples come from."""
        return self.digits.source

    @cached_property
    def _quadrants(self) -> Quadrants:
        return Quadrants(self.digits, coloured=True)

    def batch(self, seed: int, start: int, stop: int) -> Episode:
        """Return tasks ``start`` to ``stop`` of the seed; each depends on the seed and its number alone."""
        return batch_of(self._draw, self._pictures, self.rows, seed=seed, start=start, stop=stop)

    def _pictures(self, facts: Facts) -> NDArray[np.float32]:
        return self._quadrants.paint(facts["traits"], facts["number"])

    def _draw(self, chance: Chance) -> Drawn:
        support, query = ((chance.uniform(rows, 8) * VALUES).astype(np.int64) for rows in self.rows)
        shown, asked = self._quadrants.images(support, query, chance)
        return Drawn(
            Side(support[:, 0], {"traits": support, "number": shown}),
            Side(query[:, 0], {"traits": query, "number": asked}),
            {},
        )
