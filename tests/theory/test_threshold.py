"""Threshold functions counted two ways, and the linear programme on cases with a known answer."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from polythetic.errors import InputError
from polythetic.theory import (
    boolean_inputs,
    count_boolean_functions,
    count_threshold_functions,
    is_threshold,
    pseudo_variables,
    threshold_functions,
)

FIXED = settings(derandomize=True, database=None, deadline=None, max_examples=30)


def test__threshold__two_variables__14_of_16_and_all_16_with_their_product():
    x = boolean_inputs(2)
    with_product = np.column_stack([x, pseudo_variables(x, 2)])
    tables = list(itertools.product((-1, 1), repeat=4))
    assert sum(is_threshold(list(table), x) for table in tables) == 14
    assert sum(is_threshold(list(table), with_product) for table in tables) == 16


@pytest.mark.parametrize("n", [1, 2, 3])
def test__threshold_functions__linear_programme__the_same_functions(n):
    listed = {tuple(table) for table in threshold_functions(n).tolist()}
    x = boolean_inputs(n)
    decided = {table for table in itertools.product((-1, 1), repeat=2**n) if is_threshold(list(table), x)}
    assert listed == decided


@pytest.mark.parametrize(("n", "count"), [(0, 2), (1, 4), (2, 14), (3, 104), (4, 1882), (5, 94572)])
def test__count_threshold_functions__small__oeis_a000609(n, count):
    assert count_threshold_functions(n) == count
    assert n < 2 or count <= min(2 ** (n**2), count_boolean_functions(n) - 2)


def test__threshold_functions__four_variables__different_sorted_and_closed_under_negation():
    tables = threshold_functions(4).tolist()
    assert tables == sorted(tables)
    assert len({tuple(table) for table in tables}) == len(tables)
    assert {tuple(-v for v in table) for table in tables} == {tuple(table) for table in tables}


@FIXED
@given(st.integers(0, 2**32 - 1), st.integers(1, 5), st.floats(1e-6, 1e6), st.floats(-1e3, 1e3))
def test__is_threshold__labels_made_by_weights__true_at_any_scale_and_shift(seed, columns, scale, shift):
    rng = np.random.default_rng(seed)
    x, w = rng.normal(size=(20, columns)), rng.normal(size=columns)
    sums = x @ w + rng.normal()
    x, sums = x[np.abs(sums) > 1e-2], sums[np.abs(sums) > 1e-2]
    assert is_threshold(np.sign(sums), x * scale + shift * scale)


@pytest.mark.parametrize(("scale", "shift"), [(1e-12, 0.0), (1.0, 1e13), (1e12, 1e3), (1e15, 0.0)])
def test__is_threshold__columns_far_from_the_solvers_tolerance__the_same_answers(scale, shift):
    x = (boolean_inputs(2) + shift) * scale
    assert is_threshold([1, 1, 1, -1], x)
    assert not is_threshold([1, -1, -1, 1], x)


def test__is_threshold__same_row_with_both_labels__false():
    assert not is_threshold([1, -1], [[0.3, 2.0], [0.3, 2.0]])
    assert is_threshold([1, 1], [[0.3, 2.0], [0.3, 2.0]])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: threshold_functions(6), "n = 6: expected at most 5; OEIS A000609"),
        (lambda: count_threshold_functions(9), "n = 9: expected at most 5; OEIS A000609"),
        (lambda: threshold_functions(-1), "n = -1: expected a whole number of at least 0"),
        (lambda: is_threshold([0, 1], [[1.0], [2.0]]), "labels = [0, 1]: expected one −1 or 1 a row"),
        (lambda: is_threshold([-1, 1], [[1.0]]), "features = array of shape (1, 1): expected 2 rows"),
        (lambda: is_threshold([-1, 1], [[1.0], [np.nan]]), "expected finite numbers"),
    ],
)
def test__threshold__bad_argument__named_with_its_value(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)
