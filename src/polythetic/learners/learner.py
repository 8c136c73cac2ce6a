"""Learner: what learns from tasks. It maps an episode to log-probabilities for its queries."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from polythetic.episodes.episode import Episode
from polythetic.grouping import group_by_class


class Learner(nn.Module, ABC):
    """Learns from tasks, and classifies the queries of new ones."""

    @abstractmethod
    def forward(self, episode: Episode) -> Float[Tensor, "*tasks q K"]:
        """Return log-probabilities, a column a class in ascending order of label."""

    def loss(self, episode: Episode) -> tuple[Tensor, Tensor]:
        """Return the mean negative log-likelihood of the query labels, to be minimised, and the log-probabilities."""
        log_p = self(episode)
        return negative_log_likelihood(log_p, episode), log_p

    def predict(self, support: Any, labels: Any, query: Any, *, mask: Any = None, query_mask: Any = None) -> Any:
        """Return the most probable label of each query."""
        q = query.shape[: labels.ndim]
        unknown = torch.zeros(q, dtype=torch.int64)
        with torch.no_grad():
            best = self(Episode(support, labels, query, unknown, mask, query_mask)).argmax(-1)
        return group_by_class(labels, mask).labels.gather(-1, best)


def columns(episode: Episode) -> Tensor:
    """Return the column of log-probabilities that each query's true label has, [*tasks, q]."""
    classes = group_by_class(episode.support_labels, episode.support_mask).labels  # [*tasks, K], ascending
    return (classes[..., None, :] == episode.query_labels[..., None]).int().argmax(-1)


def negative_log_likelihood(log_p: Float[Tensor, "*tasks q K"], episode: Episode) -> Float[Tensor, ""]:
    """Return the mean of −log p(true label) over the queries of all tasks.

    >>> one = torch.ones(1, 1)
    >>> episode = Episode(torch.eye(2), torch.tensor([3, 8]), one, torch.tensor([8]))
    >>> negative_log_likelihood(torch.tensor([[0.25, 0.75]]).log(), episode)
    tensor(0.2877)
    """
    nll = -log_p.gather(-1, columns(episode)[..., None]).squeeze(-1)  # [*tasks, q]
    if episode.query_mask is None:
        return nll.mean()
    return nll.masked_fill(~episode.query_mask, 0).sum() / episode.query_mask.sum()
