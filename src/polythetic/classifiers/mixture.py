"""Infinite mixture prototypes: a class is as many clusters as its rows call for, from one mean to every row.

Allen, Shelhamer, Shin and Tenenbaum, Infinite Mixture Prototypes for Few-Shot Learning, 2019.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from polythetic.attention import log_attention
from polythetic.errors import InputError
from polythetic.grouping import group_by_class
from polythetic.memory import COPIES, ensure_room, row_chunks
from polythetic.similarity import similarity_named

EMPTY = 1e-3  # a cluster that is given less than this of a row is dropped, as in the code its authors released


class Clusters(NamedTuple):
    """The clusters of each class, padded where classes differ in their number."""

    centres: Float[Tensor, "*tasks K C F"]
    exist: Bool[Tensor, "*tasks K C"]


class MixturePrototypes(nn.Module):
    """p(k | q) ∝ exp(−‖q − c‖² / 2σ), with c the cluster of class k that is nearest to q.

    Clusters of a class come from one pass over its rows. The first is the mean of them all; each row whose squared
    distance to every cluster so far exceeds λ = −2σ ln α + dσ ln(1 + ρ/σ) opens one of its own. Then the rows are
    shared out among their class's clusters by softmax(−‖x − c‖² / 2σ), and each cluster becomes the mean of its
    share; those left with nothing are dropped. d is the number of features and ρ, the variance of the distribution
    that clusters are drawn from, is estimated as its authors do: the variance of the class means, averaged over
    features.

    The pass takes rows in the order given, and another order may open other clusters. Which open is a choice and has
    no derivative; everything else has, the shares too, which the authors hold fixed. Unlike the other classifiers'
    automatic temperature, σ is absolute: scaled features are another task.

    Args:
        sigma: the variance σ of clusters in each direction, to begin with. It is learned, as ``log_sigma``.
        alpha: the concentration α of the process that opens clusters; the larger, the more of them.

    >>> support, labels = torch.tensor([[-4.0], [4.0], [0.0], [0.0]]), torch.tensor([0, 0, 1, 1])
    >>> MixturePrototypes(sigma=1.0)(support, labels, torch.tensor([[-4.0], [3.0], [1.0]])).argmax(-1)
    tensor([0, 0, 1])

    The means coincide at 0, so ρ = 0 and λ = −2 ln 0.1 = 4.6: −4 and 4, both 16 away from 0, open clusters.
    """

    def __init__(self, sigma: float = 5.0, alpha: float = 0.1):
        super().__init__()
        if not 0 < sigma < math.inf:
            raise InputError("sigma", sigma, "a variance, more than 0 and finite")
        if not 0 < alpha <= 1:  # beyond 1, λ could be negative: a row would open a cluster where one stands already
            raise InputError("alpha", alpha, "a concentration, more than 0 and at most 1")
        self.alpha = alpha
        self.log_sigma = nn.Parameter(torch.tensor(math.log(sigma)))  # σ stays positive whatever is learned

    @property
    def sigma(self) -> Float[Tensor, ""]:
        """The variance σ of clusters in each direction."""
        return self.log_sigma.exp()

    def extra_repr(self) -> str:
        """Show the settings."""
        return f"sigma={self.sigma.item():.4g}, alpha={self.alpha:.4g}"

    def forward(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        query: Float[Tensor, "*tasks q F"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks q K"]:
        """Return log-probabilities, a column a class in ascending order of label."""
        clusters = self.clusters(support, labels, mask)
        shape = clusters.exist.shape[-2:]
        c, exist = clusters.centres.flatten(-3, -2), clusters.exist.flatten(-2)  # [*tasks, K·C, F], [*tasks, K·C]
        nearest = []
        for rows in row_chunks(query, c, what="classification"):
            similarities = similarity_named("euclidean").pairwise(query[..., rows, :], c, exist)  # −‖q − c‖²
            similarities = similarities.masked_fill(~exist[..., None, :], -math.inf)
            nearest.append(similarities.unflatten(-1, shape).amax(-1))  # [*tasks, rows, K]
        logits = torch.cat(nearest, -2)
        gap = logits - logits.detach().amax(-1, keepdim=True)  # no σ can overflow it
        has_class = clusters.exist.any(-1)[..., None, :]  # [*tasks, 1, K]
        gap = torch.where(has_class, gap, 0)  # finite before the division, or σ's gradient is NaN
        return (gap / (2 * self.sigma.to(gap))).masked_fill(~has_class, -math.inf).log_softmax(-1)

    def clusters(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Clusters:
        """Find the clusters of each class, classes in ascending order of label.

        >>> outer, inner = torch.tensor([[-4.0], [4.0]]), torch.tensor([[0.0], [0.0]])
        >>> MixturePrototypes(sigma=1.0).clusters(torch.cat([outer, inner]), torch.tensor([0, 0, 1, 1])).exist
        tensor([[False,  True,  True],
                [ True, False, False]])
        """
        groups = group_by_class(labels, mask)
        _ensure_room(groups.present, support.shape[-1], support)
        x, present = groups.split(support), groups.present  # [*tasks, K, M, F], [*tasks, K, M]
        mean = x.sum(-2, keepdim=True) / groups.sizes.clamp(min=1)[..., None, None]  # [*tasks, K, 1, F]
        with torch.no_grad():
            opens = _opening_rows(x, present, mean, self._threshold(mean.squeeze(-2), groups.sizes > 0))
        first = torch.ones_like(opens[..., :1])
        candidates, opened = torch.cat([mean, x], -2), torch.cat([first, opens], -1)  # [*tasks, K, 1 + M, F] and less F

        C = int(opened.sum(-1).max())
        _ensure_room(present, C, support)
        order = (~opened).byte().argsort(dim=-1, stable=True)[..., :C]  # those that are open, in the order of opening
        c, opened = candidates.take_along_dim(order[..., None], -2), opened.take_along_dim(order, -1)
        shares = log_attention(x, c, similarity="euclidean", temperature=2 * self.sigma.to(x), mask=opened).exp()
        shares = shares * present[..., None]  # [*tasks, K, M, C]
        total = shares.sum(-2)  # [*tasks, K, C], in rows
        return Clusters(shares.mT @ x / total.clamp(min=EMPTY)[..., None], total > EMPTY)

    def _threshold(
        self, means: Float[Tensor, "*tasks K F"], exist: Bool[Tensor, "*tasks K"]
    ) -> Float[Tensor, "*tasks 1"]:
        """Return λ, the squared distance to all clusters beyond which a row opens a cluster."""
        sigma, d = self.sigma.to(means), means.shape[-1]
        weight, count = exist[..., None].to(means), exist.sum(-1, keepdim=True)  # [*tasks, K, 1], [*tasks, 1]
        centre = (means * weight).sum(-2, keepdim=True) / count[..., None]
        scatter = ((means - centre).square() * weight).sum(-2) / (count - 1).clamp(min=1)  # [*tasks, F]
        rho = scatter.mean(-1, keepdim=True)
        return -2 * sigma * math.log(self.alpha) + d * sigma * (rho / sigma).log1p()


def _opening_rows(
    x: Float[Tensor, "*tasks K M F"],
    present: Bool[Tensor, "*tasks K M"],
    mean: Float[Tensor, "*tasks K 1 F"],
    threshold: Float[Tensor, "*tasks 1"],
) -> Bool[Tensor, "*tasks K M"]:
    """Say which rows open a cluster: one pass, a row of every class of every task at each step."""
    nearest = (x - mean).square().sum(-1)  # of each row, its squared distance to the nearest cluster so far
    opens = torch.zeros_like(present)
    for m in range(x.shape[-2]):
        opens[..., m] = present[..., m] & (nearest[..., m] > threshold)
        if bool(opens[..., m].any()):
            away = (x - x[..., m : m + 1, :]).square().sum(-1)
            nearest = torch.where(opens[..., m : m + 1], torch.minimum(nearest, away), nearest)
    return opens


def _ensure_room(places: Tensor, times: int, like: Tensor) -> None:
    """Refuse classes too large or too many to hold so many numbers for each place of each."""
    tasks, (K, M) = places.shape[:-2].numel(), places.shape[-2:]
    ensure_room(
        COPIES * like.element_size() * places.numel() * times,
        f"clustering {tasks} task(s) of up to {K} classes of up to {M} rows",
        "give fewer tasks at a time, or fewer rows",
    )
