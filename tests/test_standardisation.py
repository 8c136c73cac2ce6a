"""Standardisation against NumPy's mean and deviation."""

import numpy as np
import torch
from numpy.testing import assert_allclose

from polythetic.standardisation import Statistics
from tests import plain


def test__statistics__rows_and_mask__equal_numpy():
    X, _, Q = plain.task(1)
    X[:, 1] = 4.0
    statistics = Statistics.of(torch.from_numpy(X), eps=0.1)
    assert_allclose(statistics.standardise(torch.from_numpy(Q)), plain.standardise(Q, X, eps=0.1))
    garbage = np.concatenate([X, [[1e9, 1e9, -1e9]]])
    masked = Statistics.of(torch.from_numpy(garbage), torch.tensor([True] * 7 + [False]), eps=0.1)
    for a, b in zip(statistics, masked, strict=True):
        assert_allclose(a, b)


def test__statistics__float32_far_from_zero__keeps_its_digits():
    X = np.array([[0.0], [0.5], [1.0], [2.5]]) + 1e6
    found = Statistics.of(torch.from_numpy(X).float(), eps=0.0).standardise(torch.from_numpy(X).float())
    assert_allclose(found, plain.standardise(X, eps=0), rtol=1e-5)
