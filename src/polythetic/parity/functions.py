"""Functions: which few bits is the class a function of, whatever the function? Found by growing sets (ours).

The values of k bits put the rows into 2^k cells. If the class is a function of the bits, each cell is of one class, but
for wrong labels. How likely the classes are, cell by cell, if any share of ones is as likely as any other, is known:
Π B(n₁ + 1, n₀ + 1), by Cooper & Herskovits, A Bayesian Method for the Induction of Probabilistic Networks from Data,
1992. Its logarithm, less that of all rows in one cell, is what the set explains, in nats; each cell has its price, so
that a bit that tells nothing makes a set worse.

Pairs are compared by what their bits, and the XOR of these, have to do with the class. The best grow, bit by bit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import pad

from polythetic.parity.bits import Bits
from polythetic.parity.sets import MOST, Best, greatest, names, to_name

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float32]

KEPT = 8  # sets that grow
FEW_ROWS = 500  # for which all that may be in a cell is listed
AT_ONCE = 2**22  # numbers, of all tasks together


def deciding(bits: Bits, which: Bool[Tensor, " tasks"], known: Best) -> Best:
    """Look for up to five bits that decide the class of some tasks, others than known, and how many nats they explain.

    Args:
        bits: the tasks.
        which: of them to look at.
        known: sets whose XOR is a part of the pattern, as far as there are any: it may take one more bit to be all.

    >>> x = torch.randint(2, (1, 60, 20), generator=torch.Generator().manual_seed(0)).float()
    >>> bits = Bits.of(x, (x[..., 4] + x[..., 8] + x[..., 15] > 1).long(), None)  # a majority
    >>> best = deciding(bits, torch.tensor([True]), Best.none(bits))
    >>> best.members.sort().values.tolist()  # 20, of 0 to 19, is no feature
    [[4, 8, 15, 20, 20]]
    """
    best = Best.none(bits)
    _, places, n = bits.x.shape
    for tasks in bits.parts(which, AT_ONCE // (places * (places + n) + KEPT * 2**MOST * (places + n))):
        best.members[tasks], best.nats[tasks] = _grown(bits.of_tasks(tasks), known.of_tasks(tasks))
    return best


def as_function(bits: Bits, sets: Best) -> Float[Tensor, " tasks"]:
    """Return how many nats the XOR of each set explains by the same measure: its two values are two cells."""
    everyone = torch.arange(len(bits.x))
    told, likely = bits.xor(everyone, sets.members), _Likely(bits)
    halves = torch.stack([told, ~told], 1) * likely.weights[:, None]
    return likely(halves.sum(-1)).sum(-1) - likely(likely.weights.sum(-1)) - to_name(bits, everyone, sets.members)


def _grown(bits: Bits, known: Best) -> Best:
    """Grow sets from pairs, a bit at a time, and the known ones by a bit; return the best of any size."""
    none, whole = bits.x.shape[1] - 1, bits.there.float()[:, None, None]
    sets = _cancelled(known.members.where((known.nats > 0)[:, None], none), none)[:, None]
    measure, best = _Measure(bits, sets), Best.none(bits)
    nats, bit = measure.with_one_more(measure.cut(whole, sets), sets).max(-1)
    room = sets[..., -1] == none  # which comes last
    best = measure.better(best, torch.cat([sets[..., :-1], bit[..., None]], -1), nats.where(room, -torch.inf))

    sets = _pairs(bits)
    cells = measure.cut(whole.expand(-1, sets.shape[1], -1, -1), sets)
    nats = measure.explained(cells)
    best = measure.better(best, sets, nats)
    while sets.shape[-1] < MOST - 1:
        grown = measure.with_one_more(cells, sets).masked_fill(nats[..., None] == -torch.inf, -torch.inf)
        sets, nats, parents = _largest(sets, grown)
        best = measure.better(best, sets, nats)
        cells = measure.cut(cells.gather(1, parents[..., None, None].expand(-1, -1, *cells.shape[2:])), sets[..., -1:])
    return measure.better(best, *_last_grown(bits, measure, best, cells, sets, nats))


def _last_grown(
    bits: Bits,
    measure: _Measure,
    best: Best,
    cells: Float[Tensor, "tasks kept cells n"],
    sets: Int[Tensor, "tasks kept size"],
    nats: Float[Tensor, "tasks kept"],
) -> tuple[Int[Tensor, "tasks kept larger"], Float[Tensor, "tasks kept"]]:
    """Give each set, if it may become the best, the bit that is best for it; from few rows, most may not."""
    may = (measure.at_most(cells) - measure.to_name(sets.shape[-1] + 1) > best.nats[:, None]) & (nats > -torch.inf)
    bit, larger = torch.zeros_like(sets[..., 0]), torch.full_like(nats, -torch.inf)
    if may.all():
        larger, bit = measure.with_one_more(cells, sets).max(-1)
    elif may.any():
        tasks = may.nonzero()[:, 0]  # as many times each as it has such sets
        of_them = _Measure(bits.of_tasks(tasks), measure.but_for[tasks])
        grown = of_them.with_one_more(cells[may][:, None], sets[may][:, None])
        larger[may], bit[may] = grown[:, 0].max(-1)
    return torch.cat([sets, bit[..., None]], -1), larger


def _cancelled(members: Int[Tensor, "tasks most"], none: int) -> Int[Tensor, "tasks most"]:
    """Sort members, and leave out those that are named twice, which are in no XOR.

    >>> _cancelled(torch.tensor([[7, 0, 7, 1, 2]]), none=9)
    tensor([[0, 1, 2, 9, 9]])
    """
    members = members.sort(-1).values
    twice = members[:, 1:] == members[:, :-1]
    return members.masked_fill(pad(twice, (1, 0)) | pad(twice, (0, 1)), none).sort(-1).values


class _Measure:
    """What sets of the bits of some tasks explain, but for some that count for nothing.

    A 1 in a cell says that a row is there.
    """

    def __init__(self, bits: Bits, but_for: Int[Tensor, "tasks 1 most"]):
        self.but_for = but_for
        self._likely = _Likely(bits)
        self._x = bits.x.to(self._likely.weights)
        self._weighed = self._x * self._likely.weights[:, None]
        self._weighed[:, -1] = self._likely.weights  # what is no feature leaves no row out
        self._blind = self._likely(self._likely.weights.sum(-1))[:, None]
        self._usable = bits.usable[:, None]
        self._names = names(bits.x.shape[1] - 1)[bits.usable.sum(-1)]  # by the size of a set

    def cut(
        self, cells: Float[Tensor, "tasks kept cells n"], sets: Int[Tensor, "tasks kept size"]
    ) -> Float[Tensor, "tasks kept more n"]:
        """Cut cells in two by each of some bits."""
        for bit in sets.unbind(-1):
            inside = cells * self._x[torch.arange(len(bit))[:, None], bit][:, :, None]
            cells = torch.cat([inside, cells - inside], 2)
        return cells

    def explained(self, cells: Float[Tensor, "tasks kept cells n"]) -> Float[Tensor, "tasks kept"]:
        """Return how many nats of the classes are explained by cells."""
        return self._likely(self._weigh(cells)).sum(-1) - self._blind

    def at_most(self, cells: Float[Tensor, "tasks kept cells n"]) -> Float[Tensor, "tasks kept"]:
        """Return how many are if each cell is cut in two by its class: no bit does better."""
        return self._likely.if_cut_by_class(self._weigh(cells)).sum(-1) - self._blind

    def with_one_more(
        self, cells: Float[Tensor, "tasks kept cells n"], sets: Int[Tensor, "tasks kept size"]
    ) -> Float[Tensor, "tasks kept places"]:
        """Return how many are if each cell is cut in two by any further bit."""
        inside = torch.bmm(cells.flatten(1, 2), self._weighed.mT).view(*cells.shape[:3], -1)
        nats = (self._likely(inside) + self._likely(inside[..., -1:] - inside)).sum(2)
        nats = nats - self._blind[..., None]
        return nats.masked_fill(~self._usable, -torch.inf).scatter(2, sets, -torch.inf)

    def to_name(self, size: int) -> Float[Tensor, "tasks 1"]:
        """Return how many nats it takes to say which set of a size it is."""
        return self._names[:, size, None]

    def _weigh(self, cells: Float[Tensor, "tasks kept cells n"]) -> Float[Tensor, "tasks kept cells"]:
        return torch.bmm(cells.flatten(1, 2), self._weighed[:, -1, :, None]).view(cells.shape[:3])

    def better(self, best: Best, sets: Int[Tensor, "tasks kept size"], nats: Float[Tensor, "tasks kept"]) -> Best:
        """Take the set that explains most beyond what it takes to name it, if it is better."""
        none, everyone = self._x.shape[1] - 1, torch.arange(len(sets))
        sets = pad(sets, (0, MOST - sets.shape[-1]), value=none).sort(-1).values
        nats = nats.masked_fill((sets == self.but_for).all(-1), -torch.inf)
        net, first = (nats - self._names.gather(1, (sets < none).sum(-1))).max(-1)
        better, members = net > best.nats, sets[everyone, first]
        return Best(members.where(better[:, None], best.members), net.double().where(better, best.nats))


class _Likely:
    """How likely the classes of cells are: ln B(n₁ + 1, n₀ + 1), looked up; with numpy, several times as fast.

    A cell is known by the sum of the weights of its rows, which says how many there are, and how many of them are ones.
    """

    def __init__(self, bits: Bits):
        self._most = bits.x.shape[-1]
        exact = torch.float32 if (self._most + 1) ** 2 < 2**24 else torch.float64
        self.weights = ((self._most + 1) * bits.y.to(exact) + 1) * bits.there

    def __call__(self, cells: Float[Tensor, "*any"]) -> Float[Tensor, "*any"]:
        return self._looked_up(cells, _of_cells)

    def if_cut_by_class(self, cells: Float[Tensor, "*any"]) -> Float[Tensor, "*any"]:
        """Say it of the two cells that each would be if a bit told its classes apart."""
        return self._looked_up(cells, _of_halves)

    def _looked_up(
        self, cells: Float[Tensor, "*any"], of: Callable[[Ints, Ints, int], Floats]
    ) -> Float[Tensor, "*any"]:
        number = cells.numpy().astype(np.int64)
        if self._most <= FEW_ROWS:
            return torch.from_numpy(_of_all_cells(self._most, of).take(number, mode="clip"))
        return torch.from_numpy(of(*np.divmod(number, self._most + 1), self._most))


@lru_cache(maxsize=8)
def _of_all_cells(most: int, of: Callable[[Ints, Ints, int], Floats]) -> Floats:
    return of(*np.divmod(np.arange((most + 1) ** 2), most + 1), most)


def _of_cells(ones: Ints, rows: Ints, most: int) -> Floats:
    log_factorial = torch.lgamma(torch.arange(most + 2).float() + 1).numpy()
    likely: Floats = log_factorial.take(ones)
    likely += log_factorial.take(rows - ones, mode="clip")
    likely -= log_factorial.take(rows + 1)
    return likely


def _of_halves(ones: Ints, rows: Ints, most: int) -> Floats:
    log = np.log(np.arange(most + 2, dtype=np.float32) + 1)
    likely: Floats = -log.take(ones)
    likely -= log.take(rows - ones, mode="clip")
    return likely


def _pairs(bits: Bits) -> Int[Tensor, "tasks kept 2"]:
    """Return the pairs that have most to do with the class: c₁² + c₂² + c₁₂², of their correlations with it."""
    there, n = bits.there.float(), bits.n[:, None]
    y = bits.y.float()
    y = (y - (y * there).sum(-1, keepdim=True) / n) * there
    x = bits.x.float()
    z = (x - (x * there[:, None]).sum(-1, keepdim=True) / n[..., None]) * there[:, None]
    z = z / (z.square().sum(-1, keepdim=True) / n[..., None]).sqrt().clamp(min=1e-6)
    alone = torch.bmm(z, y[..., None])[..., 0].square()
    energy = torch.bmm(z * y[:, None], z.mT).square_().add_(alone[:, :, None]).add_(alone[:, None, :])
    pairs = greatest(energy, KEPT)
    # With what is always the same a feature is alone, as with the last place.
    usable = bits.usable[torch.arange(len(pairs))[:, None, None], pairs]
    return pairs.where(usable, bits.x.shape[1] - 1)


def _largest(
    sets: Int[Tensor, "tasks kept size"], grown: Float[Tensor, "tasks kept places"]
) -> tuple[Int[Tensor, "tasks best larger"], Float[Tensor, "tasks best"], Int[Tensor, "tasks best"]]:
    """Return the best of the sets with one more bit each, what they explain, and which they grew from.

    A set that is met twice counts once.
    """
    places, size = grown.shape[-1], sets.shape[-1]
    nats, at = grown.flatten(1).topk(min(2 * size * KEPT, grown[0].numel()))
    parents, bit = at // places, at % places
    larger = torch.cat([sets.gather(1, parents[..., None].expand(-1, -1, size)), bit[..., None]], -1)
    names = (larger.sort(-1).values * places ** torch.arange(size + 1)).sum(-1)
    met = (names[:, :, None] == names[:, None, :]).tril(-1).any(-1)
    nats, at = nats.masked_fill(met, -torch.inf).topk(min(KEPT, nats.shape[1]))
    return larger.gather(1, at[..., None].expand(-1, -1, size + 1)), nats, parents.gather(1, at)
