"""Scores to scales: each rule on numbers small enough to check by eye."""

from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from polythetic.errors import InputError
from polythetic.rescaling import RESCALINGS, min_max, normalised, raw, rescaling_named, square_root, top_k

SCORES = [0.2, 0.8, 0.4, 0.6]


@pytest.mark.parametrize(
    ("rescale", "scores", "expected"),
    [
        (raw, SCORES, SCORES),
        (normalised, SCORES, [0.4, 1.6, 0.8, 1.2]),
        (normalised, [0.0, 0.0], [0.0, 0.0]),
        (square_root, [0.25, 0.0, 4.0], [0.5, 0.0, 2.0]),
        (min_max, SCORES, [0, 1, 1 / 3, 2 / 3]),
        (partial(min_max, scale=2.0), SCORES, [0, 2, 2 / 3, 4 / 3]),
        (partial(min_max, power=2.0), SCORES, [0, 1, 1 / 9, 4 / 9]),
        (partial(min_max, power=2.0, scale=3.0), SCORES, [0, 3, 3 / 9, 12 / 9]),
        (min_max, [0.5, 0.5, 0.5], [1, 1, 1]),
        (min_max, [0.5, 0.50004], [1, 1]),  # a spread of 0.8 parts in 10⁴
        (min_max, [0.5, 0.50006], [0, 1]),  # of 1.2
        (min_max, [0.0, 0.3, 0.3], [0, 1, 1]),  # a constant feature neither stretches the others nor counts
        (min_max, [0.0, 0.3, 0.6], [0, 0, 1]),
        (min_max, [0.0, 0.0], [0, 0]),
        (min_max, [0.7], [1]),
        (partial(top_k, k=2), SCORES, [0, 1, 0, 1]),
        (partial(top_k, k=4), SCORES, [1, 1, 1, 1]),
        (partial(top_k, k=2), [0.5, 0.9, 0.5, 0.5], [1, 1, 0, 0]),  # of equals the first
        (partial(top_k, k=1), [0.0, 0.0], [1, 0]),
    ],
)
def test__rescaling__numbers_to_check_by_eye__as_defined(rescale, scores, expected):
    assert_allclose(rescale(torch.tensor(scores, dtype=torch.float64)), expected, rtol=1e-9, atol=1e-9)


def test__top_k__many_ties__the_lowest_indices_win():
    scores = torch.full((3, 200), 0.5)
    assert_allclose(top_k(scores, k=70).nonzero()[:, 1].reshape(3, 70), [list(range(70))] * 3)


@pytest.mark.parametrize("name", [*RESCALINGS, "top-k"])
@given(scores=st.lists(st.lists(st.floats(0, 3), min_size=3, max_size=3), min_size=1, max_size=4))
def test__rescaling__batch__equals_a_loop_and_is_finite_and_not_negative(name, scores):
    rescale = partial(top_k, k=2) if name == "top-k" else rescaling_named(name)
    scores = torch.tensor(scores, dtype=torch.float64)
    found = rescale(scores)
    assert found.isfinite().all()
    assert (found >= 0).all()
    assert torch.equal(found, torch.stack([rescale(row) for row in scores]))


@pytest.mark.parametrize("name", RESCALINGS)
@pytest.mark.parametrize(
    "scores", [[0.5, 0.5, 0.5], [0.0, 0.0, 0.0], [0.0, 0.4, 0.4], [0.0, 0.2, 0.9], [0.3, 0.3, 0.9], [0.3, 0.9, 0.9]]
)
def test__rescaling__ties_and_zeros__gradients_are_finite(name, scores):
    leaf = torch.tensor(scores, dtype=torch.float64, requires_grad=True)
    rescaling_named(name)(leaf).square().sum().backward()
    assert leaf.grad.isfinite().all()


@pytest.mark.parametrize("name", RESCALINGS)
def test__rescaling__distinct_scores__gradients_equal_finite_differences(name):
    leaf = torch.tensor([[0.3, 0.9, 0.5], [0.8, 0.1, 0.4]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(rescaling_named(name), leaf)
    assert torch.autograd.gradgradcheck(rescaling_named(name), leaf)


@pytest.mark.parametrize("k", [0, 4, -1])
def test__top_k__k_not_from_1_to_the_features__names_value_and_remedy(k):
    with pytest.raises(InputError, match=rf"k = {k}: expected a whole number from 1 to 3 \(there are 3 features\)"):
        top_k(torch.tensor([0.1, 0.2, 0.3]), k=k)


def test__rescaling_named__unknown__says_which_there_are():
    with pytest.raises(InputError, match=r"rescale = 'minmax': expected one of raw, normalised, min-max.*top_k"):
        rescaling_named("minmax")


def test__rescaling_named__function__is_returned():
    assert rescaling_named(square_root) is square_root
