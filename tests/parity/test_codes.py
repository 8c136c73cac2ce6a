"""Codes are of all the sets that are needed, in the order in which these are listed."""

import math
from itertools import combinations

import numpy as np
import pytest

from polythetic.parity import codes
from polythetic.parity.codes import CHECKED, held, numbers_of, sets_in, sets_of, sought


def test__numbers_of__rows__are_their_bits_turned_round_where_the_first_is_one():
    chance = np.random.default_rng(0)
    bits = chance.integers(2, size=(4, 60, 9)).astype(bool)
    tasks, rows = np.array([3, 1]), np.stack([chance.permutation(60)[: 24 + CHECKED] for _ in range(5)])
    rows[0, -3:] = rows[0, 0]  # which count for nothing
    found = numbers_of(bits, tasks, rows, coded=23)
    chosen = bits[tasks][:, rows].reshape(10, -1, 9)
    turned = (chosen[:, 1:] ^ chosen[:, :1]).astype(np.int64)
    for numbers, part in zip(found, np.split(turned, [23], axis=1), strict=True):
        powers = 2 ** np.arange(part.shape[1])[:, None]
        assert (numbers == (part * powers).sum(1)).all()
    assert (numbers_of(~bits, tasks, rows, coded=23)[0] == found[0]).all()


@pytest.mark.parametrize("places", range(4, 14))
@pytest.mark.parametrize("size", [2, 3])
def test__sets_of__any_four_or_five_places__part_into_one_that_is_held_and_one_that_is_sought(places, size):
    sets = sets_of(places, size)
    one, other = ({frozenset(members) for members in part.T.tolist()} for part in sets)
    for all_ in map(frozenset, combinations(range(places), size + 2)):
        assert any(part in one and all_ - part in other for part in map(frozenset, combinations(all_, 2)))
    # Those within the groups, which are fewer, are counted, and all pairs.
    assert sets_in(places, size) == sum(part.shape[1] for part in sets)


@pytest.mark.parametrize(("places", "size"), [(5, 2), (13, 2), (5, 3), (13, 3), (40, 3)])
def test__held_and_sought__numbers_of_places__are_those_of_the_sets_in_their_order(places, size, monkeypatch):
    monkeypatch.setattr(codes, "AT_ONCE", 200)
    codes._lasts.cache_clear()
    numbers = np.random.default_rng(0).integers(2**32, size=(3, places + 1), dtype=np.uint32)
    x, y = numbers[:, :-1], numbers[:, -1:]
    sets = sets_of(places, size)
    pairs = held(x, size)
    assert (pairs == x[:, sets.held[0]] ^ x[:, sets.held[1]]).all()
    parts = list(sought(x, y, pairs, size))
    assert (np.concatenate(parts, 1) == np.bitwise_xor.reduce(x[:, sets.sought], 1) ^ y).all()
    assert {part.dtype for part in parts} == {x.dtype}
    assert size == 2 or len(parts) >= sets.sought.shape[1] // 400
    codes._lasts.cache_clear()


def test__sets_in__many_places__counts_without_listing():
    assert sets_in(3000, 2) == math.comb(3000, 2) + 3 * math.comb(1000, 2)
