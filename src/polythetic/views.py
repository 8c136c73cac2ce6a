"""Views: which rows of a support the steps of a refinement look at: all of them, or of many some by chance."""

from __future__ import annotations

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.likelihood import MANY_ROWS, Rows

ASKED = 256  # rows that a step of a first look asks for their class, of many
JUDGED = 512  # rows that scales are compared on, of many
SEEN = 8192  # rows that each of these attends to at most
LARGEST = 2**22  # numbers in a matrix of attention of any step: of rows by those that they attend to
STREAM = 3  # of chance, apart from those that shake the starts of each wave


class Views:
    """What each step sees of some tasks of the same number of rows.

    Args:
        z: standardised rows.
        labels: their classes.
        mask: False for padding; where rows are many there must be none, since it would be asked.
        seed: of chance.
        asked: how many rows each step asks; as many as memory bears unless given.

    >>> views = Views(torch.zeros(1, 600, 4), torch.zeros(1, 600, dtype=torch.int64), None, seed=0)
    >>> [seen.at(1).same.shape[-2] for seen in (views, views.first_look())]
    [600, 256]
    """

    def __init__(
        self,
        z: Float[Tensor, "tasks n F"],
        labels: Int[Tensor, "tasks n"],
        mask: Bool[Tensor, "tasks n"] | None,
        seed: int,
        *,
        asked: int | None = None,
    ):
        n = z.shape[-2]
        self.z, self.labels, self.mask, self._seed = z, labels, mask, seed
        self.many = n > MANY_ROWS
        self._asked = asked or LARGEST // min(n, SEEN)
        self._all = Rows.of(z, labels, mask) if n <= min(self._asked, SEEN) else None

    def at(self, step: int) -> Rows:
        """Return what a step sees."""
        return self._some(step, self._asked) if self._all is None else self._all

    def judged(self) -> Rows:
        """Return what scales are compared on."""
        return self._some(0, JUDGED) if self.many else self.at(0)

    def _some(self, step: int, asked: int) -> Rows:
        chance = np.random.default_rng([self._seed, STREAM, step])
        some = torch.from_numpy(chance.permutation(self.z.shape[-2])[:SEEN])
        mask = None if self.mask is None else self.mask[:, some]
        return Rows.of(self.z[:, some], self.labels[:, some], mask, first=asked)

    def first_look(self) -> Views:
        """Return views that ask fewer rows, which is enough for plain patterns."""
        return Views(self.z, self.labels, self.mask, self._seed, asked=ASKED)

    def of_tasks(self, tasks: Int[Tensor, " some"]) -> Views:
        """Return what is seen of some of the tasks."""
        mask = None if self.mask is None else self.mask[tasks]
        return Views(self.z[tasks], self.labels[tasks], mask, self._seed, asked=self._asked)
