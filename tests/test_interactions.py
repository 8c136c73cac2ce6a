import numpy as np
import pytest

from polythetic.errors import InputError
from polythetic.interactions import LEVEL, Levels, enough_permutations, find_effects, least_permutations, times_more


def effects(x, y, permutations=199, **options):
    return find_effects([Levels.of_numbers(column) for column in x.T], y, permutations=permutations, **options)


def found(x, y, **options):
    return [effect.members for effect in effects(x, y, **options) if effect.found]


def bits(seed, n, columns):
    return np.random.default_rng(seed).choice([-1.0, 1.0], (n, columns))


@pytest.mark.parametrize("seed", range(3))
def test__find_effects__xor_of_two__is_that_pair_and_no_three(seed):
    x = bits(seed, 40, 12)
    assert found(x, x[:, 1] * x[:, 4] > 0) == [(1, 4)]


@pytest.mark.parametrize("seed", range(3))
def test__find_effects__xor_of_three__is_those_three_and_no_pair(seed):
    x = bits(seed, 60, 12)
    assert found(x, x[:, 1] * x[:, 4] * x[:, 7] > 0) == [(1, 4, 7)]


def test__find_effects__several_at_once__are_told_apart():
    x = bits(0, 200, 10)
    y = (x[:, 0] > 0) * 4 + (x[:, 1] * x[:, 2] > 0) * 2 + (x[:, 3] * x[:, 4] * x[:, 5] > 0)
    assert found(x, y) == [(0,), (1, 2), (3, 4, 5)]


def test__find_effects__one_column_that_decides__is_found_alone(rng):
    x = rng.normal(size=(100, 10))
    assert found(x, x[:, 3] > 0.7) == [(3,)]
    x[:, 5] = x[:, 3] + 0.4 * x[:, 5]  # goes with it, and is no part of anything
    assert found(x, x[:, 3] > 0.7) == [(3,), (5,)]


def test__find_effects__a_column_that_matters_in_the_middle__is_found(rng):
    x = rng.normal(size=(100, 6))
    assert found(x, np.abs(x[:, 2]) < 0.7) == [(2,)]


def test__find_effects__and__is_both_columns_and_their_pair():
    x = bits(0, 100, 8)
    assert sorted(found(x, (x[:, 1] > 0) & (x[:, 2] > 0))) == [(1,), (1, 2), (2,)]


def test__find_effects__numbers_and_genotypes__as_well_as_bits(rng):
    x = rng.normal(size=(100, 10))
    assert found(x, x[:, 1] * x[:, 4] > 0) == [(1, 4)]
    x = rng.binomial(2, 0.4, (300, 10))
    assert found(x, (x[:, 1] + x[:, 4] + x[:, 6]) % 2) == [(1, 4, 6)]


def test__find_effects__columns_that_go_together__are_no_interaction(rng):
    x = 0.8 * rng.normal(size=(150, 1)) + 0.6 * rng.normal(size=(150, 8))
    y = rng.random(150) < 1 / (1 + np.exp(-1.5 * x[:, 0] - 1.5 * x[:, 1]))
    assert all(len(members) == 1 for members in found(x, y))


def test__find_effects__a_rare_class_in_a_rare_level__makes_no_interaction():
    wrong = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        x = bits(seed, 200, 6)
        x[:, 0] = rng.random(200) < 0.1
        seen = found(x, (x[:, 0] > 0) & (rng.random(200) < 0.6), permutations=99)
        wrong += any(len(members) > 1 for members in seen)
    assert wrong <= 3


@pytest.mark.parametrize("kind", ["bits", "numbers", "rare"])
def test__find_effects__noise__has_false_findings_as_rarely_as_p_says(kind):
    tables, orders, any_ = 40, np.zeros(3), 0
    for seed in range(tables):
        rng = np.random.default_rng(seed)
        x = {"bits": bits(seed, 40, 6), "numbers": rng.normal(size=(40, 6)), "rare": 1.0 * (rng.random((40, 6)) < 0.1)}
        seen = effects(x[kind], rng.choice(3, 40, p=[0.5, 0.35, 0.15]), permutations=119, seed=seed)
        least = [min(effect.p for effect in seen if len(effect.members) == order) for order in (1, 2, 3)]
        orders += np.array(least) <= 0.1
        any_ += min(least) <= LEVEL
    # Of 40, 4 and 2 are expected; these are exceeded by chance once in some hundred times.
    assert orders.max() <= 9
    assert any_ <= 6


def test__find_effects__p__is_rank_among_permutations():
    x = bits(0, 40, 4)
    assert {effect.members: effect.p for effect in effects(x, x[:, 0] > 0, permutations=19)}[(0,)] == 1 / 20


def test__find_effects__columns_chosen_among_more__pay_for_it():
    x = bits(0, 60, 40)
    y = x[:, 0] * x[:, 1] > 0
    p = {effect.members: effect.p for effect in effects(x, y, among=range(20), permutations=999)}
    assert p[(0, 1)] == pytest.approx(0.001 * (40 * 39) / (20 * 19))
    assert (0, 30) not in p
    assert (30,) in p


def test__find_effects__seed__fixes_p():
    x, y = bits(0, 40, 5), bits(1, 40, 1)[:, 0]
    assert effects(x, y, seed=3) == effects(x, y, seed=3)
    assert effects(x, y, seed=3) != effects(x, y, seed=4)


def test__find_effects__constant_and_doubled_columns__do_nothing():
    x = bits(0, 40, 5)
    x[:, 0], x[:, 1] = 1, x[:, 2]
    seen = effects(x, x[:, 3] * x[:, 4] > 0)
    assert [effect.members for effect in seen if effect.found] == [(3, 4)]
    assert {effect.members: effect.p for effect in seen}[(1, 2)] == 1
    assert all(effect.p == 1 for effect in seen if 0 in effect.members)


def test__find_effects__nothing_but_doubled_columns__is_no_interaction():
    x = bits(0, 40, 1).repeat(3, axis=1)
    seen = effects(x, x[:, 0] > 0, permutations=99)
    assert [effect.p for effect in seen] == [0.01] * 3 + [1] * 4


def test__find_effects__many_rows__are_looked_at_in_part():
    x = bits(0, 5000, 4)
    assert found(x, x[:, 0] * x[:, 1] > 0, permutations=99) == [(0, 1)]


@pytest.mark.parametrize("columns", [21, 60, 200])
def test__least_permutations__are_enough_and_one_less_is_not(columns):
    least, times = least_permutations(columns, 20, 2), times_more(columns, 20, 2)
    assert times / (1 + least) <= LEVEL < times / least


def test__enough_permutations__more_rows__leave_a_finding_possible():
    counts = [enough_permutations(200, 20, rows, 2) for rows in (100, 500, 1000, 2000, 5000)]
    assert counts == sorted(counts, reverse=True)
    assert counts[-1] == least_permutations(200, 20, 2)


def test__enough_permutations__beyond_patience__are_the_least_of_all():
    assert enough_permutations(200, 20, 2000, 3) == 999


def test__find_effects__permutations_below_one__are_refused():
    with pytest.raises(InputError, match="permutations = 0: expected a whole number of at least 1"):
        effects(bits(0, 10, 2), np.arange(10) % 2, permutations=0)


def test__levels__numbers_tied_at_the_median__are_cut_as_evenly_as_can_be():
    coarse = Levels.of_numbers(np.array([0, 0, 0, 0, 0, 0, 1, 2, 3, 4.0])).coarse
    assert coarse.tolist() == [0] * 6 + [1] * 4
    assert Levels.of_numbers(np.array([1, 2, 3, 4, 4, 4, 4, 4, 4.0])).coarse.tolist() == [0] * 3 + [1] * 6
