"""Algorithm 1 differentiated: against finite differences, task by task, fused and explicit."""

import pytest
import torch
from numpy.testing import assert_allclose

from polythetic import attention
from polythetic.selection import score_features
from tests import plain


def double(x):
    return torch.tensor(x, dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize(
    ("similarity", "temperature", "sizes"),
    [
        (similarity, temperature, sizes)
        for similarity in plain.SIMILARITIES
        for temperature in ("auto", 0.5)
        for sizes in ((3, 3), (4, 2))
    ],
)
def test__score_features__gradients__equal_finite_differences(similarity, temperature, sizes):
    X, y, _ = plain.task(4, sizes, features=2)
    for dispersion in plain.DISPERSIONS:
        assert torch.autograd.gradcheck(
            lambda x, d=dispersion: score_features(x, y, similarity=similarity, temperature=temperature, dispersion=d),
            double(X),
            fast_mode=dispersion != "std",
        )


@pytest.mark.parametrize(
    ("similarity", "sizes"),
    [
        ("dot", (2, 2)),
        ("dot", (3, 2)),
        ("euclidean", (2, 2)),
        ("euclidean", (3, 2)),
        ("cosine", (2, 2)),
        ("cosine", (3, 2)),
    ],
)
def test__score_features__second_derivatives__equal_finite_differences(similarity, sizes):
    X, y, _ = plain.task(4, sizes, features=2)
    assert torch.autograd.gradgradcheck(lambda x: score_features(x, y, similarity=similarity), double(X))


@pytest.mark.parametrize("dispersion", plain.DISPERSIONS)
@pytest.mark.parametrize("similarity", plain.SIMILARITIES)
@pytest.mark.parametrize("eps", [1e-7, 0.0])
def test__score_features__constant_features_and_duplicate_rows__gradients_are_finite(similarity, dispersion, eps):
    X = double([[1.0, 5.0, 0.3], [1.0, 5.0, 0.3], [1.0, 5.0, 0.3], [-2.0, 5.0, 0.3], [-2.0, 5.0, 0.1], [0.0, 5.0, 0.1]])
    score_features(X, [0, 0, 0, 1, 1, 1], similarity=similarity, dispersion=dispersion, eps=eps).sum().backward()
    assert X.grad.isfinite().all()
    assert (X.grad[:, 1] == 0).all()


@pytest.mark.parametrize(
    "similarity",
    ["dot", "cosine", "euclidean", "laplace"],
)
def test__score_features__batch_with_different_numbers_of_classes__gradients_equal_those_of_each_task(similarity):
    tasks = [plain.task(seed, sizes) for seed, sizes in enumerate(plain.SIZES)]
    support, labels, mask, _ = plain.padded(tasks, garbage=0.0, rows=12)
    batch = double(support)
    score_features(batch, labels, mask=mask, similarity=similarity).square().sum().backward()
    for t, (X, y, _) in enumerate(tasks):
        one = double(X)
        score_features(one, y, similarity=similarity).square().sum().backward()
        assert_allclose(batch.grad[t][mask[t]], one.grad, rtol=1e-6, atol=1e-9)
        assert (batch.grad[t][~mask[t]] == 0).all()


@pytest.mark.parametrize("similarity", ["dot", "cosine", "euclidean"])
def test__score_features__fused_attention__equals_explicit(similarity, monkeypatch):
    X, y, _ = plain.task(6, (attention.FUSED_FROM + 40, attention.FUSED_FROM), features=3)
    found = []
    for threshold in (attention.FUSED_FROM, 10**9):
        monkeypatch.setattr(attention, "FUSED_FROM", threshold)
        x = double(X)
        scores = score_features(x, y, similarity=similarity)
        scores.square().sum().backward()
        found.append((scores.detach(), x.grad))
    for fused, explicit in zip(*found, strict=True):
        assert_allclose(fused, explicit, rtol=1e-6, atol=1e-10)
