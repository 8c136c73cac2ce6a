"""Similarities of vectors: dot product, cosine, squared Euclidean and Laplace (§2, App. C.1)."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
from torch import Tensor

from polythetic.arguments import one_of

SMALL = 2**22  # differences held at once by the L1 distance that can be differentiated twice


class Similarity(NamedTuple):
    """A similarity of vectors. Keys whose mask is False are padding: whatever stands there must not matter.

    Attributes:
        pairwise: similarities of all queries to all keys.
        spread: the typical size of the similarity among the keys.
        as_dot: queries and keys whose dot products have the same softmax over the keys, if there are such.
        nearest: similarities with all their digits, to tell the nearest key, and the size of what was summed in
            them: two that differ by less than rounding at that size are tied.
    """

    pairwise: Callable[[Tensor, Tensor, Tensor | None], Tensor]  # [*, q, F], [*, n, F], [*, n] -> [*, q, n]
    spread: Callable[[Tensor, Tensor | None], Tensor]  # [*, n, F], [*, n] -> [*, 1, 1]
    as_dot: Callable[[Tensor, Tensor, Tensor | None], tuple[Tensor, Tensor]] | None
    nearest: Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def _dot(query: Tensor, key: Tensor, mask: Tensor | None = None) -> Tensor:
    return query @ key.mT


def _dot_nearest(query: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
    return _dot(query, key), query.norm(dim=-1, keepdim=True) * key.norm(dim=-1)[..., None, :]


def _cosine(query: Tensor, key: Tensor, mask: Tensor | None = None) -> Tensor:
    return _unit(query) @ _unit(key).mT


def _cosine_nearest(query: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
    cosine = _cosine(query, key)
    return cosine, torch.ones_like(cosine)


def _unit(x: Tensor) -> Tensor:
    """Scale to length 1; zeros stay zeros, with derivatives of 0."""
    square = x.square().sum(-1, keepdim=True)
    return x * torch.where(square > 0, square, 1).rsqrt() * (square > 0)


def _centred(query: Tensor, key: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    """Move the keys to the origin: far from there, ‖q‖² + ‖k‖² − 2 q·k would lose its digits."""
    centre = _mean_over_rows(key.detach(), mask)
    return query - centre, key - centre


def _euclidean(query: Tensor, key: Tensor, mask: Tensor | None = None) -> Tensor:
    query, key = _centred(query, key, mask)
    squares = query.square().sum(-1, keepdim=True) + key.square().sum(-1)[..., None, :]  # [*, q, n]
    return (2 * query @ key.mT - squares).clamp(max=0)


def _euclidean_as_dot(query: Tensor, key: Tensor, mask: Tensor | None) -> tuple[Tensor, Tensor]:
    # −‖q − k‖² = 2 q·k − ‖k‖² − ‖q‖², and ‖q‖² is the same for every key: one more feature carries ‖k‖².
    query, key = _centred(query, key, mask)
    one = torch.ones_like(query[..., :1])
    return torch.cat([2 * query, one], -1), torch.cat([key, -key.square().sum(-1, keepdim=True)], -1)


def _euclidean_nearest(query: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
    distance = torch.cdist(query, key, compute_mode="donot_use_mm_for_euclid_dist").square()
    return -distance, distance


def _laplace(query: Tensor, key: Tensor, mask: Tensor | None = None) -> Tensor:
    if query.numel() * key.shape[-2] <= SMALL:
        return -(query[..., :, None, :] - key[..., None, :, :]).abs().sum(-1)
    return -torch.cdist(query, key, p=1)  # lean, but can be differentiated only once


def _laplace_nearest(query: Tensor, key: Tensor) -> tuple[Tensor, Tensor]:
    similarities = _laplace(query, key)
    return similarities, -similarities


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


SIMILARITIES: dict[str, Similarity] = {
    "dot": Similarity(_dot, _total_variance, lambda query, key, mask: (query, key), _dot_nearest),
    "cosine": Similarity(
        _cosine,
        lambda x, mask: x.new_ones(*x.shape[:-2], 1, 1),  # already relative: it lies in [−1, 1]
        lambda query, key, mask: (_unit(query), _unit(key)),
        _cosine_nearest,
    ),
    "euclidean": Similarity(
        _euclidean, lambda x, mask: 2 * _total_variance(x, mask), _euclidean_as_dot, _euclidean_nearest
    ),
    "laplace": Similarity(_laplace, _total_deviation, None, _laplace_nearest),
}


def similarity_named(name: str) -> Similarity:
    """Look a similarity up: ``dot``, ``cosine``, ``euclidean`` (negative, squared) or ``laplace`` (negative L1).

    >>> q, k = torch.tensor([[1.0, 1.0]]), torch.tensor([[1.0, -1.0]])
    >>> [similarity_named(name).pairwise(q, k, None).item() for name in SIMILARITIES]
    [0.0, 0.0, -4.0, -2.0]
    """
    one_of("similarity", name, SIMILARITIES)
    return SIMILARITIES[name]
