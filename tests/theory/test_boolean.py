"""Parities and the Walsh–Hadamard transform against their definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from polythetic.errors import InputError
from polythetic.theory import (
    boolean_inputs,
    count_boolean_functions,
    inverse_walsh_hadamard,
    parity,
    walsh_hadamard,
)

FIXED = settings(derandomize=True, database=None, deadline=None, max_examples=60)
TABLES = st.integers(0, 6).flatmap(
    lambda n: arrays(np.float64, 2**n, elements=st.floats(-100, 100, allow_subnormal=False))
)


def members(mask):
    return [j for j in range(mask.bit_length()) if mask >> j & 1]


def test__boolean_inputs__three_variables__every_vector_once_first_variable_fastest():
    inputs = boolean_inputs(3)
    assert inputs.shape == (8, 3)
    assert len({tuple(row) for row in inputs.tolist()}) == 8
    assert inputs[0b001].tolist() == [-1, 1, 1]
    assert inputs[0b110].tolist() == [1, -1, -1]
    assert boolean_inputs(0).shape == (1, 0)


@FIXED
@given(st.integers(0, 31), st.integers(0, 31))
def test__parity__two_subsets__product_is_the_parity_of_their_difference(a, b):
    x = boolean_inputs(5)
    product = parity(x, members(a)) * parity(x, members(b))
    np.testing.assert_array_equal(product, parity(x, members(a ^ b)))


def test__parity__batch_of_any_shape__as_many_negative_ones_decide():
    x = np.random.default_rng(0).choice([-1, 1], size=(3, 4, 6))
    expected = np.where((x[..., [1, 4, 5]] < 0).sum(-1) % 2, -1, 1)
    np.testing.assert_array_equal(parity(x, [1, 4, 5]), expected)
    assert parity(x, []).tolist() == np.ones((3, 4), dtype=int).tolist()


@FIXED
@given(TABLES)
def test__walsh_hadamard__definition__equal(table):
    n = len(table).bit_length() - 1
    x = boolean_inputs(n)
    defined = [np.mean(table * parity(x, members(mask))) for mask in range(2**n)]
    np.testing.assert_allclose(walsh_hadamard(table), defined, atol=1e-11)


@FIXED
@given(TABLES)
def test__walsh_hadamard__inverse_and_parseval__hold(table):
    coefficients = walsh_hadamard(table)
    np.testing.assert_allclose(inverse_walsh_hadamard(coefficients), table, atol=1e-11)
    assert np.sum(coefficients**2) == pytest.approx(np.mean(table**2), abs=1e-9)


def test__walsh_hadamard__batch__equals_loop():
    tables = np.random.default_rng(1).normal(size=(2, 3, 16))
    for transform in (walsh_hadamard, inverse_walsh_hadamard):
        looped = [[transform(table) for table in row] for row in tables]
        np.testing.assert_allclose(transform(tables), looped)


def test__walsh_hadamard__every_parity__one_coefficient_at_its_mask():
    tables = np.stack([parity(boolean_inputs(4), members(mask)) for mask in range(16)])
    np.testing.assert_array_equal(walsh_hadamard(tables), np.eye(16))


def test__count_boolean_functions__large__exact_integer():
    assert count_boolean_functions(7) == 340282366920938463463374607431768211456


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: boolean_inputs(-1), "n = -1: expected a whole number of at least 0"),
        (lambda: count_boolean_functions(-2), "n = -2: expected a whole number of at least 0"),
        (lambda: parity(np.array([0, 1]), [0]), "expected every entry −1 or 1"),
        (lambda: parity(np.array([1, 1]), [2]), "subset = [2]: expected different indices from 0 to 1"),
        (lambda: parity(np.array([1, 1]), [-1]), "subset = [-1]: expected different indices from 0 to 1"),
        (lambda: parity(np.array([1, -1]), [1, 1]), "subset = [1, 1]: expected different indices"),
        (
            lambda: walsh_hadamard(np.ones(6)),
            "truth_table = array of shape (6,): expected a last axis of 2^n",
        ),
        (lambda: inverse_walsh_hadamard(np.ones((2, 0))), "coefficients = array of shape (2, 0)"),
    ],
)
def test__boolean__bad_argument__named_with_its_value(call, message):
    with pytest.raises(InputError) as caught:
        call()
    assert message in str(caught.value)
