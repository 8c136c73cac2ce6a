"""Sets of features whose XOR may be the class: which explains most, beyond what it takes to say which it is."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import pad

from polythetic.belief import naming
from polythetic.parity.bits import Bits

MOST = 5  # features of a set
SURE = 5.0  # nats that a set must explain beyond those that it takes to name it
ENOUGH = 0.39  # of the class, as an XOR explains that fails on 15 % of the labels: to look no further
AT_ONCE = 2**22  # bits of all sets in all rows
TRIED = 4  # pairs, those of the greatest covariance with the class
PAIRS_AT_ONCE = 2**20  # of all tasks together


class Best(NamedTuple):
    """The best sets so far; F, which is no feature, fills the places of those that have fewer members."""

    members: Int[Tensor, "tasks most"]
    nats: Float[Tensor, " tasks"]  # that it explains, less those to name it

    @classmethod
    def none(cls, bits: Bits) -> Best:
        """Begin with nothing."""
        tasks, F = len(bits.x), bits.x.shape[1] - 1
        return cls(torch.full((tasks, MOST), F), torch.zeros(tasks, dtype=torch.float64))

    def of_tasks(self, tasks: Int[Tensor, " some"]) -> Best:
        """Return those of some of the tasks."""
        return Best(self.members[tasks], self.nats[tasks])

    def improved(self, bits: Bits, tasks: Int[Tensor, " sets"], members: Int[Tensor, "sets some"]) -> Best:
        """Take the best of some sets, each for a task, where it is better."""
        if not len(tasks):
            return self
        F = bits.x.shape[1] - 1
        members = pad(members, (0, MOST - members.shape[1]), value=F)
        members = members.where(bits.usable[tasks[:, None], members], F)
        parts = zip(*(part.split(max(1, AT_ONCE // bits.x.shape[-1])) for part in (tasks, members)), strict=True)
        nats = torch.cat([bits.explained(*part) for part in parts]) - to_name(bits, tasks, members)
        most = self.nats.scatter_reduce(0, tasks, nats, "amax")
        number = torch.arange(len(tasks)).where(nats == most[tasks], len(tasks))
        first = torch.full_like(self.members[:, 0], len(tasks)).scatter_reduce(0, tasks, number, "amin")
        better = (most > self.nats + 1e-6) & (first < len(tasks))
        new = members[first.clamp(max=len(tasks) - 1)]
        return Best(torch.where(better[:, None], new, self.members), torch.where(better, most, self.nats))

    def sure(self) -> Bool[Tensor, " tasks"]:
        """Say where chance cannot have done it."""
        return self.nats > SURE

    def enough(self, bits: Bits) -> Bool[Tensor, " tasks"]:
        """Say where it also explains so much of the class that there is hardly room for another set.

        Chance is called sure now and then, and then it hides a set that explains all.
        """
        n, ones = bits.n.double(), (bits.y & bits.there).sum(-1).double()
        to_explain = torch.xlogy(n, n) - torch.xlogy(ones, ones) - torch.xlogy(n - ones, n - ones)
        explained = self.nats + to_name(bits, torch.arange(len(n)), self.members)
        return self.sure() & (explained > ENOUGH * to_explain)


def to_name(bits: Bits, tasks: Int[Tensor, " sets"], members: Int[Tensor, "sets most"]) -> Float[Tensor, " sets"]:
    """Return how many nats it takes to say which set of the bits of its task each is."""
    F = bits.x.shape[1] - 1
    return names(F)[bits.usable.sum(-1)[tasks], size_of(members, F).long()]


@lru_cache(maxsize=4)
def names(F: int) -> Float[Tensor, "usable size"]:
    """List how many nats it takes to say which set it is, for so many bits to choose from, up to F, and any size."""
    return naming(torch.arange(MOST + 1.0).expand(F + 1, -1), torch.arange(F + 1.0)[:, None])


def size_of(members: Int[Tensor, "sets most"], F: int) -> Float[Tensor, " sets"]:
    """Count the features of sets.

    >>> size_of(torch.tensor([[1, 4, 7, 9, 9], [1, 1, 4, 9, 9]]), F=9)  # who is named twice is not in it
    tensor([3., 1.])
    """
    return _indicators(members, F).sum(-1)


def _indicators(members: Int[Tensor, "sets most"], F: int) -> Float[Tensor, "sets F"]:
    named = torch.zeros(len(members), F + 1).scatter_add_(1, members, torch.ones(members.shape))
    return named[:, :F] % 2


def best_pairs(bits: Bits) -> Best:
    """Go through all sets of one or two features: so many are a product of matrices."""
    best = Best.none(bits)
    places = bits.x.shape[1]
    for tasks in bits.parts(bits.suited, PAIRS_AT_ONCE // places**2):
        some = bits.of_tasks(tasks)
        signs, there = 1 - 2 * some.x.float(), some.there.float()
        y = some.y.float()
        y = (y - (y * there).sum(-1, keepdim=True) / there.sum(-1, keepdim=True)) * there
        pairs = greatest(torch.bmm(signs * y[:, None], signs.mT).abs_(), TRIED)
        members, whose = pairs.flatten(0, 1), torch.arange(len(tasks)).repeat_interleave(pairs.shape[1])
        best.members[tasks], best.nats[tasks] = best.of_tasks(tasks).improved(some, whose, members)
    return best


def greatest(values: Float[Tensor, "tasks places places"], count: int) -> Int[Tensor, "tasks some 2"]:
    """Return so many pairs of the greatest values, none of which may be negative; what is below the diagonal is spoilt.

    Those are in the rows with the greatest maxima: so is the time less than to look through all.

    >>> greatest(torch.tensor([[[9.0, 1.0, 3.0], [9.0, 9.0, 2.0], [9.0, 9.0, 9.0]]]), 2).tolist()
    [[[0, 2], [1, 2]]]
    """
    places = values.shape[-1]
    values.masked_fill_(torch.ones(places, places, dtype=torch.bool).tril(), -1)
    rows = values.amax(-1).topk(min(count, places)).indices
    flat = values.gather(1, rows[..., None].expand(-1, -1, places)).flatten(1)
    at = flat.topk(min(count, places * (places - 1) // 2)).indices
    return torch.stack([rows.gather(1, at // places), at % places], -1)


def polished(bits: Bits, best: Best) -> Best:
    """Change one member at a time for any other feature, or none, as long as that explains more."""
    everyone = torch.arange(len(bits.x))
    signs = 1 - 2 * bits.x.float()
    y = ((1 - 2 * bits.y.float()) * bits.there)[:, None]
    for _ in range(MOST):
        told = signs[everyone[:, None], best.members]  # [tasks, most, n]
        without = y * told.prod(1, keepdim=True) * told  # a sign is its own inverse
        new = torch.bmm(without, signs.mT).abs().argmax(-1)  # [tasks, most]
        others = best.members[:, None].expand(-1, MOST, -1).clone()
        others.diagonal(dim1=1, dim2=2).copy_(new)
        better = best.improved(bits, everyone.repeat_interleave(MOST), others.flatten(0, 1))
        if torch.equal(better.members, best.members):
            break
        best = better
    return best


def shared(bits: Bits, members: Int[Tensor, "tasks most"]) -> Float[Tensor, "tasks F"]:
    """Give each member the scale 1; where features are its copies or opposites, all of these a part of it."""
    F = bits.x.shape[1] - 1
    signs = (1 - 2 * bits.x[:, :F].float()) * bits.there[:, None]
    alike = (torch.bmm(signs, signs.mT).abs() >= bits.n[:, None, None] - 0.5).float()
    return torch.bmm(alike, (_indicators(members, F) / alike.sum(-1))[..., None])[..., 0].sqrt()
