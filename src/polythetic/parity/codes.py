"""Codes: sets of features as numbers, which tables hold and look up.

The bits of some rows are one number for every feature; that of a set has the XOR of them. A table is of two such
numbers: one of the rows that make its codes, one of rows that a collision is checked on.

The sets of a table are pairs, held, and others that are looked up among them, with the class. It is enough to hold the
pairs within three groups of the features, as of any four features two are in one of these; or to look up the threes
within two groups, as of any five three are in one of two. All are numbered in the order in which they are made, whole
rows of numbers at a time: that is several times as fast as to fetch them one by one.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Checks: TypeAlias = NDArray[np.uint32]
Numbers: TypeAlias = NDArray[Any]  # either

CHECKED = 32  # rows that a collision is checked on, at most: the bits of such a number
AT_ONCE = 2**16  # sets of a table that are looked up at once: what caches hold


def numbers_of(bits: NDArray[np.bool_], tasks: Ints, rows: Ints, coded: int) -> tuple[Ints, Checks]:
    """Return the code of each column, and its number for checks: of each task the tables of some rows, a line each.

    All are turned round where the first row is 1, and then it is left out: a column and its opposite have the same
    numbers. Rows that are the first again count for nothing.

    A number is a sum of powers of two: so all are one product of matrices, exact as long as none has more than 24 bits.
    The first row takes all of a sum away where it is 1; then what is left is that of the opposite, but for the sign.

    Args:
        bits: of all tasks: tasks × rows × columns.
        tasks: which of them.
        rows: a line a table: one, then those of the code, then those for checks.
        coded: how many a code is of.

    >>> bits = np.array([[[0, 0], [1, 0], [0, 1], [1, 1]]], dtype=bool)
    >>> numbers_of(bits, np.array([0]), np.array([[0, 1, 2, 3], [3, 1, 2, 0]]), coded=2)
    (array([[1, 2],
           [2, 1]]), array([[1, 1],
           [1, 1]], dtype=uint32))
    """
    used, at = np.unique(rows, return_inverse=True)
    first, *parts = np.split(at.reshape(rows.shape), [1, 1 + coded, 1 + coded + CHECKED // 2], axis=1)
    weights, table = np.zeros((3, len(rows), len(used)), dtype=np.float32), np.arange(len(rows))[:, None]
    for its, part in zip(weights, parts, strict=True):
        its[table, part] = 2.0 ** np.arange(part.shape[1])
        its[table, first] = 0
        its[table, first] = -its.sum(1, keepdims=True)
    _, n, columns = bits.shape
    values = bits.reshape(-1, columns).take(tasks[:, None] * n + used, 0).astype(np.float32)
    sums = np.abs(weights[:, None] @ values).reshape(3, -1, columns)
    codes, low, high = sums.astype(np.int64)
    return codes, (low | high << CHECKED // 2).astype(np.uint32)


class Sets(NamedTuple):
    """The sets that a table holds, and those that are looked up in it, a column each."""

    held: Ints
    sought: Ints


def sets_in(places: int, size: int) -> int:
    """Count the sets that are looked up in a table, and those that it holds."""
    within = sum(math.comb(len(group), size) for group in _groups(places, size))
    return math.comb(places, 2) + within


@lru_cache(maxsize=8)
def sets_of(places: int, size: int) -> Sets:
    """List the sets of a table; as the last place is no feature, those of one fewer are there.

    >>> sets_of(4, 3).sought.T.tolist(), sets_of(6, 3).held.shape, sets_of(6, 3).sought.T.tolist()
    ([], (2, 15), [[0, 1, 2], [3, 4, 5]])
    """
    groups = _groups(places, size)
    within = np.concatenate([group.start + _sets(len(group), size) for group in groups], 1)
    if size == 3:
        return Sets(_sets(places, 2), within)
    across = [np.stack([a.ravel() for a in np.meshgrid(*pair, indexing="ij")]) for pair in combinations(groups, 2)]
    return Sets(within, np.concatenate([within, *across], 1))


def held(x: Numbers, size: int) -> Numbers:
    """Return the numbers of the sets that tables hold, of those of the places: a line a table."""
    return _pairs(x, sets_of(x.shape[1], size).held)


def sought(x: Numbers, y: Numbers, pairs: Numbers, size: int) -> Iterator[Numbers]:
    """Yield the numbers of the sets that are looked up, with the class, some at a time.

    Args:
        x: the numbers of the places.
        y: those of the class.
        pairs: those of the sets that the tables hold.
        size: of the sets.
    """
    groups = [x[:, group.start : group.stop] for group in _groups(x.shape[1], size)]
    if size == 2:
        across = [(a[:, :, None] ^ (b ^ y)[:, None]).reshape(len(x), -1) for a, b in combinations(groups, 2)]
        yield np.concatenate([pairs ^ y, *across], 1)
        return
    for group in groups:
        twos, thirds = _pairs(group, _sets(group.shape[1], 2)), group ^ y
        for some in _lasts(group.shape[1]):
            threes = np.empty((len(x), sum(math.comb(last, 2) for last in some)), dtype=x.dtype)
            at = 0
            for last in some:
                fewer = math.comb(last, 2)  # pairs of the places before
                np.bitwise_xor(twos[:, :fewer], thirds[:, last, None], out=threes[:, at : at + fewer])
                at += fewer
            yield threes


def _pairs(x: Numbers, pairs: Ints) -> Numbers:
    one, other = (x.take(members, 1, mode="clip") for members in pairs)  # clip asks no questions
    one ^= other
    return one


def _groups(places: int, size: int) -> list[range]:
    """Put the places into groups: three for pairs, two for threes."""
    ends = [round(places * part / (5 - size)) for part in range(6 - size)]
    return [range(*pair) for pair in pairwise(ends)]


@lru_cache(maxsize=16)
def _sets(places: int, size: int) -> Ints:
    """List the sets of so many places, by their last member.

    >>> _sets(4, 3).T.tolist()
    [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
    """
    sets = np.arange(places)[None]
    for taken in range(1, size):
        fewer = [math.comb(last, taken) for last in range(places)]  # sets of the places before the last
        before = np.concatenate([sets[:, :count] for count in fewer], 1)
        sets = np.concatenate([before, np.arange(places).repeat(fewer)[None]])
    return sets


@lru_cache(maxsize=16)
def _lasts(places: int) -> list[list[int]]:
    """Part the last members of threes, so that not too many threes are made at once."""
    parts: list[list[int]] = [[]]
    room = AT_ONCE
    for last in range(2, places):
        if room < math.comb(last, 2) and parts[-1]:
            parts.append([])
            room = AT_ONCE
        parts[-1].append(last)
        room -= math.comb(last, 2)
    return [part for part in parts if part]
