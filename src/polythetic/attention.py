"""Attention with a temperature: softmax(sim(Q, K) / T) V, for four similarities (§2, App. B, App. C.1).

The paper writes the softmax with the inverse temperature τ = 1 / T; everything here takes T. Its limits are
part of the definition: T = 0 attends to the nearest key (ties shared equally), T = ∞ to all keys alike.

A similarity grows with the number of features, so one absolute temperature cannot serve 5 features and
5,000. ``auto_temperature`` measures the typical size of the similarity on the keys themselves and divides by
a fixed sharpness; on standardised features with dot-product attention that is T = F / sharpness.
"""

from __future__ import annotations

import math
from typing import TypeAlias

import torch
from jaxtyping import Bool, Float
from torch import Tensor
from torch.nn import functional

from polythetic.errors import InputError
from polythetic.memory import row_chunks
from polythetic.similarity import similarity_named

Temperature: TypeAlias = float | str  # a number from 0 to infinity, or "auto"

# Below this many keys the explicit softmax is as quick as the fused kernel, and can be differentiated twice.
FUSED_FROM = 256
BLOCK = 2**19  # weights of small tasks computed at a time: they stay in the cache, and in memory already mapped
SMALLEST_PLAIN = 1e-6


def check_temperature(temperature: object) -> Temperature:
    """Return the temperature if it is ``"auto"`` or a number from 0 to infinity, or say what is wrong with it.

    >>> check_temperature(0.5)
    0.5
    """
    if isinstance(temperature, str) and temperature == "auto":
        return "auto"
    if isinstance(temperature, bool | str) or not _is_temperature(temperature):
        raise InputError(
            "temperature",
            repr(temperature),
            "'auto', or a number from 0 (nearest neighbour) to infinity (class balance)",
        )
    return float(temperature)  # type: ignore[arg-type]


def _is_temperature(value: object) -> bool:
    try:
        return float(value) >= 0  # type: ignore[arg-type]  # False for NaN
    except (TypeError, ValueError, RuntimeError):
        return False


def auto_temperature(
    key: Float[Tensor, "*tasks n F"],
    *,
    similarity: str = "dot",
    sharpness: float,
    mask: Bool[Tensor, "*tasks n"] | None = None,
) -> Float[Tensor, "*tasks 1 1"]:
    """Give the temperature at which the typical similarity among the keys is ``sharpness`` times T.

    The typical similarity is the total variance of the keys for the dot product (the number of features, if
    they are standardised and not constant), twice that for the squared Euclidean distance (the mean squared
    distance of two rows), the total mean absolute deviation for Laplace, and 1 for the cosine.

    >>> signs = torch.tensor([[1.0, 1.0, 7.0], [-1.0, 1.0, 7.0], [1.0, -1.0, 7.0], [-1.0, -1.0, 7.0]])
    >>> auto_temperature(signs, sharpness=8.0).item()  # two features vary, the third does not
    0.25
    """
    return similarity_named(similarity).spread(key, mask) / sharpness


def log_attention(
    query: Float[Tensor, "*tasks q F"],
    key: Float[Tensor, "*tasks n F"],
    *,
    similarity: str = "dot",
    temperature: float | Tensor = 1.0,
    mask: Bool[Tensor, "*tasks n"] | None = None,
) -> Float[Tensor, "*tasks q n"]:
    """Return log softmax(sim(Q, K) / T), row by row; keys whose mask is False are not attended to.

    >>> query, key = torch.tensor([[1.0]]), torch.tensor([[1.0], [-1.0]])
    >>> log_attention(query, key, temperature=0).exp().tolist()
    [[1.0, 0.0]]
    >>> log_attention(query, key, temperature=float("inf")).exp().tolist()
    [[0.5, 0.5]]
    """
    temperature = _checked(temperature)
    bias = None if mask is None else _bias(mask, query.dtype)[..., None, :]
    if isinstance(temperature, Tensor) or 0 < temperature < math.inf:
        similarities = similarity_named(similarity).pairwise(query, key, mask)  # [*, q, n]
        best = (similarities if bias is None else similarities + bias).detach().amax(-1, keepdim=True)
        gap = similarities - best  # ≤ 0, and exactly 0 at the best key: no temperature can overflow it
        if mask is not None:
            gap = torch.where(mask[..., None, :], gap, 0)  # finite before the division, or gradients are NaN
        logits = gap / _divisor(temperature, gap.dtype)
    elif temperature == 0:
        similarities, size = similarity_named(similarity).nearest(query.detach(), key.detach())
        best = (similarities if bias is None else similarities + bias).amax(-1, keepdim=True)
        tied = similarities - best >= -16 * torch.finfo(query.dtype).eps * size
        logits = torch.zeros_like(similarities).masked_fill(~tied, -math.inf)
    else:
        logits = query.new_zeros(*query.shape[:-1], key.shape[-2])
    return (logits if bias is None else logits + bias).log_softmax(-1)


def attend(
    query: Float[Tensor, "*tasks q F"],
    key: Float[Tensor, "*tasks n F"],
    value: Float[Tensor, "*tasks n V"],
    *,
    similarity: str = "dot",
    temperature: float | Tensor = 1.0,
    mask: Bool[Tensor, "*tasks n"] | None = None,
) -> Float[Tensor, "*tasks q V"]:
    """Return softmax(sim(Q, K) / T) V, never holding the whole matrix of weights where it is large.

    >>> x = torch.tensor([[1.0, 0.0], [0.0, 1.0]])
    >>> attend(x, x, x, temperature=float("inf")).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    temperature = _checked(temperature)
    form = similarity_named(similarity).as_dot
    if form is not None and _is_soft(temperature):
        return _dot_product_attention(*form(query, key, mask), value, temperature, mask)
    parts = [
        log_attention(query[..., rows, :], key, similarity=similarity, temperature=temperature, mask=mask).exp() @ value
        for rows in row_chunks(query, key, what="attention")
    ]
    return parts[0] if len(parts) == 1 else torch.cat(parts, -2)


def _checked(temperature: float | Tensor) -> float | Tensor:
    if isinstance(temperature, Tensor):
        return temperature
    return float(check_temperature(temperature))


def _divisor(temperature: float | Tensor, dtype: torch.dtype) -> Tensor:
    """Give T as a tensor by which any finite number can be divided."""
    limits = torch.finfo(dtype)
    if not isinstance(temperature, Tensor):
        temperature = torch.tensor(min(temperature, limits.max), dtype=dtype)
    return temperature.clamp(min=limits.tiny, max=limits.max)


def _is_soft(temperature: float | Tensor) -> bool:
    """Whether similarities can be divided by T outright: neither a limit nor so small that they overflow."""
    return isinstance(temperature, Tensor) or SMALLEST_PLAIN <= temperature < math.inf


def _dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, temperature: float | Tensor, mask: Tensor | None
) -> Tensor:
    """softmax(QKᵀ / T) V, task by task: in blocks of small tasks, or without the matrix where a task is large."""
    shape = (*query.shape[:-1], value.shape[-1])
    query = query / _divisor(temperature, query.dtype)
    count = math.prod(shape[:-2])
    query, key, value = (x.reshape(count, *x.shape[-2:]) for x in (query, key, value))
    mask = None if mask is None else mask.reshape(count, 1, mask.shape[-1])
    if key.shape[-2] >= FUSED_FROM:
        return _fused(query, key, value, mask).reshape(shape)
    tasks = max(1, BLOCK // max(1, query.shape[-2] * key.shape[-2]))
    bias = None if mask is None else _bias(mask, query.dtype)
    blocks = [slice(start, start + tasks) for start in range(0, len(query), tasks)]
    parts = [_explicit(query[b], key[b], value[b], None if bias is None else bias[b]) for b in blocks]
    return (parts[0] if len(parts) == 1 else torch.cat(parts)).reshape(shape)


def _explicit(query: Tensor, key: Tensor, value: Tensor, bias: Tensor | None) -> Tensor:
    logits = query @ key.mT
    if bias is not None:
        logits = logits + bias
    return (value.mT @ logits.softmax(-1).mT).mT  # weights @ value; twice as quick where features are few


def _fused(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> Tensor:
    padding = query.shape[-1] - value.shape[-1]  # the kernel wants queries, keys and values of one width
    padded = functional.pad(value, (0, max(padding, 0)))
    q, k, v = (x[:, None] for x in (query, key, padded))
    out = functional.scaled_dot_product_attention(q, k, v, attn_mask=None if mask is None else mask[:, None], scale=1.0)
    return out[:, 0, :, : value.shape[-1]]


def _bias(mask: Tensor, dtype: torch.dtype) -> Tensor:
    """What to add to logits so that keys outside the mask get no weight; quicker than filling them."""
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, -math.inf)
