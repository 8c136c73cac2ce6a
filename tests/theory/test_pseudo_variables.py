"""Pseudo-variables under a nearest class mean: what a threshold classifier can and cannot do with them."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from polythetic.errors import InputError
from polythetic.theory import boolean_inputs, parity, pseudo_variables, subsets

SETTINGS = [(2, 5, 5), (2, 8, 5), (3, 6, 3)]  # alpha, n, repetitions
TASKS = 150


def accuracies(alpha, n, repetitions, columns):
    """Nearest class mean on XOR_alpha of the first features, from the chosen products; one value a task."""
    rng = np.random.default_rng(0)
    active = np.repeat(boolean_inputs(alpha), repetitions, axis=0)
    labels = active.prod(-1)
    result = []
    for _ in range(TASKS):
        support, query = (
            pseudo_variables(
                np.concatenate([active, rng.choice([-1, 1], size=(len(active), n - alpha))], axis=1), alpha
            )[:, columns]
            for _ in range(2)
        )
        means = [support[labels == label].mean(0) for label in (-1, 1)]
        far, near = (((query - mean) ** 2).sum(-1) for mean in means)
        result.append(np.mean((1 + np.sign(np.round(far - near, 9)) * labels) / 2))
    return np.array(result)


def standard_error(values):
    return values.std(ddof=1) / math.sqrt(len(values))


@pytest.mark.parametrize(("alpha", "n", "repetitions"), SETTINGS)
def test__pseudo_variables__product_of_the_active_subset__prototypes_are_always_right(alpha, n, repetitions):
    assert accuracies(alpha, n, repetitions, [0]).min() == 1


@pytest.mark.parametrize(("alpha", "n", "repetitions"), SETTINGS)
def test__pseudo_variables__product_of_another_subset__prototypes_guess(alpha, n, repetitions):
    for column in (1, math.comb(n, alpha) - 1):
        values = accuracies(alpha, n, repetitions, [column])
        assert abs(values.mean() - 0.5) < 4 * standard_error(values)
        assert standard_error(values) < 0.02


@pytest.mark.parametrize(("alpha", "n", "repetitions"), SETTINGS)
def test__pseudo_variables__all_but_the_active_subset__prototypes_are_no_better_than_guessing(alpha, n, repetitions):
    values = accuracies(alpha, n, repetitions, slice(1, None))
    assert 0.45 < values.mean() < 0.5 + 3 * standard_error(values) < 0.54


@pytest.mark.parametrize(("alpha", "n", "repetitions"), SETTINGS)
def test__pseudo_variables__all_subsets__prototypes_are_well_above_chance(alpha, n, repetitions):
    assert 0.75 < accuracies(alpha, n, repetitions, slice(None)).mean() < 1


@pytest.mark.parametrize(("n", "alpha"), [(1, 1), (5, 2), (6, 3), (4, 4)])
def test__pseudo_variables__every_column__is_the_parity_of_its_subset(n, alpha):
    x = np.random.default_rng(0).choice([-1, 1], size=(2, 7, n))
    products = pseudo_variables(x, alpha)
    assert products.shape == (2, 7, math.comb(n, alpha))
    for column, subset in enumerate(subsets(n, alpha).tolist()):
        np.testing.assert_array_equal(products[..., column], parity(x, subset))


def test__subsets__order__rising_and_without_repeats():
    rows = subsets(6, 3).tolist()
    assert rows == sorted(rows)
    assert all(a < b < c for a, b, c in rows)
    assert len({tuple(row) for row in rows}) == 20


def test__pseudo_variables__torch__a_tensor_with_the_same_values_and_gradients():
    x = torch.randn(3, 5, generator=torch.Generator().manual_seed(0), dtype=torch.float64, requires_grad=True)
    products = pseudo_variables(x, 2)
    assert isinstance(products, torch.Tensor)
    np.testing.assert_allclose(products.detach().numpy(), pseudo_variables(x.detach().numpy(), 2))
    products.sum().backward()
    others = x.detach().sum(-1, keepdim=True) - x.detach()  # d(Σ_{i<j} x_i x_j)/dx_i
    torch.testing.assert_close(x.grad, others)


@pytest.mark.parametrize(
    ("n", "alpha", "message"),
    [
        (3, 4, "alpha = 4: expected at most the 3 features"),
        (3, 0, "alpha = 0: expected a whole number of at least 1"),
    ],
)
def test__pseudo_variables__no_such_subset__says_so(n, alpha, message):
    with pytest.raises(InputError, match=message):
        pseudo_variables(np.ones((2, n)), alpha)
