"""Attention over the support against plain NumPy and, at its limits, scikit-learn's neighbours and the prior."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from numpy.testing import assert_allclose
from sklearn.neighbors import KNeighborsClassifier

from polythetic.classifiers import Matching, nearest
from polythetic.errors import InputError
from polythetic.pipeline import Method
from tests import plain


@pytest.mark.parametrize("temperature", ["auto", 0.5, 4.0, 0.0, math.inf])
@pytest.mark.parametrize("similarity", plain.SIMILARITIES)
def test__matching__every_setting__equals_plain_numpy(similarity, temperature):
    for seed, sizes in enumerate([(3, 3), (5, 2), (1, 4, 2)]):
        X, y, Q = plain.task(seed, sizes)
        expected = plain.matching(X, y, Q, similarity=similarity, temperature=temperature)
        found = Method(Matching(similarity, temperature))(X, y, Q)
        assert_allclose(np.exp(found), expected, rtol=1e-8, atol=1e-10)
        single = Method(Matching(similarity, temperature))(X.astype("f4"), y, Q.astype("f4"))
        assert_allclose(np.exp(single), expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize(
    ("similarity", "metric"), [("euclidean", "euclidean"), ("laplace", "manhattan"), ("cosine", "cosine")]
)
@pytest.mark.parametrize("sizes", [(20, 20), (30, 5, 12)])
@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test__nearest__random_rows__equals_scikit_learn(similarity, metric, sizes, dtype):
    X, y, Q = plain.task(1, sizes, features=4, queries=200)
    expected = KNeighborsClassifier(1, metric=metric).fit(X, y).predict(Q)
    assert (Method(nearest(similarity)).predict(X.astype(dtype), y, Q.astype(dtype)) == expected).all()


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test__nearest__support_with_an_outlier__equals_scikit_learn(dtype):
    """A row at 3,000 must not blur distances near 0; ties at T = 0 are measured by the farthest row's distance."""
    X, y, Q = plain.task(1, (20, 20), features=2, queries=50)
    X[0] = 3000
    expected = KNeighborsClassifier(1).fit(X, y).predict(Q)
    found = Method(nearest()).predict(X.astype(dtype), y, Q.astype(dtype))
    assert (found == expected).mean() > 0.95


@pytest.mark.parametrize("similarity", ["euclidean", "laplace"])
def test__nearest__rows_equally_near__share(similarity):
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [5.0, 5.0]])
    found = Method(nearest(similarity))(X, [0, 1, 1, 2], [[0.0, 0.0], [0.5, 0.5]])
    assert_allclose(np.exp(found), [[1 / 3, 2 / 3, 0], [1 / 2, 1 / 2, 0]], atol=1e-12)


def test__nearest__decimal_values_that_rounding_splits__still_share():
    """0.1 + 0.2 ≠ 0.3: the query at 0.2 is as far from 0.1 as from 0.3, but for the last digit."""
    for dtype in ("f4", "f8"):
        X, Q = np.array([[0.1], [0.3], [0.9]], dtype), np.array([[0.2]], dtype)
        assert_allclose(np.exp(Method(nearest())(X, [0, 1, 1], Q)), [[0.5, 0.5]], rtol=1e-6)


@given(plain.smooth_tasks)
def test__matching__infinite_temperature__class_balance_or_uniform(task):
    X, y, Q = task
    balance = np.unique(y, return_counts=True)[1] / len(y)
    found = Method(Matching(temperature=math.inf))(X, y, Q)
    assert_allclose(np.exp(found), [balance] * len(Q))
    uniform = Method(Matching(temperature=math.inf, prior="uniform"))(X, y, Q)
    assert_allclose(np.exp(uniform), 1 / len(balance))


@given(plain.smooth_tasks)
def test__matching__uniform_prior__divides_the_class_sizes_out(task):
    X, y, Q = task
    sizes = np.unique(y, return_counts=True)[1]
    p = plain.matching(X, y, Q) / sizes
    assert_allclose(np.exp(Method(Matching(prior="uniform"))(X, y, Q)), p / p.sum(-1, keepdims=True), rtol=1e-7)


def test__matching__uniform_prior_in_a_batch_with_different_numbers_of_classes__normalised():
    tasks = [plain.task(0, (4, 3)), plain.task(1, (2, 3, 2))]
    support, labels, mask, query = plain.padded(tasks)
    found = Method(Matching(prior="uniform"))(support, labels, query, mask=mask)
    assert_allclose(np.exp(found).sum(-1), 1)
    assert np.isneginf(found[0, :, 2]).all()


@pytest.mark.parametrize("temperature", [1e-300, 1e-40, 1e-9, 1e9, 1e30])
@pytest.mark.parametrize("similarity", plain.SIMILARITIES)
def test__matching__extreme_temperature_in_float32__near_its_limit(similarity, temperature):
    X, y, Q = plain.task(0, (4, 2))
    limit = plain.matching(X, y, Q, similarity=similarity, temperature=0 if temperature < 1 else math.inf)
    found = Method(Matching(similarity, temperature))(X.astype("f4"), y, Q.astype("f4"))
    assert_allclose(np.exp(found), limit, atol=1e-5)


def test__matching__temperature_beyond_float32_and_unequal_classes__no_nan():
    X, y, Q = plain.task(0, (4, 2))
    found = Method(Matching(temperature=1e300))(X.astype("f4"), y, Q.astype("f4"))
    assert_allclose(np.exp(found), [[2 / 3, 1 / 3]] * len(Q), rtol=1e-5)


@pytest.mark.parametrize(
    "sizes",
    [
        (4, 4),
        (7, 1),
    ],
)
def test__matching__float32_far_from_zero__keeps_its_digits(sizes):
    X, y, Q = plain.task(0, sizes)
    found = Method(Matching())((X + 1e4).astype("f4"), y, (Q + 1e4).astype("f4"))
    assert_allclose(np.exp(found), plain.matching(X, y, Q), atol=0.02)


def test__matching__and_of_two_signs__boundary_where_the_paper_derives_it():
    """App. B: with dot attention at T = 1 the boundary of AND is y = −½ ln tanh x."""
    signs = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    x = np.linspace(0.2, 2, 20)
    boundary = np.stack([x, -0.5 * np.log(np.tanh(x))], 1)
    found = Method(Matching("dot", 1.0))(signs, [0, 0, 0, 1], boundary)
    assert_allclose(np.exp(found), np.full((20, 2), 0.5), rtol=1e-6)


@pytest.mark.parametrize("bits", [2, 3])
def test__matching__every_sign_vector_of_xor__classified_alike_by_every_similarity(bits):
    signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * bits)).reshape(bits, -1).T
    labels = (signs.prod(1) > 0).astype(int)
    for similarity in plain.SIMILARITIES:
        assert (Method(Matching(similarity)).predict(signs, labels, signs) == labels).all()


@pytest.mark.parametrize("temperature", [0.5, "auto"])
@pytest.mark.parametrize("similarity", plain.SIMILARITIES)
def test__matching__gradients__equal_finite_differences(similarity, temperature):
    X, y, Q = plain.task(2, (3, 3), queries=2)
    x, q = (torch.tensor(a, requires_grad=True) for a in (X, Q))
    assert torch.autograd.gradcheck(lambda a, b: Method(Matching(similarity, temperature))(a, y, b), (x, q))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"similarity": "l2"}, r"similarity = 'l2': expected one of dot"),
        ({"temperature": -1.0}, r"temperature = -1.0: expected"),
        ({"temperature": math.nan}, r"temperature = nan: expected"),
        ({"temperature": "cold"}, r"temperature = 'cold': expected"),
        ({"prior": "flat"}, r"prior = 'flat': expected one of support, uniform"),
    ],
)
def test__matching__bad_setting__names_argument_value_and_remedy(settings, message):
    with pytest.raises(InputError, match=message):
        Matching(**settings)
