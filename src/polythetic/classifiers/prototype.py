"""Prototypes: a class is the mean of its rows, a query belongs to the nearest (§2). The threshold classifier.

Snell, Swersky and Zemel, Prototypical Networks for Few-shot Learning, 2017.
"""

from __future__ import annotations

from dataclasses import dataclass

from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.attention import Temperature, log_attention
from polythetic.classifiers.options import SHARPNESS, check_options, log_frequencies, temperature_on
from polythetic.grouping import group_by_class


@dataclass(frozen=True)
class Prototypes:
    """p(k | q) ∝ exp(sim(q, c_k) / T), with c_k the mean of the rows of class k.

    >>> import torch
    >>> support, labels = torch.tensor([[0.0], [2.0], [9.0]]), torch.tensor([0, 0, 1])
    >>> Prototypes()(support, labels, torch.tensor([[4.9], [5.1]])).argmax(-1)  # the means are 1 and 9
    tensor([0, 1])
    """

    similarity: str = "euclidean"
    temperature: Temperature = "auto"
    prior: str = "uniform"
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
        sizes = groups.sizes[..., None]  # [*tasks, K, 1]
        total = support.new_zeros(*sizes.shape[:-2], sizes.shape[-2] + 1, support.shape[-1])  # and one for padding
        total = total.scatter_add(-2, groups.class_of[..., None].expand_as(support), support)
        c = total[..., :-1, :] / sizes.clamp(min=1)  # [*tasks, K, F]
        exists = None if bool((sizes > 0).all()) else sizes.squeeze(-1) > 0
        T = temperature_on(support, mask, self.similarity, self.temperature, self.sharpness)
        log_p = log_attention(query, c, similarity=self.similarity, temperature=T, mask=exists)
        if self.prior == "support":
            log_p = (log_p + log_frequencies(groups, log_p)).log_softmax(-1)
        return log_p
