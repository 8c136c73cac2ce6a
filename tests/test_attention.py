"""Attention against plain loops, SciPy's softmax, finite differences, and its limits."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from scipy.special import log_softmax

from polythetic import attention
from polythetic.attention import attend, auto_temperature, check_temperature, log_attention
from polythetic.errors import InputError
from polythetic.similarity import SIMILARITIES
from tests import plain

FUSED = [name for name, similarity in SIMILARITIES.items() if similarity.as_dot is not None]


@pytest.fixture
def qkv(rng):
    return plain.tensors(*(rng.normal(size=shape) for shape in ((4, 3), (6, 3), (6, 2))))


# ---------------------------------------------------------------- softmax


@pytest.mark.parametrize("name", SIMILARITIES)
@pytest.mark.parametrize("T", [0.25, 1.0, 8.0])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test__log_attention__ordinary_values__equals_scipy_and_torch(name, T, dtype, qkv):
    q, k, _ = plain.tensors(*qkv, dtype=dtype)
    logits = np.array([[plain.similarity(name, a, b) for b in k.double().numpy()] for a in q.double().numpy()]) / T
    tolerance = 1e-10 if dtype == torch.float64 else 1e-4
    found = log_attention(q, k, similarity=name, temperature=T)
    assert found.dtype == dtype
    assert_allclose(found, log_softmax(logits, axis=-1), rtol=tolerance, atol=tolerance)
    assert_allclose(found, torch.from_numpy(logits).log_softmax(-1), rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("function", ["log_attention", "attend"])
def test__attention__float64_and_a_temperature_that_float32_cannot_hold__is_exact(function, qkv):
    q, k, v = qkv
    log_weights = (q @ k.T / 0.7).log_softmax(-1)
    if function == "attend":
        assert_allclose(attend(q, k, v, temperature=0.7), log_weights.exp() @ v, rtol=1e-12)
    else:
        assert_allclose(log_attention(q, k, temperature=0.7), log_weights, rtol=1e-12)


def test__log_attention__float64_and_a_temperature_beyond_float32__is_exact(qkv):
    q, k, _ = qkv
    assert_allclose(log_attention(q * 1e40, k, temperature=1e40), (q @ k.T).log_softmax(-1), rtol=1e-6)


@pytest.mark.parametrize("name", SIMILARITIES)
@pytest.mark.parametrize("T", [0.0, 0.5, math.inf])
def test__attend__any_similarity_and_temperature__equals_plain_loops(name, T, qkv):
    q, k, v = qkv
    expected = plain.attention_weights(name, q.numpy(), k.numpy(), T) @ v.numpy()
    assert_allclose(attend(q, k, v, similarity=name, temperature=T), expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", SIMILARITIES)
@pytest.mark.parametrize("T", [0.0, 0.5, math.inf])
def test__attend__masked_keys__equals_attention_without_them(name, T, qkv):
    q, k, v = qkv
    mask = torch.tensor([True, False, True, True, False, True])
    for function, extra, expected_extra in ((attend, (v,), (v[mask],)), (log_attention, (), ())):
        found = function(q, k, *extra, similarity=name, temperature=T, mask=mask)
        expected = function(q, k[mask], *expected_extra, similarity=name, temperature=T)
        if function is log_attention:
            assert found[:, ~mask].isneginf().all()
            found = found[:, mask]
        assert_allclose(found, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", SIMILARITIES)
def test__attend__leading_dimensions__equals_a_loop(name, rng):
    q, k, v = plain.tensors(*(rng.normal(size=(2, 3, n, 4)) for n in (2, 5, 5)))
    mask = torch.from_numpy(rng.random((2, 3, 5)) < 0.7)
    mask[..., 0] = True
    T = torch.from_numpy(rng.uniform(0.5, 2, (2, 3, 1, 1)))
    found = attend(q, k, v, similarity=name, temperature=T, mask=mask)
    for i, j in np.ndindex(2, 3):
        one = attend(q[i, j], k[i, j], v[i, j], similarity=name, temperature=T[i, j].item(), mask=mask[i, j])
        assert_allclose(found[i, j], one, rtol=1e-6)


# ---------------------------------------------------------------- the limits of the temperature


@pytest.mark.parametrize("name", SIMILARITIES)
def test__log_attention__falling_temperature__tends_to_the_nearest(name, qkv):
    q, k, _ = qkv
    limit = log_attention(q, k, similarity=name, temperature=0).exp()
    assert_allclose(log_attention(q, k, similarity=name, temperature=1e-4).exp(), limit, atol=1e-6)
    assert_allclose(limit.sum(-1), 1)
    assert (limit.amax(-1) == 1).all()


@pytest.mark.parametrize("name", SIMILARITIES)
def test__log_attention__rising_temperature__tends_to_the_uniform(name, qkv):
    q, k, _ = qkv
    assert_allclose(log_attention(q, k, similarity=name, temperature=1e8).exp(), np.full((4, 6), 1 / 6), atol=1e-6)
    assert_allclose(log_attention(q, k, similarity=name, temperature=math.inf).exp(), np.full((4, 6), 1 / 6))


def test__log_attention__equally_near_keys_at_zero__share():
    key = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]])
    found = log_attention(torch.tensor([[1.0, 0.0], [0.3, 0.3]]), key, temperature=0).exp()
    assert_allclose(found, [[1 / 2, 0, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3, 0]], rtol=1e-6)


@pytest.mark.parametrize("T", [0.0, 1e-300, 1e-40, 1e-6, 1.0, 1e6, 1e30, math.inf])
@pytest.mark.parametrize("size", [1e-20, 1.0, 1e16])
@pytest.mark.parametrize("name", SIMILARITIES)
def test__attention__extreme_values_and_temperatures_in_float32__no_nan(name, T, size, qkv):
    q, k, v = (x.float() * size for x in qkv)
    mask = torch.tensor([True] * 5 + [False])
    for keys in (None, mask):
        weights = log_attention(q, k, similarity=name, temperature=T, mask=keys).exp()
        assert_allclose(weights.sum(-1), 1, rtol=1e-5)
    if size <= 1:
        assert attend(q, k, v, similarity=name, temperature=T, mask=mask).isfinite().all()


def test__log_attention__temperature_beyond_float32_with_a_mask__no_nan(qkv):
    q, k, _ = (x.float() for x in qkv)
    found = log_attention(q, k, temperature=1e300, mask=torch.tensor([True] * 5 + [False])).exp()
    assert_allclose(found[:, :5], np.full((4, 5), 1 / 5), rtol=1e-6)


@pytest.mark.parametrize("bad", [-1.0, -math.inf, math.nan, "warm", True, None, [1.0]])
def test__check_temperature__no_number_from_zero__names_value_and_remedy(bad):
    with pytest.raises(InputError, match=r"temperature = .*: expected 'auto', or a number from 0 .* to infinity"):
        check_temperature(bad)


@pytest.mark.parametrize("good", ["auto", 0, 0.5, 3, math.inf, np.float32(0.25)])
def test__check_temperature__good__is_returned(good):
    assert check_temperature(good) == good


@pytest.mark.parametrize("bad", [-1.0, math.nan])
def test__log_attention__negative_or_nan_temperature__is_an_error(bad, qkv):
    q, k, _ = qkv
    with pytest.raises(InputError, match="temperature"):
        log_attention(q, k, temperature=bad)


def test__attend__euclidean_in_float32_far_from_zero__keeps_its_digits(qkv):
    q, k, v = qkv
    found = attend((q + 1e4).float(), (k + 1e4).float(), v.float(), similarity="euclidean", temperature=1.0)
    assert_allclose(found, attend(q, k, v, similarity="euclidean", temperature=1.0), atol=0.05)


# ---------------------------------------------------------------- auto


@pytest.mark.parametrize("name", SIMILARITIES)
def test__auto_temperature__with_padding__equals_plain_loops_without_it(name, rng):
    x = rng.normal(size=(6, 3))
    mask = np.array([True, False, True, True, False, True])
    x[~mask] = 1e6
    found = auto_temperature(torch.from_numpy(x), similarity=name, sharpness=6.0, mask=torch.from_numpy(mask))
    assert_allclose(found.item(), plain.temperature_of(name, x[mask], "auto", 6))
    assert_allclose(auto_temperature(torch.from_numpy(x[mask]), similarity=name, sharpness=6.0).item(), found.item())


@given(st.integers(1, 50), plain.seeds)
def test__auto_temperature__standardised_features__is_their_number_over_the_sharpness(F, seed):
    x = plain.standardise(np.random.default_rng(seed).normal(size=(9, F)), eps=0)
    assert_allclose(auto_temperature(torch.from_numpy(x), sharpness=5.0).item(), F / 5)


# ---------------------------------------------------------------- the fused kernel


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("width", [2, 3, 9])
@pytest.mark.parametrize("name", FUSED)
def test__attend__fused__equals_explicit_in_values_and_gradients(name, width, masked, rng, monkeypatch):
    n = attention.FUSED_FROM + 5
    arrays = plain.tensors(*(rng.normal(size=(2, n, F)) for F in (3, 3, width)))
    mask = torch.from_numpy(rng.random((2, n)) < 0.8) if masked else None
    T = torch.tensor([0.5, 2.0], dtype=torch.float64).reshape(2, 1, 1)
    found = []
    for threshold in (attention.FUSED_FROM, 10**9):
        monkeypatch.setattr(attention, "FUSED_FROM", threshold)
        leaves = [x.clone().requires_grad_() for x in (*arrays, T)]
        out = attend(*leaves[:3], similarity=name, temperature=leaves[3], mask=mask)
        out.square().sum().backward()
        found.append([out.detach(), *(x.grad for x in leaves)])
    for fused, explicit in zip(*found, strict=True):
        assert_allclose(fused, explicit, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("name", FUSED)
def test__attend__small_tasks_in_blocks__equals_all_at_once(name, masked, rng, monkeypatch):
    q, k, v = plain.tensors(*(rng.normal(size=(2, 5, n, 3)) for n in (4, 6, 6)))
    mask = torch.from_numpy(rng.random((2, 5, 6)) < 0.7) if masked else None
    T = torch.from_numpy(rng.uniform(0.5, 2, (2, 1, 1, 1)))
    whole = attend(q, k, v, similarity=name, temperature=T, mask=mask)
    monkeypatch.setattr(attention, "BLOCK", 3 * 4 * 6)  # three tasks, the last block smaller
    assert_allclose(attend(q, k, v, similarity=name, temperature=T, mask=mask), whole, rtol=1e-12)


@pytest.mark.parametrize("name", SIMILARITIES)
def test__attend__no_queries__no_answers(name, qkv):
    q, k, v = qkv
    assert attend(q[:0], k, v, similarity=name).shape == (0, 2)


def test__attend__many_keys__calls_the_fused_kernel(rng, monkeypatch):
    """So that the comparison above compares two things."""
    calls = []
    kernel = torch.nn.functional.scaled_dot_product_attention
    monkeypatch.setattr(
        torch.nn.functional, "scaled_dot_product_attention", lambda *a, **k: calls.append(1) or kernel(*a, **k)
    )
    x = torch.from_numpy(rng.normal(size=(attention.FUSED_FROM, 2)))
    attend(x, x, x)
    attend(x[1:], x[1:], x[1:])
    assert len(calls) == 1


# ---------------------------------------------------------------- gradients


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("name", SIMILARITIES)
def test__attend__gradients__equal_finite_differences(name, masked, qkv):
    mask = torch.tensor([True, True, False, True, True, True]) if masked else None
    leaves = [x.requires_grad_() for x in qkv]
    assert torch.autograd.gradcheck(
        lambda q, k, v: attend(q, k, v, similarity=name, temperature=0.5, mask=mask), leaves
    )


@pytest.mark.parametrize(
    "name",
    [
        "dot",
        "cosine",
        "euclidean",
        "laplace",
    ],
)
def test__attend__second_derivatives__equal_finite_differences(name, qkv):
    leaves = [x[:2].clone().requires_grad_() for x in qkv]
    assert torch.autograd.gradgradcheck(lambda q, k, v: attend(q, k, v, similarity=name, temperature=0.5), leaves)


@pytest.mark.parametrize(
    "masked",
    [False, True],
)
def test__log_attention__gradient_to_the_temperature__is_finite(masked, qkv):
    q, k, _ = qkv
    T = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
    mask = torch.tensor([True] * 5 + [False]) if masked else None
    log_attention(q, k, temperature=T, mask=mask)[:, :5].sum().backward()
    assert T.grad.isfinite()
