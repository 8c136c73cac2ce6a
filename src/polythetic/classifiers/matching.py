"""Attention over the support: each query weighs the labels of the rows it resembles (§2).

Vinyals et al., Matching Networks for One Shot Learning, 2016.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.attention import (
    Temperature,
    log_attention,
)
from polythetic.classifiers.options import SHARPNESS, check_options, log_frequencies, temperature_on
from polythetic.grouping import Groups, group_by_class
from polythetic.memory import row_chunks


@dataclass(frozen=True)
class Matching:
    """p(k | q) = the attention that q pays to the rows of class k; T = 0 is the single nearest neighbour.

    The support's class balance acts as a prior (at T = ∞ it is all that is left); ``prior="uniform"`` divides
    it out.

    >>> support, labels = torch.tensor([[0.0], [0.0], [4.0]]), torch.tensor([0, 0, 1])
    >>> Matching(temperature=float("inf"))(support, labels, torch.tensor([[4.0]])).exp()
    tensor([[0.6667, 0.3333]])
    """

    similarity: str = "euclidean"
    temperature: Temperature = "auto"
    prior: str = "support"
    sharpness: float = SHARPNESS

    def __post_init__(self) -> None:
        check_options(self.similarity, self.temperature, self.prior)

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        query: Float[Tensor, "*tasks q F"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks q K"]:
        """Return log-probabilities, a column a class in ascending order of label."""
        groups = group_by_class(labels, mask)
        T = temperature_on(support, mask, self.similarity, self.temperature, self.sharpness)
        if groups.skewed:
            keys, present = support, mask
        else:  # rows of a class side by side, [*tasks, K·M, F]: their weights are summed without looking them up
            keys, present = groups.split(support).flatten(-3, -2), None if groups.even else groups.present.flatten(-2)
        log_sum = _log_sum_anywhere if groups.skewed else _log_sum_side_by_side
        by_class = []
        for rows in row_chunks(query, keys, what="classification"):
            weights = log_attention(query[..., rows, :], keys, similarity=self.similarity, temperature=T, mask=present)
            by_class.append(log_sum(weights, groups))  # [*tasks, rows, K]
        log_p = torch.cat(by_class, -2)
        if self.prior == "uniform":
            log_p = (log_p - log_frequencies(groups, log_p).nan_to_num(neginf=0)).log_softmax(-1)
        return log_p


def _log_sum_side_by_side(log_weights: Float[Tensor, "*tasks q KM"], groups: Groups) -> Float[Tensor, "*tasks q K"]:
    """Sum the weights of each class, in logarithms; −∞ for a class that a task does not have."""
    log_weights = log_weights.unflatten(-1, groups.present.shape[-2:])
    absent = (groups.sizes == 0)[..., None, :]
    if not bool(absent.any()):
        return log_weights.logsumexp(-1)
    # Filled with zeros first: the gradient of a sum of nothing would be NaN.
    return log_weights.masked_fill(absent[..., None], 0).logsumexp(-1).masked_fill(absent, -math.inf)


def _log_sum_anywhere(log_weights: Float[Tensor, "*tasks q n"], groups: Groups) -> Float[Tensor, "*tasks q K"]:
    """The same for rows in any order: slower, but needs no places for rows that large classes have and others not."""
    index = groups.class_of[..., None, :].expand_as(log_weights)
    zeros = log_weights.new_zeros(*log_weights.shape[:-1], groups.present.shape[-2] + 1)  # the last for padding
    top = (zeros - math.inf).scatter_reduce(-1, index, log_weights.detach(), "amax")
    top = top.masked_fill(top.isneginf(), 0)
    total = zeros.scatter_add(-1, index, (log_weights - top.gather(-1, index)).exp())
    return total[..., :-1].log() + top[..., :-1]
