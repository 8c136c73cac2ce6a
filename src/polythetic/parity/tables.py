"""Tables of codes, in which sets of features whose XOR is the class collide.

The bits of k rows are a code of k bits for every feature, and for the class; and the XOR of some features has the XOR
of their codes. If the class is the XOR of a set, then a part of the set, and the class with the rest of it, have the
same code. So the codes of pairs are marked in a table, and those of other pairs, or of threes, with the class are
looked up in it: a set of up to four, or five, is met there, among few that meet by chance, and other rows tell which
it is. Not all of them are needed: with the features in three groups, two of any four are in one of these; in two, three
of any five. To go through all sets of four of a hundred features takes seven thousand steps a table, and not four
million. Wrong labels among the k rows hide a set; then another table is made, of other rows.
"""

from __future__ import annotations

import math
import time
from functools import lru_cache
from itertools import pairwise, product
from typing import TypeAlias

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from polythetic.parity.bits import Bits
from polythetic.parity.sets import SURE, Best, names

Ints: TypeAlias = NDArray[np.int64]

LOAD = 4  # places in a table for each code
WRONG = 0.1  # labels for which there are tables enough
LOOKED_UP = 28  # sets in all tables of a task at most, for each number in it: Relief's time grows like that
ENOUGH = 2000  # rows: more are worth no more time
LONGEST = 5_000_000  # sets in a list: it has to be kept
AT_ONCE, PLACES = 2**17, 2**18  # sets looked up at once, and places in their tables: what caches hold
LITTLE = 2**12  # sets in the first tables, too few to look at one after the other
SOME = 12  # tables at a time, after these
WORD = 62  # rows in a number, at most: those of a code, and others that a collision is checked on
MISMATCH = 0.3  # of the rows a set may fail on, at most
STREAM = 4  # of chance, apart from those of ``refinement`` and ``views``
HALVES = np.kron(np.eye(2), 2.0 ** np.arange(WORD // 2))  # weights of bits: a number has room for half of them

SHARES = torch.linspace(0, WRONG, 41, dtype=torch.float64)  # of wrong labels
LEFT = math.log(2) + torch.xlogy(SHARES, SHARES) + torch.xlogy(1 - SHARES, 1 - SHARES)  # nats a row of an XOR then


def affordable(bits: Bits) -> Bool[Tensor, " tasks"]:
    """Say for which tasks all sets of up to four can be looked up."""
    sets = sets_in(bits.x.shape[1], 2)
    return (_budget(bits) >= sets) & (sets <= LONGEST)


def looked_up(bits: Bits, best: Best, seed: int, until: float) -> Best:
    """Look sets of up to four features up, and those of five, where none is known that will do.

    One table of each first, or a few small ones, which may do if all labels are right; then as many as it takes and
    may be.
    """
    places, left = bits.x.shape[1], _budget(bits)
    most = min(LONGEST, int(left.max()))
    sizes = [size for size in (2, 3) if places >= size + 2 and sets_in(places, size) <= most]
    tables = {size: Tables(bits, size, seed) for size in sizes}
    for at_first, size in product((True, False), sizes):
        sets = sets_in(places, size)
        little = max(1, LITTLE // sets)
        first = 0 if at_first else little
        ends = torch.minimum(first + left // sets, tables[size].enough)
        ends = ends.clamp(max=little) if at_first else ends
        tasks = bits.suited & (ends > first)
        if tasks.any() and (tasks := tasks & ~best.enough(bits)).any() and time.monotonic() <= until:
            best = tables[size].improved(best, tasks, first, ends, until)
            left = left - torch.where(tasks, sets * (ends - first), 0)
    return best


def _borne(bits: Bits, order: int) -> Float[Tensor, " tasks"]:
    """Return the share of wrong labels with which a set of so many bits would still be sure; below 0 if with none."""
    needed = (SURE + names(bits.x.shape[1] - 1)[bits.usable.sum(-1), order]) / bits.n
    return torch.cat([SHARES.new_tensor([-1]), SHARES])[(needed[:, None] <= LEFT).sum(-1)]


def _budget(bits: Bits) -> Int[Tensor, " tasks"]:
    return LOOKED_UP * bits.x.shape[1] * bits.n.clamp(max=ENOUGH)


class Tables:
    """Tables of the codes of pairs, in which those of sets are looked up; with numpy, whose indexing is the faster.

    Args:
        bits: the tasks.
        size: of the sets, 2 or 3: with the pairs they make sets of up to 4 or 5.
        seed: of chance.
    """

    def __init__(self, bits: Bits, size: int, seed: int):
        places = bits.x.shape[1]
        self.bits, self._size = bits, size
        self.held, self.sets = _held(places, size), _sought(places, size)
        self._seed = (seed, STREAM, size)
        self._values, self._n = np.concatenate([bits.x.mT, bits.y[..., None]], -1), bits.n.numpy()
        self._k = math.ceil(math.log2(LOAD * self.held.shape[1]))
        # A share e of mismatches leaves n (ln 2 − H(e)) nats explained, which is about 2n (½ − e)².
        needed = (SURE + math.log(math.comb(places, 2))) / self._n
        self._bearable = (0.53 - np.sqrt(needed / 2)).clip(0.03, MISMATCH)
        # So many tables have no row in common: if fewer labels are wrong, one of them is without.
        self._apart = (self._n // (self._k + 1)).clip(min=1)
        # Pairs have been gone through, and fours can bear less than threes.
        share = _borne(bits, 5 if size == 3 else 3).numpy()
        wrong = np.floor(share * self._n)
        by_chance = np.ceil(3 / (1 - share) ** (self._k + 1))  # to miss a set one time in e³
        enough = np.where(share < 0, 0, np.where(wrong < self._apart, wrong + 1, by_chance))
        self.enough = torch.from_numpy(enough.astype(np.int64))

    def improved(
        self, best: Best, tasks: Bool[Tensor, " tasks"], first: int, ends: Int[Tensor, " tasks"], until: float
    ) -> Best:
        """Look some tasks' sets up in one table after the other, from the first on, until a set will do."""
        together = max(1, min(AT_ONCE // self.sets.shape[1], PLACES >> self._k))
        last = int(ends[tasks].max())
        some = SOME if first else last
        for done in range(first, last, some):
            if done > first:
                tasks = tasks & ~best.enough(self.bits)
            wanted = tasks[:, None] & (ends[:, None] > done + torch.arange(some))
            whose, which = np.nonzero(wanted.numpy())
            parts = [slice(start, start + together) for start in range(0, len(whose), together)]
            found = [self._collisions(whose[p], done + which[p]) for p in parts if time.monotonic() <= until]
            if found:
                all_found = (np.concatenate(part) for part in zip(*found, strict=True))
                best = best.improved(self.bits, *map(torch.from_numpy, all_found))
        return best

    def _words(self, whose: Ints, numbers: Ints) -> Ints:
        """Return the bits of some rows of some tasks as numbers, for each place and last for the class.

        The first k bits are the code of a table, of which there is the number; others are those of as many other rows
        as there are, or fit. All are turned round where the first row is 1, and then it is left out: a class that is
        the XOR of some features and one that is its opposite have the same word.
        """
        rows = np.stack(
            [
                _rows(n, self._k + 1, apart, number, self._seed)
                for n, apart, number in zip(
                    self._n[whose].tolist(), self._apart[whose].tolist(), numbers.tolist(), strict=True
                )
            ]
        )
        chosen = self._values[whose[:, None], rows[:, : self._n.max()]]  # [tables, rows, places + 1]
        weights = HALVES[:, : chosen.shape[1] - 1]
        low, high = (weights @ (chosen[:, 1:] ^ chosen[:, :1])).astype(np.int64).swapaxes(0, 1)
        return low | high << WORD // 2

    def _collisions(self, whose: Ints, numbers: Ints) -> tuple[Ints, Ints]:
        """Return tasks, and sets whose XOR is the class on the rows of a table of theirs, and nearly so on others.

        A table holds, at the code of a pair, its number; of several pairs of one code, that of the last. What is at
        other codes is what was in memory before: a set is compared with that, too, and the few that pass are looked
        at again.
        """
        words, code, table = self._words(whose, numbers), (1 << self._k) - 1, np.arange(len(whose))[:, None]
        held, sets = _parted(words[:, :-1], words[:, -1:], self._size)
        at = np.empty(len(whose) << self._k, dtype=np.int32)
        at[held & code | table << self._k] = np.arange(held.size, dtype=np.int32).reshape(held.shape)
        met = at.take(sets & code | table << self._k, mode="clip")  # which asks not whether they are in range
        mismatches = np.bitwise_count(held.ravel().take(met, mode="clip") ^ sets)
        near = np.flatnonzero(mismatches <= self._most_mismatches(whose, words[:, -1:]))
        of_table, which = np.divmod(near, sets.shape[1])
        by, pair = np.divmod(met.ravel()[near].clip(0, held.size - 1), held.shape[1])
        there = (by == of_table) & ((held[by, pair] ^ sets.ravel()[near]) & code == 0)
        return whose[of_table[there]], np.concatenate([self.held[:, pair[there]], self.sets[:, which[there]]]).T

    def _most_mismatches(self, whose: Ints, y: Ints) -> NDArray[np.int8]:
        """Return on how many of the rows that are in no table's code a set may fail, for each table; −1 is none.

        If one class is rare, to guess the other fails on few rows: a set must fail on fewer.
        """
        n = self._n[whose, None]
        checked = (np.minimum(n, WORD + 1) - self._k - 1).clip(min=0)
        ones = np.bitwise_count(y >> self._k).astype(np.int64)
        bearable = self._bearable[whose, None] * np.where(n <= WORD + 1, n, checked)
        return np.floor(np.minimum(bearable, np.minimum(ones, checked - ones) - 0.5)).astype(np.int8)


def sets_in(places: int, size: int) -> int:
    """Count the sets that are looked up in a table, and those that it holds."""
    within = sum(math.comb(len(group), size) for group in _groups(places, size))
    return math.comb(places, 2) + within


def _groups(places: int, size: int) -> list[range]:
    """Put the places into groups: three for pairs, two for threes.

    Of any four places two are in one of three groups, and of any five three in one of two. So of the pairs that are
    held against each other, or of the threes held against pairs, it is enough to take those within the groups: a third
    of the pairs, a quarter of the threes.
    """
    ends = [round(places * part / (5 - size)) for part in range(6 - size)]
    return [range(*pair) for pair in pairwise(ends)]


@lru_cache(maxsize=8)
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


@lru_cache(maxsize=4)
def _within_groups(places: int, size: int) -> tuple[Ints, Ints]:
    """List the sets within the groups, and say which pair each begins with.

    >>> sets, pair = _within_groups(6, 3)
    >>> sets.T.tolist(), _sets(6, 2).T[pair].tolist()
    ([[0, 1, 2], [3, 4, 5]], [[0, 1], [3, 4]])
    """
    sets = np.concatenate([group.start + _sets(len(group), size) for group in _groups(places, size)], 1)
    return sets, sets[0] + sets[1] * (sets[1] - 1) // 2


def _held(places: int, size: int) -> Ints:
    """List the pairs in a table."""
    return _within_groups(places, 2)[0] if size == 2 else _sets(places, 2)


def _sought(places: int, size: int) -> Ints:
    """List the sets that are looked up in it."""
    return _sets(places, 2) if size == 2 else _within_groups(places, 3)[0]


def _parted(x: Ints, y: Ints, size: int) -> tuple[Ints, Ints]:
    """Return the words of the pairs in each table, and, with the class, those of the sets that are looked up."""
    one, other = _sets(x.shape[1], 2)
    pairs = x.take(one, 1, mode="clip")
    pairs ^= x.take(other, 1, mode="clip")
    sets, pair = _within_groups(x.shape[1], size)
    if size == 2:
        return pairs.take(pair, 1, mode="clip"), pairs ^ y
    threes = pairs.take(pair, 1, mode="clip")
    threes ^= (x ^ y).take(sets[2], 1, mode="clip")
    return pairs, threes


@lru_cache(maxsize=1024)
def _rows(n: int, k: int, apart: int, number: int, seed: tuple[int, ...]) -> Ints:
    """Choose rows of n: first the k of a table, by its number, then others to check what it finds by.

    Of tables that follow each other, so many have no row in common; theirs are at equal distances, in any order. The
    others are all that there are, or, if that is too many, one of each of as many parts as fit. In their place is the
    first row where there are fewer.

    >>> [sorted(_rows(9, 3, 3, number, (0,))[:3].tolist()) for number in range(3)]
    [[2, 4, 7], [1, 5, 8], [0, 3, 6]]
    """
    turn, which = divmod(number, apart)
    chance = np.random.default_rng((*seed, apart, turn))
    shares = chance.permutation((np.arange(apart * k) + chance.random()) / (apart * k))
    its = (shares.reshape(apart, k)[which] * n).astype(np.int64)
    others = np.setdiff1d(np.arange(n), its)
    room = WORD + 1 - k
    if len(others) > room:
        others = others[((np.arange(room) + chance.random(room)) / room * len(others)).astype(np.int64)]
    rows = np.full(WORD + 1, its[0])
    rows[: k + len(others)] = np.concatenate([its, others])
    return rows
