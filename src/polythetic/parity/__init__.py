"""Parity: is the class the XOR of a few bits of many? Found by collisions, in milliseconds (ours; beyond the paper).

On an XOR a climb has little to go by, and one of four among a hundred features often ends elsewhere; to go through all
four million sets takes long. ``tables`` finds it among pairs of pairs. What it finds counts if it explains more of the
class than chance would among so many sets (``sets``), and ends the search if it is all there is to say (``rest``). The
mutual information of a set's XOR and the class, times the rows, is what the set explains: in nats, as the likelihood.
Where that is not all, ``functions`` looks for bits that decide the class otherwise.
"""

from __future__ import annotations

import math
import time
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.parity.bits import Bits
from polythetic.parity.functions import as_function, deciding
from polythetic.parity.rest import is_all
from polythetic.parity.sets import MOST, Best, best_pairs, polished, shared, to_name
from polythetic.parity.tables import affordable, looked_up

MARGIN = 3.0  # nats that an XOR must explain more than any other set, to be all there is to say
AT_ONCE = 2**22  # numbers, of all tasks together


class Parities(NamedTuple):
    """What was found in each task."""

    exhausted: Bool[Tensor, " tasks"]  # all features are bits, and all sets of up to four have been looked up
    certain: Bool[Tensor, " tasks"]  # the class is the XOR of a set, but for a few wrong labels
    nats: Float[Tensor, " tasks"]  # that the best set explains, less those to name it; 0 if that may be chance
    evidence: Float[Tensor, " tasks"]  # what it explains, in what it takes to name it
    scales: Float[Tensor, "tasks F"]  # alike for its features, and 0 for others
    leads: Float[Tensor, "tasks F"]  # the same of the bits that seem to decide the class, by an XOR or otherwise

    @classmethod
    def none(cls, z: Float[Tensor, "tasks n F"]) -> Parities:
        """Say that nothing was looked for."""
        no, zero = z.new_zeros(len(z), dtype=torch.bool), z.new_zeros(len(z))
        return cls(no, no, zero, zero, torch.zeros_like(z[:, 0]), torch.zeros_like(z[:, 0]))

    def of_tasks(self, tasks: Int[Tensor, " some"]) -> Parities:
        """Return what was found in some of the tasks."""
        return Parities(*(part[tasks] for part in self))


def parities(
    z: Float[Tensor, "tasks n F"],
    labels: Int[Tensor, "tasks n"],
    mask: Bool[Tensor, "tasks n"] | None = None,
    seed: int = 0,
    until: float = math.inf,
) -> Parities:
    """Look for up to five features whose XOR is the class, but for some wrong labels; up to some time of the clock.

    And where that is not all there is to say, for up to five that decide the class by any other function.

    >>> x = torch.randint(2, (1, 60, 50), generator=torch.Generator().manual_seed(0)).float()
    >>> found = parities(x, (x[..., 4] + x[..., 8] + x[..., 15] + x[..., 16]).long() % 2)
    >>> found.certain.item(), found.scales[0].nonzero()[:, 0].tolist()
    (True, [4, 8, 15, 16])
    """
    # Whole numbers of a few rows, and tables that are looked up at random: there is nothing here for a graphics card.
    bits = Bits.of(z.cpu(), labels.cpu(), None if mask is None else mask.cpu())
    best = looked_up(bits, best_pairs(bits), seed, until)
    certain, if_best = torch.zeros_like(bits.suited), torch.zeros_like(bits.suited)
    scales = torch.zeros(bits.usable[:, :-1].shape)
    _, places, n = bits.x.shape
    together = AT_ONCE // (places * (places + n) + MOST * 2**MOST * n)
    for tasks in bits.parts(best.sure(), together):
        some = bits.of_tasks(tasks)
        better = polished(some, best.of_tasks(tasks))
        best.members[tasks], best.nats[tasks] = better
        certain[tasks], if_best[tasks] = is_all(some, better.members)
        scales[tasks] = shared(some, better.members)
    nats = best.nats.where(best.sure(), 0)
    names = to_name(bits, torch.arange(len(z)), best.members)
    evidence = ((nats + names) / names).where(nats > 0, 0)
    exhausted = bits.suited & bits.only & affordable(bits) & torch.tensor(time.monotonic() <= until)
    leads = scales.clone()
    other, own = deciding(bits, exhausted & ~certain, Best(best.members, nats)), as_function(bits, best)
    for tasks in bits.parts(other.nats > own.where(nats > 0, 0).clamp(min=0), together):
        leads[tasks] = shared(bits.of_tasks(tasks), other.members[tasks])
    certain |= if_best & exhausted & (own - other.nats > MARGIN)
    told = (nats, evidence, scales, leads)
    return Parities(exhausted.to(z.device), certain.to(z.device), *(part.to(z) for part in told))
