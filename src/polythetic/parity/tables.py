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
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import product
from typing import TypeAlias

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from polythetic.parity.bits import Bits
from polythetic.parity.codes import CHECKED, Checks, Ints, Numbers, held, numbers_of, sets_in, sets_of, sought
from polythetic.parity.sets import SURE, Best, names

Part: TypeAlias = tuple[Ints, Sequence[int]]  # tasks, and the numbers of tables that each of them has

LOAD = 4  # places in a table for each code
WRONG = 0.1  # labels for which there are tables enough
LOOKED_UP = 28  # sets in all tables of a task at most, for each number in it: Relief's time grows like that
ENOUGH = 2000  # rows: more are worth no more time
LONGEST = 5_000_000  # sets in a list: it has to be kept
AT_ONCE, PLACES = 2**19, 2**18  # sets looked up at once, and places in their tables: what caches hold
LITTLE = 2**12  # sets in the first tables, too few to look at one after the other
SOME = 4  # tables at a time, after these
SPREAD = 64  # rows from all over, that what is near is looked at on
MISMATCH = 0.3  # of the rows a set may fail on, at most
STREAM = 4  # of chance, apart from those of ``refinement`` and ``views``

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
        self.sets = sets_of(places, size)
        self._seed = (seed, STREAM, size)
        self._values = torch.cat([bits.x.mT, bits.y[..., None]], -1).contiguous().numpy()
        self._n = bits.n.numpy()
        self._k = math.ceil(math.log2(LOAD * self.sets.held.shape[1]))
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
        last = int(ends[tasks].max())
        some = SOME if first else last
        for done in range(first, last, some):
            if done > first:
                tasks = tasks & ~best.enough(self.bits)
            parts = self._parts(tasks, done, ends.clamp(max=done + some))
            found = [self._collisions(*part) for part in parts if time.monotonic() <= until]
            if found:
                all_found = (np.concatenate(part) for part in zip(*found, strict=True))
                best = best.improved(self.bits, *map(torch.from_numpy, all_found))
        return best

    def _parts(self, tasks: Bool[Tensor, " tasks"], first: int, ends: Int[Tensor, " tasks"]) -> Iterator[Part]:
        """Put the tables that some tasks have, from the first to an end each, into parts: what caches hold at once.

        Tables of one number are of the same rows if the tasks have as many.
        """
        together = max(1, min(AT_ONCE // self.sets.sought.shape[1], PLACES >> self._k))
        alike: dict[tuple[int, int], list[int]] = {}
        for task in tasks.nonzero()[:, 0].tolist():
            alike.setdefault((int(self._n[task]), int(ends[task])), []).append(task)
        for (_, end), whose in alike.items():
            for start in range(first, end, together):
                numbers = range(start, min(start + together, end))
                several = together // len(numbers)
                yield from ((np.array(whose[at : at + several]), numbers) for at in range(0, len(whose), several))

    def _collisions(self, tasks: Ints, numbers: Sequence[int]) -> tuple[Ints, Ints]:
        """Return tasks, and sets whose XOR is the class on the rows of a table of theirs, and nearly so on others.

        A table holds, at the code of a pair, its number for checks, and which it is; of several pairs of one code,
        those of the last. What is at other codes is what was in memory before: a set is compared with that, too, and
        the few that pass are looked at again.
        """
        n, apart = (int(part[tasks[0]]) for part in (self._n, self._apart))
        rows = np.stack([_rows(n, self._k + 1, apart, number, self._seed) for number in numbers])
        codes, checks = numbers_of(self._values, tasks, rows, self._k)
        whose = tasks.repeat(len(numbers))
        table = np.arange(len(whose))[:, None] << self._k  # one after the other
        x: list[Numbers] = [codes[:, :-1], checks[:, :-1]]
        y: list[Numbers] = [codes[:, -1:] | table, checks[:, -1:]]
        pairs = [held(part, self._size) for part in x]
        at = pairs[0] | table
        seen, number = (np.empty(len(whose) << self._k, dtype) for dtype in (np.uint32, np.int32))
        seen[at], number[at] = pairs[1], np.arange(at.size, dtype=np.int32).reshape(at.shape)
        most = self._most_mismatches(whose, checks[:, -1:])
        met_by, members, first = [], [], 0
        both = (sought(*part, self._size) for part in zip(x, y, pairs, strict=True))
        for sets, told in zip(*both, strict=True):
            mismatches = np.bitwise_count(seen.take(sets, mode="clip") ^ told)  # clip asks no questions
            near = np.flatnonzero(mismatches <= most)
            of_table, which = np.divmod(near, sets.shape[1])
            by = number[sets.ravel()[near]].clip(0, at.size - 1)
            there = at.ravel()[by] == sets.ravel()[near]
            met_by.append(whose[of_table[there]])
            met = self.sets.held[:, by[there] % at.shape[1]], self.sets.sought[:, first + which[there]]
            members.append(np.concatenate(met))
            first += sets.shape[1]
        return self._on_all_rows(np.concatenate(met_by), np.concatenate(members, 1))

    def _on_all_rows(self, tasks: Ints, members: Ints) -> tuple[Ints, Ints]:
        """Keep the sets, a column each, whose XOR is nearly the class, or its opposite, on rows from all over."""
        all_looked_at = self._n <= self._k + 1 + CHECKED
        if not all_looked_at.all():
            told = np.bitwise_xor.reduce(self._spread[tasks, members], 0) ^ self._spread[tasks, -1]
            mismatches = np.bitwise_count(told)
            near = np.minimum(mismatches, SPREAD - mismatches) <= SPREAD * self._bearable[tasks]
            near |= all_looked_at[tasks]
            tasks, members = tasks[near], members[:, near]
        return tasks, members.T

    @cached_property
    def _spread(self) -> NDArray[np.uint64]:
        """The bits of rows from all over, as a number for every task and place."""
        some = ((np.arange(SPREAD) + 0.5) / SPREAD * self._n[:, None]).astype(np.int64)
        packed = np.packbits(self._values[np.arange(len(some))[:, None], some], axis=1)
        return np.ascontiguousarray(packed.swapaxes(1, 2)).view(np.uint64)[..., 0]

    def _most_mismatches(self, whose: Ints, y: Checks) -> NDArray[np.int8]:
        """Return on how many of the rows that are in no table's code a set may fail, for each table; −1 is none.

        If one class is rare, to guess the other fails on few rows: a set must fail on fewer.
        """
        n = self._n[whose, None]
        rows = (n - self._k - 1).clip(0, CHECKED)
        ones = np.bitwise_count(y).astype(np.int64)
        bearable = self._bearable[whose, None] * np.where(n - self._k - 1 <= CHECKED, n, rows)
        return np.floor(np.minimum(bearable, np.minimum(ones, rows - ones) - 0.5)).astype(np.int8)


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
    if len(others) > CHECKED:
        parts = (np.arange(CHECKED) + chance.random(CHECKED)) / CHECKED
        others = others[(parts * len(others)).astype(np.int64)]
    rows = np.full(k + CHECKED, its[0])
    rows[: k + len(others)] = np.concatenate([its, others])
    return rows
