"""Directions: the few mixtures of features in which the classes differ, in their means or in what varies together.

Features that a network has learned do not each stand for one attribute: attributes are directions among them, and no
scale for each feature can bring these out. Moments can. Where a class has a feature of its own, the classes differ in
their means. Where a class is an XOR of two attributes with directions u and v, their means agree, but the attributes go
together in one class and against each other in the other: the second moments of the classes differ by a multiple of
u vᵀ + v uᵀ, whose eigenvectors span u and v.

Both are in closed form, on the principal components of the support. How many components to take, and which moments, is
decided by the support itself: each fold is classified by attention to the others, projected as these alone say.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.arguments import whole_number
from polythetic.standardisation import Statistics

SIZES = (4, 8, 12, 16, 24, 32, 48, 64)  # principal components that are tried
SHARPNESS = 10.0  # of the attention that judges, as of attention on given features
DOUBT = 0.01  # no class is ever certain: one row that is far off must not decide
ASKED = 2000  # rows at most whose classes are foreseen
NEGLIGIBLE = 1e-5  # a principal component this much smaller than the first is rounding


@dataclass(frozen=True)
class Directions:
    """Project support and query on the directions in which the classes of the support differ.

    It takes the place of a selection before a classifier, and like one needs nothing but the support. Patterns of three
    features or more leave no trace in second moments: then, and wherever nothing is gained, features are standardised
    and left as they are; so they are where a class has fewer rows than there are folds. The directions count as given:
    no gradient passes through how they were found.

    Attributes:
        folds: parts of the support that are foreseen from the others.
        eps: the ε of the standardisation.

    >>> from polythetic.classifiers import method_named
    >>> attributes = torch.randint(2, (120, 6), generator=torch.Generator().manual_seed(0)).float() * 2 - 1
    >>> mixed = attributes @ torch.randn(6, 6, generator=torch.Generator().manual_seed(1))  # no feature is an attribute
    >>> xor = (attributes[:, 0] * attributes[:, 1] > 0).long()
    >>> directed = method_named("D+MN").predict(mixed[:90], xor[:90], mixed[90:])
    >>> float((directed == xor[90:]).float().mean())
    1.0
    """

    folds: int = 6
    eps: float = 1e-7

    def __post_init__(self) -> None:
        whole_number("folds", self.folds, least=2)

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        query: Float[Tensor, "*tasks q F"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n m"], Float[Tensor, "*tasks q m"]]:
        """Return support and query, projected; where tasks have fewer directions than others, the rest are zeros."""
        statistics = Statistics.of(support, mask, eps=self.eps)
        z, x = statistics.standardise(support), statistics.standardise(query)
        rows = torch.ones_like(labels, dtype=torch.bool) if mask is None else mask
        n, F = z.shape[-2:]
        each = zip(z.detach().reshape(-1, n, F), labels.reshape(-1, n), rows.reshape(-1, n), strict=True)
        found = [self.directions(one[kept], label[kept]) for one, label, kept in each]
        width = max(one.shape[-1] for one in found)
        W = torch.stack([torch.nn.functional.pad(one, (0, width - one.shape[-1])) for one in found])
        W = W.reshape(*z.shape[:-2], F, width)
        farthest = torch.finfo(x.dtype).max ** 0.4  # beyond this, a query's distances would overflow
        return z @ W, x.clamp(-farthest, farthest) @ W

    def directions(self, z: Float[Tensor, "n F"], labels: Int[Tensor, " n"]) -> Float[Tensor, "F m"]:
        """Return the directions of one task, as columns, each as long as it matters; z is standardised."""
        classes, y, rows = labels.unique(return_inverse=True, return_counts=True)
        as_they_are = torch.eye(z.shape[-1], dtype=z.dtype, device=z.device)
        basis = _components(z)
        if len(classes) < 2 or rows.min() < self.folds or not basis.shape[-1]:
            return as_they_are
        a = z @ basis  # [n, r], uncorrelated and of variance 1
        fold = _folds(a[:, 0], y, self.folds)
        member = torch.nn.functional.one_hot(y).to(z.dtype)  # [n, K]
        best, chosen = _foresight(z.expand(self.folds, -1, -1), fold, member), as_they_are
        for size, P in _candidates(a, fold, member, self.folds):
            told = _foresight(a[:, :size] @ P[:-1], fold, member)
            if told > best:
                best, chosen = told, basis[:, :size] @ P[-1]
        return chosen


def _components(z: Float[Tensor, "n F"]) -> Float[Tensor, "F r"]:
    """Return the principal components as columns, such that the rows have variance 1 along each."""
    _, lengths, axes = torch.linalg.svd(z - z.mean(0), full_matrices=False)
    r = min(int((lengths > NEGLIGIBLE * lengths[0]).sum()), max(SIZES))
    basis = axes[:r].mT / lengths[:r] * len(z) ** 0.5
    # An axis has two senses, and chance takes one; the rows are to decide, that their folds do not depend on chance.
    return torch.where((z @ basis).pow(3).sum(0) < 0, -basis, basis)


def _folds(along: Float[Tensor, " n"], y: Int[Tensor, " n"], folds: int) -> Int[Tensor, " n"]:
    """Deal the rows of each class out to the folds, in their order along an axis: the given order does not matter."""
    order = along.argsort()
    order = order[y[order].argsort(stable=True)]
    sizes = torch.bincount(y)
    rank = torch.arange(len(y), device=y.device) - (sizes.cumsum(0) - sizes)[y[order]]
    return torch.empty_like(y).scatter(0, order, rank % folds)


def _candidates(
    a: Float[Tensor, "n r"], fold: Int[Tensor, " n"], member: Float[Tensor, "n K"], folds: int
) -> Iterator[tuple[int, Float[Tensor, "G size m"]]]:
    """Yield a number of components, and directions among these: without each fold in turn, at last with them all."""
    left_out = torch.arange(folds + 1, device=fold.device)[:, None]
    weight = member * (fold != left_out)[..., None]  # [G, n, K]
    count = weight.sum(1).clamp(min=1)  # [G, K]
    share = count / count.sum(-1, keepdim=True)
    mean = torch.einsum("gnk,nr->gkr", weight, a) / count[..., None]
    moment = torch.stack([(w.mT[..., None] * a).mT @ a for w in weight]) / count[..., None, None]  # [G, K, r, r]
    mean = mean - torch.einsum("gk,gkr->gr", share, mean)[:, None]
    moment = moment - torch.einsum("gk,gkrs->grs", share, moment)[:, None]
    between_means = torch.einsum("gk,gkr,gks->grs", share, mean, mean)
    K, r = member.shape[-1], a.shape[-1]
    for size in sorted({min(size, r) for size in SIZES}):
        part = moment[..., :size, :size]
        between_moments = torch.einsum("gk,gkrs->grs", share, part @ part)
        first = _leading(between_means[:, :size, :size], K - 1, power=1 / 2)
        second = _leading(between_moments, 2 * (K - 1), power=1 / 4)
        yield from ((size, P) for P in (first, second, torch.cat([first, second], -1)))


def _leading(M: Float[Tensor, "G r r"], count: int, power: float) -> Float[Tensor, "G r m"]:
    """Return the eigenvectors with the greatest eigenvalues, as long as a power of these."""
    values, vectors = torch.linalg.eigh(M)
    count = min(count, M.shape[-1])
    return vectors[..., -count:] * values[:, None, -count:].clamp(min=0) ** power


def _foresight(projected: Float[Tensor, "G n m"], fold: Int[Tensor, " n"], member: Float[Tensor, "n K"]) -> float:
    """Return the log-likelihood of the rows' classes, each fold's foreseen by attention to the other folds."""
    total, K = 0.0, member.shape[-1]
    asked = torch.arange(len(fold), device=fold.device) % (len(fold) // ASKED + 1) == 0
    for g, Z in enumerate(projected):
        held, kept = (fold == g) & asked, fold != g
        if not (held.any() and kept.any()):
            continue
        T = 2 * Z[kept].var(0, correction=0).sum() / SHARPNESS
        attention = (-torch.cdist(Z[held], Z[kept]).square() / T.clamp(min=torch.finfo(Z.dtype).tiny)).softmax(-1)
        p = (1 - DOUBT) * attention @ member[kept] + DOUBT / K
        total += float((p * member[held]).sum(-1).log().sum())
    return total
