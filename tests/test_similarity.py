"""Similarities against SciPy's distances."""

import pytest
from numpy.testing import assert_allclose
from scipy.spatial.distance import cdist

from polythetic.errors import InputError
from polythetic.similarity import similarity_named
from tests import plain


@pytest.fixture
def rows(rng):
    return plain.tensors(rng.normal(size=(4, 3)), rng.normal(size=(6, 3)))


@pytest.mark.parametrize(
    ("name", "metric", "transform"),
    [
        ("cosine", "cosine", lambda d: 1 - d),
        ("euclidean", "sqeuclidean", lambda d: -d),
        ("laplace", "cityblock", lambda d: -d),
    ],
)
@pytest.mark.parametrize("offset", [0.0, 1e3])
def test__similarity__random_rows__equals_scipy(name, metric, transform, offset, rows):
    q, k = rows
    q, k = q + offset, k + offset
    assert_allclose(similarity_named(name).pairwise(q, k), transform(cdist(q, k, metric)), rtol=1e-9, atol=1e-9)


def test__similarity__dot__is_the_matrix_product(rows):
    q, k = rows
    assert_allclose(similarity_named("dot").pairwise(q, k), q.numpy() @ k.numpy().T)


def test__similarity__euclidean_in_float32_far_from_zero__keeps_its_digits(rows):
    q, k = (x.float() + 1e4 for x in rows)
    expected = -cdist(q.double(), k.double(), "sqeuclidean")
    assert_allclose(similarity_named("euclidean").pairwise(q, k), expected, rtol=1e-3, atol=1e-3)


def test__similarity__unknown_name__says_which_there_are():
    with pytest.raises(InputError, match=r"similarity = 'dots': expected one of dot, cosine, euclidean, laplace"):
        similarity_named("dots")
