"""Tables of codes, in which sets of features whose XOR is the class collide.

The bits of k rows are a code of k bits for every feature, and for the class; and the XOR of some features has the XOR
of their codes. If the class is the XOR of a set, then a part of the set, and the class with the rest of it, have the
same code. So the codes of all pairs of features are marked in a table, and those of all pairs, or of all threes, with
the class are looked up in it: a set of up to four, or five, is met there, among few that meet by chance, and other rows
tell which it is. To go through all sets of four of a hundred features takes five thousand steps a table, and not four
million. Wrong labels among the k rows hide a set; then another table is made, of other rows.
"""

from __future__ import annotations

import math
import time
from functools import lru_cache

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.belief import naming
from polythetic.parity.bits import Bits
from polythetic.parity.sets import SURE, Best

LOAD = 4  # places in a table for each code
WRONG = 0.1  # labels for which there are tables enough
LOOKED_UP = 10_000  # sets in all tables of a task at most, for each of its rows: more rows are worth more time
ENOUGH = 2000  # rows: more are worth no more time
LONGEST = 5_000_000  # sets in a list: it has to be kept
AT_ONCE = 2**18  # sets of all tasks and tables together
SOME = 8  # tables at a time, after the first
CHECKED = 62  # rows in the word that a collision is checked on
MISMATCH = 0.3  # of them at most
STREAM = 4  # of chance, apart from those of ``refinement`` and ``views``


def affordable(bits: Bits) -> Bool[Tensor, " tasks"]:
    """Say for which tasks all sets of up to four can be looked up."""
    sets = math.comb(bits.x.shape[1], 2)
    return (_budget(bits) >= sets) & (sets <= LONGEST)


def looked_up(bits: Bits, best: Best, seed: int, until: float) -> Best:
    """Look sets of up to four features up, then those of five, where none is known that will do."""
    best = Best(*(part.clone() for part in best))
    left = _budget(bits)
    for size in (2, 3):
        sets = math.comb(bits.x.shape[1], size)
        if not 0 < sets <= LONGEST:
            break
        for tasks in bits.parts(bits.suited & ~best.enough(bits) & (left >= sets), AT_ONCE // sets):
            if time.monotonic() > until:
                return best
            tables = Tables(bits.of_tasks(tasks), size, seed)
            enough = torch.minimum(left[tasks] // sets, tables.enough)
            best.members[tasks], best.nats[tasks] = tables.best(best.of_tasks(tasks), enough, until)
            left[tasks] -= sets * enough
    return best


def _borne(bits: Bits, order: int) -> Float[Tensor, " tasks"]:
    """Return the share of wrong labels with which a set of so many bits would still be sure; below 0 if with none."""
    shares = torch.linspace(0, WRONG, 41)
    leaves = math.log(2) + torch.xlogy(shares, shares) + torch.xlogy(1 - shares, 1 - shares)  # nats a row
    usable = bits.usable.sum(-1).float()
    needed = (SURE + naming(torch.full_like(usable, order), usable)) / bits.n
    return torch.cat([torch.tensor([-1.0]), shares])[(leaves >= needed[:, None]).sum(-1)]


def _budget(bits: Bits) -> Int[Tensor, " tasks"]:
    return LOOKED_UP * bits.n.clamp(max=ENOUGH)


class Tables:
    """Tables of the codes of pairs, in which those of sets are looked up.

    Args:
        bits: the tasks.
        size: of the sets, 2 or 3: with the pairs they make sets of up to 4 or 5.
        seed: of chance.
    """

    def __init__(self, bits: Bits, size: int, seed: int):
        places = bits.x.shape[1]
        self.bits, self.pairs, self.sets = bits, _sets(places, 2), _sets(places, size)
        self._seed = (seed, STREAM, size)
        everyone = torch.arange(len(bits.x))
        x, self._y = _codes(bits, everyone, _one_of_each_part(CHECKED + 1, self._seed))
        self._pairs, self._sets = _codes_of(self.pairs, x), _codes_of(self.sets, x)
        # A share e of mismatches leaves n (ln 2 − H(e)) nats explained, which is about 2n (½ − e)².
        needed = (SURE + math.log(self.pairs.shape[1])) / bits.n
        bearable = CHECKED * (0.53 - (needed / 2).sqrt()).clamp(0.03, MISMATCH)
        # If one class is rare, to guess the other fails on few rows: a set must fail on fewer.
        ones = _ones(self._y[:, 0])
        self._bearable = torch.minimum(bearable, torch.minimum(ones, CHECKED - ones) - 0.5)
        self._k = math.ceil(math.log2(LOAD * self.pairs.shape[1]))
        # So many tables have no row in common: if fewer labels are wrong, one of them is without.
        self._apart = (bits.n // (self._k + 1)).clamp(min=1)
        share = _borne(bits, 5 if size == 3 else 3)  # pairs have been gone through, and fours can bear less than threes
        wrong = (share * bits.n).floor().long()
        by_chance = (3 / (1 - share) ** (self._k + 1)).ceil().long()  # to miss a set one time in e³
        self.enough = torch.where(wrong < self._apart, wrong + 1, by_chance).where(share >= 0, 0)

    def best(self, best: Best, tables: Int[Tensor, " tasks"], until: float = math.inf) -> Best:
        """Look up in one table, then in others, some at a time, up to so many for each task; until a set will do."""
        done, some = 0, 1
        while done < int(tables.max()) and (not done or time.monotonic() <= until):
            wanted = ~best.enough(self.bits)[:, None] & (tables[:, None] > done + torch.arange(some))
            whose, which = wanted.nonzero(as_tuple=True)
            if not len(whose):
                break
            rows = self._rows(whose, done + which)
            found = [
                self._collisions(whose[part], rows[part])
                for part in torch.arange(len(whose)).split(max(1, AT_ONCE // self.sets.shape[1]))
            ]
            tasks, members = (torch.cat(parts) for parts in zip(*found, strict=True))
            best = best.improved(self.bits, tasks, members)
            done, some = done + some, SOME
        return best

    def _rows(self, whose: Int[Tensor, " tables"], numbers: Int[Tensor, " tables"]) -> Float[Tensor, "tables picked"]:
        """Choose the rows of tables by their numbers, so that as many as can be have none in common."""
        rows = torch.empty(len(whose), self._k + 1, dtype=torch.float64)
        apart = self._apart[whose]
        turns = torch.stack([apart, numbers // apart], -1)
        for count, turn in turns.unique(dim=0).tolist():
            its = (turns == turns.new_tensor([count, turn])).all(-1)
            rows[its] = _rows(self._k + 1, count, (*self._seed, count, turn))[numbers[its] % count]
        return rows

    def _collisions(
        self, whose: Int[Tensor, " tables"], rows: Float[Tensor, "tables picked"]
    ) -> tuple[Int[Tensor, " found"], Int[Tensor, "found members"]]:
        """Return tasks, and sets whose XOR agrees with the class on a few rows, and well enough on others."""
        x, y = _codes(self.bits, whose, rows)
        marked = _codes_of(self.pairs, x)
        table = torch.full((len(whose), 2**self._k), -1, dtype=torch.int32)
        numbers = torch.arange(self.pairs.shape[1], dtype=torch.int32)
        table.scatter_reduce_(1, marked, numbers.expand_as(marked), "amax")
        codes = marked if len(self.sets) == len(self.pairs) else _codes_of(self.sets, x)
        marks = table.gather(1, codes ^ y)
        at_table, at = (marks >= 0).nonzero(as_tuple=True)
        pair, task = marks[at_table, at].long(), whose[at_table]
        mismatches = _ones(self._pairs[task, pair] ^ self._sets[task, at] ^ self._y[task, 0])
        near = (torch.minimum(mismatches, CHECKED - mismatches) <= self._bearable[task]).nonzero()[:, 0]
        return task[near], torch.cat([self.pairs[:, pair[near]], self.sets[:, at[near]]]).T


@lru_cache(maxsize=2)
def _sets(places: int, size: int) -> Int[Tensor, "size sets"]:
    """List the sets of so many; as the last place is no feature, those of one fewer are among them.

    >>> _sets(4, 3).T.tolist()
    [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
    """
    sets = torch.arange(places)[None]
    for _ in range(size - 1):
        after = places - 1 - sets[-1]  # each is followed by as many as there are places after its last member
        sets = sets.repeat_interleave(after, 1)
        number = torch.arange(sets.shape[1]) - (after.cumsum(0) - after).repeat_interleave(after)
        sets = torch.cat([sets, sets[-1:] + 1 + number])
    return sets


def _one_of_each_part(k: int, seed: tuple[int, ...]) -> Float[Tensor, "1 k"]:
    """Draw k rows, as shares of their number, one from each of k equal parts; in any order."""
    chance = np.random.default_rng(seed)
    return torch.from_numpy(chance.permutation((np.arange(k) + chance.random(k)) / k))[None]


def _rows(k: int, times: int, seed: tuple[int, ...]) -> Float[Tensor, "times k"]:
    """Draw k rows several times, as shares of their number: all of them at equal distances, in any order.

    >>> rows = _rows(3, 2, seed=(0,)) * 6  # of six rows, each is drawn once
    >>> rows.long().flatten().sort().values.tolist()
    [0, 1, 2, 3, 4, 5]
    """
    chance = np.random.default_rng(seed)
    shares = (np.arange(times * k) + chance.random()) / (times * k)
    return torch.from_numpy(chance.permutation(shares)).view(times, k)


def _codes(
    bits: Bits, tasks: Int[Tensor, " tables"], rows: Float[Tensor, "#tables picked"]
) -> tuple[Int[Tensor, "tables places"], Int[Tensor, "tables 1"]]:
    """Return the bits of some rows of some tasks as numbers, for each feature and for the class.

    All are turned round where the first of them is 1, and then it is left out: a class that is the XOR of some features
    and one that is its opposite have the same code.
    """
    at = (rows * bits.n[tasks, None]).long()
    weights = 2 ** torch.arange(rows.shape[-1] - 1)
    codes = []
    for values in (bits.x, bits.y[:, None]):
        chosen = values[tasks].gather(2, at[:, None].expand(-1, values.shape[1], -1))
        codes.append(((chosen[..., 1:] ^ chosen[..., :1]) * weights).sum(-1))
    return codes[0], codes[1]


def _codes_of(sets: Int[Tensor, "size sets"], x: Int[Tensor, "tables places"]) -> Int[Tensor, "tables sets"]:
    first, *others = (x.index_select(1, column) for column in sets)
    for other in others:
        first ^= other
    return first


def _ones(codes: Int[Tensor, " sets"]) -> Int[Tensor, " sets"]:
    """Count the ones of numbers of up to 62 bits: in pairs of bits, fours, bytes, then all together."""
    codes = codes - (codes >> 1 & 0x5555555555555555)
    codes = (codes & 0x3333333333333333) + (codes >> 2 & 0x3333333333333333)
    return ((codes + (codes >> 4) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56
