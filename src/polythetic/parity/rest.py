"""The rest: once a set of features is known whose XOR is nearly the class, does anything else tell more of it?

The XOR of two features may go a long way where the class is a majority of three, or where a third feature overrules
them. Then the set is a part of the pattern, and climbs have to find the rest of it.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.parity.bits import Bits, information
from polythetic.parity.sets import MOST

NONE, FEW = 0.02, 0.15  # of the labels are other than the XOR: too few to matter, or few enough to be wrong ones
LEVEL = 0.05  # how often chance may pass for something that tells


class All(NamedTuple):
    """Where an XOR is all there is to say of the class."""

    sure: Bool[Tensor, " tasks"]
    if_best: Bool[Tensor, " tasks"]  # where that can be said only if all other sets of bits explain less


def is_all(bits: Bits, members: Int[Tensor, "tasks most"]) -> All:
    """Say where few labels are other than the XOR of a set, and nothing tells which more than chance would.

    What tells could be any feature, given the values of all members; or any pair, given their XOR. It could also be a
    feature that is no bit, so that where there are any next to no label may be other. Of very few labels nothing could
    be told either way.
    """
    told = bits.xor(torch.arange(len(members)), members)
    failures = ((told ^ bits.y) & bits.there).sum(-1)
    failures = torch.minimum(failures, bits.n - failures)
    next_to_none = failures <= NONE * bits.n
    chance = (failures <= FEW * bits.n) & bits.only & ~next_to_none
    if chance.any():
        tasks = chance.nonzero()[:, 0]
        some = bits.of_tasks(tasks)
        chance[tasks] = _no_feature(some, members[tasks]) & _no_pair(some, told[tasks])
    told_apart = enough_to_tell(failures, bits.x.shape[1])
    return All(next_to_none | (chance & told_apart), chance & ~told_apart)


def enough_to_tell(failures: Int[Tensor, " tasks"], features: int) -> Bool[Tensor, " tasks"]:
    """Say whether a feature that decides where a set fails could be told from chance by so many failures.

    It tells up to 2 ln 2 nats for each of them; two thirds of it must do.

    >>> enough_to_tell(torch.tensor([5, 25]), 20)
    tensor([False,  True])
    """
    return 4 / 3 * math.log(2) * failures >= _by_chance(torch.tensor(4), features)


def _no_feature(bits: Bits, members: Int[Tensor, "tasks most"]) -> Bool[Tensor, " tasks"]:
    x, y = bits.x.float(), bits.y.float()[:, None]
    values = torch.arange(2**MOST)[:, None] >> torch.arange(MOST) & 1  # [cells, most]
    own = bits.x[torch.arange(len(members))[:, None], members]  # [tasks, most, n]
    cells = ((own[:, None] == values.bool()[..., None]).all(2) & bits.there[:, None]).float()  # [tasks, cells, n]
    both, one = torch.bmm(cells * y, x.mT), torch.bmm(cells, x.mT)  # [tasks, cells, F+1]
    other, n = (cells * y).sum(-1, keepdim=True), cells.sum(-1, keepdim=True)
    nats = information(both, one, other, n).sum(1)
    return (nats <= _by_chance((n > 1).sum(1), x.shape[1])).all(-1)


def _no_pair(bits: Bits, told: Bool[Tensor, "tasks n"]) -> Bool[Tensor, " tasks"]:
    x, y = bits.x.float(), bits.y.float()[:, None]
    nats = torch.zeros(len(x), x.shape[1], x.shape[1])
    for half in (told, ~told):
        weight = (half & bits.there).float()[:, None]
        n = weight.sum(-1, keepdim=True).clamp(min=1)
        z = x - (x * weight).sum(-1, keepdim=True) / n
        z = z / ((z.square() * weight).sum(-1, keepdim=True) / n).sqrt().clamp(min=1e-6)
        z[:, -1] = 1  # a feature with this one is a feature alone
        rest = (y - (y * weight).sum(-1, keepdim=True) / n) * weight
        nats += torch.bmm(z * rest, z.mT).square() / rest.square().sum(-1, keepdim=True).clamp(min=1e-6) / 2
    return nats.triu(1).amax((-1, -2)) <= _by_chance(torch.tensor(2), math.comb(x.shape[1], 2))


def _by_chance(freedom: Int[Tensor, "*any"], tried: int) -> Float[Tensor, "*any"]:
    """Return how many nats chance gives to the best of so many tried one time in twenty: half a χ².

    By Wilson & Hilferty's approximation (1931).

    >>> _by_chance(torch.tensor([2, 4]), 1)  # 5.99 / 2 and 9.49 / 2 in tables of χ²
    tensor([2.9..., 4.7...])
    """
    z = NormalDist().inv_cdf((1 - LEVEL) ** (1 / tried))
    a = 2 / (9 * freedom)
    return freedom * (1 - a + z * a.sqrt()) ** 3 / 2
