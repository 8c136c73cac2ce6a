"""Prototypes against plain NumPy and scikit-learn's NearestCentroid."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from numpy.testing import assert_allclose
from sklearn.neighbors import NearestCentroid

from polythetic.classifiers import Prototypes
from polythetic.errors import InputError
from polythetic.pipeline import Method
from tests import plain


@pytest.mark.parametrize("temperature", ["auto", 0.5, 4.0, 0.0, math.inf])
@pytest.mark.parametrize("similarity", plain.SIMILARITIES)
def test__prototypes__every_setting__equals_plain_numpy(similarity, temperature):
    for seed, sizes in enumerate([(3, 3), (5, 2), (1, 4, 2)]):
        X, y, Q = plain.task(seed, sizes)
        expected = plain.prototypes(X, y, Q, similarity=similarity, temperature=temperature)
        found = Method(Prototypes(similarity, temperature))(X, y, Q)
        assert_allclose(np.exp(found), expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("temperature", ["auto", 0.0, 2.0])
@pytest.mark.parametrize("sizes", [(20, 20), (30, 5, 12)])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test__prototypes__random_rows__equals_scikit_learn(sizes, temperature, dtype):
    X, y, Q = plain.task(1, sizes, features=4, queries=200)
    expected = NearestCentroid().fit(X, y).predict(Q)
    found = Method(Prototypes(temperature=temperature)).predict(X.astype(dtype), y, Q.astype(dtype))
    assert (found == expected).all()


@given(plain.smooth_tasks)
def test__prototypes__support_prior__multiplies_by_the_class_sizes(task):
    X, y, Q = task
    p = plain.prototypes(X, y, Q) * np.unique(y, return_counts=True)[1]
    assert_allclose(np.exp(Method(Prototypes(prior="support"))(X, y, Q)), p / p.sum(-1, keepdims=True), rtol=1e-7)


def test__prototypes__support_prior_in_a_batch_with_different_numbers_of_classes__normalised():
    tasks = [plain.task(0, (4, 3)), plain.task(1, (2, 3, 2))]
    support, labels, mask, query = plain.padded(tasks)
    found = Method(Prototypes(prior="support"))(support, labels, query, mask=mask)
    assert_allclose(np.exp(found).sum(-1), 1)
    assert np.isneginf(found[0, :, 2]).all()


def test__prototypes__xor__the_prototypes_coincide_and_decide_nothing():
    """Figure 1: both classes' means are (0, 0)."""
    signs = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    assert_allclose(np.exp(Method(Prototypes())(signs, [0, 1, 1, 0], signs * 3)), np.full((4, 2), 0.5))


@pytest.mark.parametrize("temperature", [0.5, "auto"])
@pytest.mark.parametrize("similarity", plain.SIMILARITIES)
def test__prototypes__gradients_with_unequal_classes__equal_finite_differences(similarity, temperature):
    X, y, Q = plain.task(2, (4, 2), queries=2)
    x, q = (torch.tensor(a, requires_grad=True) for a in (X, Q))
    assert torch.autograd.gradcheck(lambda a, b: Method(Prototypes(similarity, temperature))(a, y, b), (x, q))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"similarity": "l2"}, r"similarity = 'l2': expected one of dot"),
        ({"temperature": -1.0}, r"temperature = -1.0: expected"),
        ({"prior": "flat"}, r"prior = 'flat': expected one of support, uniform"),
    ],
)
def test__prototypes__bad_setting__names_argument_value_and_remedy(settings, message):
    with pytest.raises(InputError, match=message):
        Prototypes(**settings)
