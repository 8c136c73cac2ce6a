"""None of these: false alarms are as many as was asked for, and a class never seen is told."""

import numpy as np
import pytest

from polythetic.estimators.novelty import Novelty

TABLES = 200


@pytest.mark.parametrize("rows", [15, 30, 100])
@pytest.mark.parametrize("rate", [0.05, 0.1])
def test__p_values__of_rows_like_the_labelled__are_small_as_often_as_asked(rows, rate):
    alarms = []
    for number in range(TABLES):
        chance = np.random.default_rng([number, rows])
        codes = np.arange(rows) % 3
        x, query = (2 * codes[:, None] + chance.normal(size=(rows, 4)) for _ in range(2))
        z, asked = ((part - x.mean(0)) / x.std(0) for part in (x, query))
        alarms.append(np.mean(Novelty.of(z, codes).p_values(z, asked) <= rate))
    assert abs(np.mean(alarms) - rate) < (0.02 if rows >= 30 else 0.03)


def test__p_values__of_a_class_never_seen__are_small():
    chance = np.random.default_rng(0)
    z = chance.normal(size=(40, 4))
    novelty = Novelty.of(z, np.arange(40) % 2)
    assert (novelty.p_values(z, 8 + chance.normal(size=(20, 4))) < 0.01).all()


def test__p_values__fall_with_distance():
    z = np.random.default_rng(1).normal(size=(20, 2))
    line = np.linspace(0, 20, 50)[:, None] * np.array([[1.0, 0.0]]) + z.max(0)
    found = Novelty.of(z, np.arange(20) % 2).p_values(z, line)
    assert (np.diff(found) <= 1e-12).all()
    assert found[-1] < 1e-3


@pytest.mark.parametrize(("columns", "levels", "rows"), [(3, 2, 40), (4, 2, 80), (6, 2, 200), (3, 3, 80)])
def test__p_values__where_distances_tie__are_no_smaller_than_asked(columns, levels, rows):
    alarms = []
    for number in range(20):
        chance = np.random.default_rng([number, columns])
        x, query = (chance.integers(0, levels, (rows, columns)).astype(float) for _ in range(2))
        z, asked = ((part - x.mean(0)) / x.std(0) for part in (x, query))
        alarms.append(np.mean(Novelty.of(z, np.arange(rows) % 2).p_values(z, asked) <= 0.05))
    assert np.mean(alarms) < 0.08


def test__p_values__of_two_rows__say_nothing():
    z = np.array([[-1.0], [1.0]])
    np.testing.assert_array_equal(Novelty.of(z, np.array([0, 1])).p_values(z, np.array([[-1.0], [50.0]])), [1, 1])
