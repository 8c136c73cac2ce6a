"""Similarities of vectors: dot product, cosine, squared Euclidean and Laplace (§2, App. C.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from polythetic.errors import InputError


class Similarity(NamedTuple):
    """A similarity of vectors, its typical size on a set of them, and its form as a dot product."""

    pairwise: Callable[[Tensor, Tensor], Tensor]  # [*, q, F], [*, n, F] -> [*, q, n]
    spread: Callable[[Tensor, Tensor | None], Tensor]  # [*, n, F] -> [*, 1, 1]
    as_dot: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]] | None  # Q', K' whose softmax(Q'K'ᵀ) is the same


def _dot(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.mT


def _cosine(query: Tensor, key: Tensor) -> Tensor:
    return _unit(query) @ _unit(key).mT


def _squared_euclidean(query: Tensor, key: Tensor) -> Tensor:
    # ‖q − k‖² = ‖q‖² + ‖k‖² − 2 q·k loses digits far from the origin, so move the keys there first.
    centre = key.mean(-2, keepdim=True)
    query, key = query - centre, key - centre
    squares = query.square().sum(-1, keepdim=True) + key.square().sum(-1)[..., None, :]  # [*, q, n]
    return (2 * query @ key.mT - squares).clamp(max=0)


def _laplace(query: Tensor, key: Tensor) -> Tensor:
    return -torch.cdist(query, key, p=1)


def _unit(x: Tensor) -> Tensor:
    return functional.normalize(x, dim=-1)


def _mean_over_rows(x: Tensor, mask: Tensor | None) -> Tensor:
    if mask is None:
        return x.mean(-2, keepdim=True)
    weight = mask[..., None].to(x.dtype)
    return (x * weight).sum(-2, keepdim=True) / weight.sum(-2, keepdim=True).clamp(min=1)


def _total_variance(x: Tensor, mask: Tensor | None) -> Tensor:
    centre = _mean_over_rows(x, mask)
    return _mean_over_rows((x - centre).square(), mask).sum(-1, keepdim=True)


def _total_deviation(x: Tensor, mask: Tensor | None) -> Tensor:
    centre = _mean_over_rows(x, mask)
    return _mean_over_rows((x - centre).abs(), mask).sum(-1, keepdim=True)


def _euclidean_as_dot(query: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
    # −‖q − k‖² = 2 q·k − ‖k‖² − ‖q‖², and ‖q‖² is the same for every key: one more feature carries ‖k‖².
    one = torch.ones_like(query[..., :1])
    return torch.cat([2 * query, one], -1), torch.cat([key, -key.square().sum(-1, keepdim=True)], -1)


SIMILARITIES: dict[str, Similarity] = {
    "dot": Similarity(_dot, _total_variance, lambda query, key: (query, key)),
    "cosine": Similarity(
        _cosine,
        lambda x, mask: x.new_ones(*x.shape[:-2], 1, 1),  # already relative: it lies in [−1, 1]
        lambda query, key: (_unit(query), _unit(key)),
    ),
    "euclidean": Similarity(_squared_euclidean, lambda x, mask: 2 * _total_variance(x, mask), _euclidean_as_dot),
    "laplace": Similarity(_laplace, _total_deviation, None),
}


def similarity_named(name: str) -> Similarity:
    """Look a similarity up: ``dot``, ``cosine``, ``euclidean`` (negative, squared) or ``laplace`` (negative L1).

    >>> q, k = torch.tensor([[1.0, 1.0]]), torch.tensor([[1.0, -1.0]])
    >>> [similarity_named(name).pairwise(q, k).item() for name in SIMILARITIES]
    [0.0, 0.0, -4.0, -2.0]
    """
    if name not in SIMILARITIES:
        raise InputError("similarity", repr(name), f"one of {', '.join(SIMILARITIES)}")
    return SIMILARITIES[name]
