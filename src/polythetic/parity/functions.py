"""Functions: which few bits decide the class, whatever function of them it is? (Ours; beyond the paper.)

The values of k bits put the rows into 2^k cells. If the class is a function of the bits, each cell is of one class, but
for wrong labels. How likely the classes are, cell by cell, if any share of ones is as likely as any other, is known:
Π B(n₁ + 1, n₀ + 1) (Cooper & Herskovits, A Bayesian Method for the Induction of Probabilistic Networks from Data, 1992).
Its logarithm, less that of all rows in one cell, is what the set explains, in nats; and it has its price for cells that
are empty or mixed, so that a bit that tells nothing makes a set worse.

Pairs are compared by what their bits, and the XOR of these, have to do with the class. The best of them grow, bit by bit.
"""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.parity.bits import Bits
from polythetic.parity.sets import MOST, Best, to_name

KEPT = 8  # sets that grow
AT_ONCE = 2**22  # numbers, of all tasks together


def deciding(bits: Bits, which: Bool[Tensor, " tasks"]) -> Best:
    """Look for up to five bits that decide the class of some tasks, and say how many nats they explain.

    >>> x = torch.randint(2, (1, 60, 20), generator=torch.Generator().manual_seed(0)).float()
    >>> majority = (x[..., 4] + x[..., 8] + x[..., 15] > 1).long()
    >>> best = deciding(Bits.of(x, majority, None), torch.tensor([True]))
    >>> best.members.sort().values.tolist()  # 20, of 0 to 19, is no feature
    [[4, 8, 15, 20, 20]]
    """
    best = Best.none(bits)
    _, places, n = bits.x.shape
    for tasks in bits.parts(which, AT_ONCE // (places * (places + n) + KEPT * 2**MOST * (places + n))):
        best.members[tasks], best.nats[tasks] = _grown(bits.of_tasks(tasks))
    return best


def _grown(bits: Bits) -> Best:
    """Grow sets from pairs, a bit at a time, and return the best of any size."""
    T, places, n = bits.x.shape
    everyone = torch.arange(T)
    x, there, y = bits.x.float() * bits.there[:, None], bits.there.float(), (bits.y & bits.there).float()
    log_factorial = torch.lgamma(torch.arange(n + 2).float() + 1)

    def likely(ones: Tensor, all_: Tensor) -> Tensor:
        """Return ln B(ones + 1, zeros + 1)."""
        ones, all_ = ones.long(), all_.long()
        return log_factorial[ones] + log_factorial[all_ - ones] - log_factorial[all_ + 1]

    def improved(best: Best, sets: Tensor, nats: Tensor) -> Best:
        filled = torch.nn.functional.pad(sets, (0, MOST - sets.shape[-1]), value=places - 1)
        whose = everyone.repeat_interleave(sets.shape[1])
        net = (nats - to_name(bits, whose, filled.flatten(0, 1)).view_as(nats)).double()
        most, first = net.max(-1)
        better = most > best.nats
        return Best(
            torch.where(better[:, None], filled[everyone, first], best.members), torch.where(better, most, best.nats)
        )

    blind = likely(y.sum(-1), there.sum(-1))[:, None]
    sets = _pairs(bits)
    cells = _cells(x, there, sets)
    of_class = cells * y[:, None, None]
    nats = likely(of_class.sum(-1), cells.sum(-1)).sum(-1) - blind
    best = improved(Best.none(bits), sets, nats)
    while sets.shape[-1] < MOST:
        ones, all_ = of_class.sum(-1)[..., None], cells.sum(-1)[..., None]
        shape = (*cells.shape[:3], places)
        inner_ones, inner = (torch.bmm(part.flatten(1, 2), x.mT).view(shape) for part in (of_class, cells))
        grown = (likely(inner_ones, inner) + likely(ones - inner_ones, all_ - inner)).sum(2) - blind[..., None]
        grown = grown.masked_fill(~bits.usable[:, None], -torch.inf).scatter(2, sets, -torch.inf)
        sets, nats = _largest(sets, grown)
        cells = _cells(x, there, sets)
        of_class = cells * y[:, None, None]
        best = improved(best, sets, nats)
    return best


def _pairs(bits: Bits) -> Int[Tensor, "tasks kept 2"]:
    """Return the pairs that have most to do with the class: c₁² + c₂² + c₁₂², of their correlations with it.

    The last place is no feature, so that a pair with it is a feature alone.
    """
    there, n = bits.there.float(), bits.n[:, None]
    y = bits.y.float()
    y = (y - (y * there).sum(-1, keepdim=True) / n) * there
    x = bits.x.float()
    z = (x - (x * there[:, None]).sum(-1, keepdim=True) / n[..., None]) * there[:, None]
    z = z / (z.square().sum(-1, keepdim=True) / n[..., None]).sqrt().clamp(min=1e-6)
    alone = torch.bmm(z, y[..., None])[..., 0].square()
    energy = torch.bmm(z * y[:, None], z.mT).square() + alone[:, :, None] + alone[:, None, :]
    places = bits.x.shape[1]
    order = energy.masked_fill(~torch.ones(places, places, dtype=torch.bool).triu(1), -1).flatten(1)
    pairs = order.topk(min(KEPT, places * (places - 1) // 2)).indices
    return torch.stack([pairs // places, pairs % places], -1)


def _cells(
    x: Float[Tensor, "tasks places n"], there: Float[Tensor, "tasks n"], sets: Int[Tensor, "tasks kept size"]
) -> Float[Tensor, "tasks kept cells n"]:
    """Say with a 1 which rows are in which cell."""
    own = x[torch.arange(len(x))[:, None, None], sets]
    cells = there[:, None, None].expand(*sets.shape[:2], 1, -1)
    for bit in own.unbind(2):
        inside = cells * bit[:, :, None]
        cells = torch.cat([inside, cells - inside], 2)
    return cells


def _largest(
    sets: Int[Tensor, "tasks kept size"], grown: Float[Tensor, "tasks kept places"]
) -> tuple[Int[Tensor, "tasks kept larger"], Float[Tensor, "tasks kept"]]:
    """Return the best of the sets with one more bit each, and what they explain; a set that is met twice counts once."""
    places = grown.shape[-1]
    nats, at = grown.flatten(1).topk(min(sets.shape[-1] * 2 * KEPT, grown[0].numel()))
    larger = torch.cat([sets.gather(1, (at // places)[..., None].expand(-1, -1, sets.shape[-1])), at[..., None] % places], -1)
    names = (larger.sort(-1).values * places ** torch.arange(larger.shape[-1])).sum(-1)
    met = (names[:, :, None] == names[:, None, :]).tril(-1).any(-1)
    nats, at = nats.masked_fill(met, -torch.inf).topk(min(KEPT, nats.shape[1]))
    return larger.gather(1, at[..., None].expand(-1, -1, larger.shape[-1])), nats
