"""Tasks as bits: which features have two values, and what the XOR of some of them tells of the class."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int, Shaped
from torch import Tensor

FEWEST = 8  # rows


class Bits(NamedTuple):
    """Tasks of two classes whose features are bits; a feature that is not is all zeros, and so tells nothing."""

    x: Bool[Tensor, "tasks places n"]  # F features, and one place that is none: with it, sets of fewer count as larger
    y: Bool[Tensor, "tasks n"]
    there: Bool[Tensor, "tasks n"]  # False for padding, which comes last
    usable: Bool[Tensor, "tasks places"]  # bits that are not always the same
    suited: Bool[Tensor, " tasks"]  # two classes, and bits to look at
    only: Bool[Tensor, " tasks"]  # all features are bits, or always the same

    @classmethod
    def of(
        cls, z: Float[Tensor, "tasks n F"], labels: Int[Tensor, "tasks n"], mask: Bool[Tensor, "tasks n"] | None
    ) -> Bits:
        """Look which features have two values, and which tasks two classes."""
        there = torch.ones_like(labels, dtype=torch.bool)
        if mask is not None:
            there, order = mask.sort(stable=True, dim=-1, descending=True)
            z, labels = z.gather(1, order[..., None].expand_as(z)), labels.gather(1, order)
            z, labels = torch.where(there[..., None], z, z[:, :1]), torch.where(there, labels, labels[:, :1])
        x, two_values = _as_bits(z)
        y, two_classes = _as_bits(labels[..., None])
        x, usable = (torch.cat([part, torch.zeros_like(part[..., :1])], -1) for part in (x, two_values))
        suited = two_classes[:, 0] & (usable.sum(-1) > 1) & (there.sum(-1) >= FEWEST)
        only = (usable[:, :-1] | (z == z[:, :1]).all(1)).all(-1)
        return cls(x.mT.contiguous(), y[..., 0], there, usable, suited, only)

    @property
    def n(self) -> Int[Tensor, " tasks"]:
        """How many rows each task has."""
        return self.there.sum(-1)

    def of_tasks(self, tasks: Int[Tensor, " some"]) -> Bits:
        """Return some of the tasks."""
        return Bits(*(part[tasks] for part in self))

    def parts(self, which: Bool[Tensor, " tasks"], size: int) -> Sequence[Int[Tensor, " some"]]:
        """Number the tasks that are to be looked at, so many at once."""
        tasks = which.nonzero()[:, 0]
        return tasks.split(max(1, size)) if len(tasks) else ()

    def xor(self, tasks: Int[Tensor, " sets"], members: Int[Tensor, "sets size"]) -> Bool[Tensor, "sets n"]:
        """Return the XOR of each set's features, in every row of its task."""
        first, *others = (self.x[tasks, column] for column in members.T)
        for other in others:
            first ^= other
        return first

    def explained(self, tasks: Int[Tensor, " sets"], members: Int[Tensor, "sets size"]) -> Float[Tensor, " sets"]:
        """Return how many nats of the classes of its task each set's XOR explains."""
        told, y, there = self.xor(tasks, members), self.y[tasks], self.there[tasks]
        n, both, one, other = (part.sum(-1).double() for part in (there, told & y & there, told & there, y & there))
        return information(both, one, other, n)


def _as_bits(values: Shaped[Tensor, "tasks n F"]) -> tuple[Bool[Tensor, "tasks n F"], Bool[Tensor, "tasks F"]]:
    """Return True for the greater of two values, and which columns have two; others are all False."""
    least, most = values.amin(1, keepdim=True), values.amax(1, keepdim=True)
    greater = values == most
    two = (greater | (values == least)).all(1, keepdim=True) & (most > least)
    return greater & two, two[:, 0]


def information(both: Tensor, one: Tensor, other: Tensor, n: Tensor) -> Tensor:
    """Return how many nats two bits tell of each other, in n rows of which so many have both, or one of them.

    >>> information(*torch.tensor([50.0, 50.0, 50.0, 100.0])) / 100  # ln 2 a row, if they are the same
    tensor(0.6931)
    """
    cells, sides = (both, one - both, other - both, n - one - other + both), (one, n - one, other, n - other)
    terms = [torch.xlogy(count, count) for count in cells] + [-torch.xlogy(count, count) for count in sides]
    return torch.stack(torch.broadcast_tensors(*terms)).sum(0) + torch.xlogy(n, n)
