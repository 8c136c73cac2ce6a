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
from typing import TypeAlias

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from polythetic.parity.bits import Bits
from polythetic.parity.sets import SURE, Best, names

Ints: TypeAlias = NDArray[np.int64]
Floats: TypeAlias = NDArray[np.float64]

LOAD = 4  # places in a table for each code
WRONG = 0.1  # labels for which there are tables enough
LOOKED_UP = 10_000  # sets in all tables of a task at most, for each of its rows: more rows are worth more time
ENOUGH = 2000  # rows: more are worth no more time
LONGEST = 5_000_000  # sets in a list: it has to be kept
AT_ONCE = 2**18  # sets of all tasks and tables together
LITTLE = 2**16  # sets of all tasks and tables together, too few to stop half-way
SOME = 12  # tables at a time, after the first
CHECKED = 62  # rows in the word that a collision is checked on
MISMATCH = 0.3  # of them at most
STREAM = 4  # of chance, apart from those of ``refinement`` and ``views``

SHARES = torch.linspace(0, WRONG, 41, dtype=torch.float64)  # of wrong labels
LEFT = math.log(2) + torch.xlogy(SHARES, SHARES) + torch.xlogy(1 - SHARES, 1 - SHARES)  # nats a row of an XOR then


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
    needed = (SURE + names(bits.x.shape[1] - 1)[bits.usable.sum(-1), order]) / bits.n
    return torch.cat([SHARES.new_tensor([-1]), SHARES])[(needed[:, None] <= LEFT).sum(-1)]


def _budget(bits: Bits) -> Int[Tensor, " tasks"]:
    return LOOKED_UP * bits.n.clamp(max=ENOUGH)


class Tables:
    """Tables of the codes of pairs, in which those of sets are looked up; with numpy, whose indexing is the faster.

    Args:
        bits: the tasks.
        size: of the sets, 2 or 3: with the pairs they make sets of up to 4 or 5.
        seed: of chance.
    """

    def __init__(self, bits: Bits, size: int, seed: int):
        places = bits.x.shape[1]
        self.bits, self.pairs, self.sets = bits, _sets(places, 2), _sets(places, size)
        self._seed = (seed, STREAM, size)
        self._values, self._n = np.concatenate([bits.x.mT, bits.y[..., None]], -1), bits.n.numpy()
        everyone = np.arange(len(self._n))
        words = self._codes(everyone, _one_of_each_part(CHECKED + 1, self._seed))
        x, y = words[:, :-1], words[:, -1:]
        pairs = _with_one_more(x, x, 1)
        self._of_sets, self._of_pairs_and_class = pairs if size == 2 else _with_one_more(pairs, x, 2), pairs ^ y
        # A share e of mismatches leaves n (ln 2 − H(e)) nats explained, which is about 2n (½ − e)².
        needed = (SURE + math.log(self.pairs.shape[1])) / self._n
        bearable = CHECKED * (0.53 - np.sqrt(needed / 2)).clip(0.03, MISMATCH)
        # If one class is rare, to guess the other fails on few rows: a set must fail on fewer.
        ones = _ones(y[:, 0])
        self._bearable = np.minimum(bearable, np.minimum(ones, CHECKED - ones) - 0.5)
        self._k = math.ceil(math.log2(LOAD * self.pairs.shape[1]))
        # So many tables have no row in common: if fewer labels are wrong, one of them is without.
        self._apart = (self._n // (self._k + 1)).clip(min=1)
        # Pairs have been gone through, and fours can bear less than threes.
        share = _borne(bits, 5 if size == 3 else 3).numpy()
        wrong = np.floor(share * self._n)
        by_chance = np.ceil(3 / (1 - share) ** (self._k + 1))  # to miss a set one time in e³
        enough = np.where(share < 0, 0, np.where(wrong < self._apart, wrong + 1, by_chance))
        self.enough = torch.from_numpy(enough.astype(np.int64))

    def best(self, best: Best, tables: Int[Tensor, " tasks"], until: float = math.inf) -> Best:
        """Look up in one table, then in others, some at a time, up to so many for each task; until a set will do.

        Where there is little to look up in all, that is done at once: it takes less time than to ask what is left.
        """
        done, some = 0, 1
        if int(tables.sum()) * self.sets.shape[1] <= LITTLE:
            some = max(1, int(tables.max()))
        while done < int(tables.max()) and (not done or time.monotonic() <= until):
            wanted = ~best.enough(self.bits)[:, None] & (tables[:, None] > done + torch.arange(some))
            whose, which = np.nonzero(wanted.numpy())
            if not len(whose):
                break
            rows = self._rows(whose, done + which)
            together = max(1, AT_ONCE // self.sets.shape[1])
            parts = [slice(first, first + together) for first in range(0, len(whose), together)]
            tasks, members = zip(*(self._collisions(whose[part], rows[part]) for part in parts), strict=True)
            best = best.improved(self.bits, *map(torch.from_numpy, (np.concatenate(tasks), np.concatenate(members))))
            done, some = done + some, SOME
        return best

    def _rows(self, whose: Ints, numbers: Ints) -> Floats:
        """Choose the rows of tables by their numbers, so that as many as can be have none in common."""
        rows = np.empty((len(whose), self._k + 1))
        apart = self._apart[whose]
        turns = np.stack([apart, numbers // apart], -1)
        for count, turn in set(map(tuple, turns.tolist())):
            its = (turns == [count, turn]).all(-1)
            rows[its] = _rows(self._k + 1, count, (*self._seed, count, turn))[numbers[its] % count]
        return rows

    def _codes(self, whose: Ints, rows: Floats) -> Ints:
        """Return the bits of some rows of some tasks as numbers, for each place and last for the class.

        All are turned round where the first of them is 1, and then it is left out: a class that is the XOR of some
        features and one that is its opposite have the same code.
        """
        chosen = self._values[whose[:, None], (rows * self._n[whose, None]).astype(np.int64)]
        weights = 2 ** np.arange(rows.shape[1] - 1)
        codes: Ints = ((chosen[:, 1:] ^ chosen[:, :1]) * weights[:, None]).sum(1)
        return codes

    def _collisions(self, whose: Ints, rows: Floats) -> tuple[Ints, Ints]:
        """Return tasks, and sets whose XOR agrees with the class on a few rows, and well enough on others."""
        codes, table = self._codes(whose, rows), np.arange(len(whose))[:, None] << self._k
        x, y = codes[:, :-1], codes[:, -1:]
        codes = _with_one_more(x, x, 1)
        numbers = np.full(len(whose) << self._k, -1, dtype=np.int32)
        numbers[codes | table] = np.arange(codes.shape[1])  # of several pairs of one code, the last
        if len(self.sets) == 3:
            codes = _with_one_more(codes, x, 2)
        marks = numbers.take(codes ^ (y | table), mode="clip").ravel()  # which asks not whether they are in range
        met = np.flatnonzero(marks >= 0)
        of_table, pair = met // codes.shape[1], marks[met]
        task, at = whose[of_table], met - of_table * codes.shape[1]
        mismatches = _ones(self._of_pairs_and_class[task, pair] ^ self._of_sets[task, at])
        near = np.flatnonzero(np.minimum(mismatches, CHECKED - mismatches) <= self._bearable[task])
        return task[near], np.concatenate([self.pairs[:, pair[near]], self.sets[:, at[near]]]).T


@lru_cache(maxsize=2)
def _sets(places: int, size: int) -> Ints:
    """List the sets of so many, by their last member; as the last place is no feature, those of one fewer are there.

    >>> _sets(4, 3).T.tolist()
    [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
    """
    sets = np.arange(places)[None]
    for taken in range(1, size):
        fewer = [math.comb(last, taken) for last in range(places)]  # sets of the places before the last
        before = np.concatenate([sets[:, :count] for count in fewer], 1)
        sets = np.concatenate([before, np.arange(places).repeat(fewer)[None]])
    return sets


def _with_one_more(codes: Ints, x: Ints, taken: int) -> Ints:
    """Return the codes of all sets of one more than so many: each place goes with all sets of those before it.

    >>> x = 2 ** np.arange(4)[None]
    >>> _with_one_more(_with_one_more(x, x, 1), x, 2).tolist()
    [[7, 11, 13, 14]]
    """
    places = x.shape[1]
    ends = [math.comb(last, taken + 1) for last in range(places + 1)]
    more = np.empty((len(x), ends[-1]), dtype=x.dtype)
    for last in range(taken, places):
        its = more[:, ends[last] : ends[last + 1]]
        np.bitwise_xor(codes[:, : its.shape[1]], x[:, last : last + 1], out=its)
    return more


@lru_cache(maxsize=4)
def _one_of_each_part(k: int, seed: tuple[int, ...]) -> Floats:
    """Draw k rows, as shares of their number, one from each of k equal parts; in any order: [1, k]."""
    chance = np.random.default_rng(seed)
    return chance.permutation((np.arange(k) + chance.random(k)) / k)[None]


@lru_cache(maxsize=64)
def _rows(k: int, times: int, seed: tuple[int, ...]) -> Floats:
    """Draw k rows several times, as shares of their number: all of them at equal distances, in any order: [times, k].

    >>> rows = _rows(3, 2, seed=(0,)) * 6  # of six rows, each is drawn once
    >>> sorted(rows.astype(int).flatten().tolist())
    [0, 1, 2, 3, 4, 5]
    """
    chance = np.random.default_rng(seed)
    shares = (np.arange(times * k) + chance.random()) / (times * k)
    return chance.permutation(shares).reshape(times, k)


def _ones(codes: Ints) -> Ints:
    """Count the ones of numbers of up to 62 bits: in pairs of bits, fours, bytes, then all together."""
    codes = codes - (codes >> 1 & 0x5555555555555555)
    codes = (codes & 0x3333333333333333) + (codes >> 2 & 0x3333333333333333)
    return ((codes + (codes >> 4) & 0x0F0F0F0F0F0F0F0F) * 0x0101010101010101) >> 56
