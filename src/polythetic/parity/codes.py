"""Codes: sets of features as numbers, which tables hold and look up.

Of some rows, a word has the bits of a feature, or the XOR of those of a set: in its low half those of the rows that
make a table's code, in its high half those of rows that a collision is checked on.

The sets of a table are pairs, held, and others that are looked up among them, with the class. It is enough to hold the
pairs within three groups of the features, as of any four features two are in one of these; or to look up the threes
within two groups, as of any five three are in one of two. All are numbered in the order in which they are made, whole
rows of numbers at a time: that is several times as fast as to fetch them one by one.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ints: TypeAlias = NDArray[np.int64]
Checks: TypeAlias = NDArray[np.int32]

HALF = 32  # bits of a word; the last of a half is left free, as it is that of the sign
CODE = (1 << HALF - 1) - 1
AT_ONCE = 2**16  # sets of a table that are looked up at once: what caches hold


def checks(words: Ints) -> Checks:
    """Return the high halves of words, where they stand.

    >>> checks(np.array([[7 << 32 | 5, 3]])).tolist()
    [[7, 0]]
    """
    return words.view(np.int32)[..., sys.byteorder == "little" :: 2]


def words_of(bits: NDArray[np.bool_], low: int) -> Ints:
    """Turn rows of bits into words, a column each: so many rows are the low half, the others the high one.

    >>> words_of(np.array([[[1, 0], [0, 0], [1, 1]]], dtype=bool), low=2).tolist()
    [[4294967297, 4294967296]]
    """
    weights = np.zeros((2, bits.shape[-2]))
    weights[0, :low], weights[1, low:] = (2.0 ** np.arange(rows) for rows in (low, bits.shape[-2] - low))
    halves = (weights @ bits).astype(np.int64)
    return halves[:, 0] | halves[:, 1] << HALF


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


def held(x: Ints, size: int) -> Ints:
    """Return the words of the sets that tables hold, of those of the places: a line a table."""
    one, other = sets_of(x.shape[1], size).held
    pairs = x.take(one, 1, mode="clip")
    pairs ^= x.take(other, 1, mode="clip")
    return pairs


def sought(x: Ints, y: Ints, pairs: Ints, size: int) -> Iterator[tuple[int, Ints]]:
    """Yield the words of the sets that are looked up, with the class, some at a time, and the number of the first.

    Args:
        x: the words of the places.
        y: those of the class.
        pairs: those of the sets that the tables hold.
        size: of the sets.
    """
    groups = [x[:, group.start : group.stop] for group in _groups(x.shape[1], size)]
    if size == 2:
        across = [(a[:, :, None] ^ (b ^ y)[:, None]).reshape(len(x), -1) for a, b in combinations(groups, 2)]
        yield 0, np.concatenate([pairs ^ y, *across], 1)
        return
    first = 0
    for group in groups:
        one, other = _sets(group.shape[1], 2)
        twos, thirds = group.take(one, 1, mode="clip"), group ^ y
        twos ^= group.take(other, 1, mode="clip")
        for some in _lasts(group.shape[1]):
            threes = np.empty((len(x), sum(math.comb(last, 2) for last in some)), dtype=np.int64)
            at = 0
            for last in some:
                fewer = math.comb(last, 2)  # pairs of the places before
                np.bitwise_xor(twos[:, :fewer], thirds[:, last, None], out=threes[:, at : at + fewer])
                at += fewer
            yield first, threes
            first += at


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
