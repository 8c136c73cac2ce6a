"""From scores to scales: soft rescaling or a top-k mask (§4, App. D)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeAlias

import torch
from jaxtyping import Float
from torch import Tensor

from polythetic.arguments import whole_number
from polythetic.errors import InputError
from polythetic.standardisation import safe_root

Rescaling: TypeAlias = Callable[[Tensor], Tensor]

TIE = 1e-4  # a spread below this share of the largest score is rounding, not a ranking


def raw(scores: Float[Tensor, "*tasks F"]) -> Float[Tensor, "*tasks F"]:
    """Use the scores as they are.

    >>> raw(torch.tensor([0.5, 1.0])).tolist()
    [0.5, 1.0]
    """
    return scores


def normalised(scores: Float[Tensor, "*tasks F"]) -> Float[Tensor, "*tasks F"]:
    """Divide by the mean score, so that features keep their size on average and a temperature its meaning.

    Features that score exactly 0 (constant ones) do not count.

    >>> normalised(torch.tensor([0.5, 1.5])).tolist()
    [0.5, 1.5]
    """
    counts = (scores > 0).sum(-1, keepdim=True).clamp(min=1)
    return scores / (scores.sum(-1, keepdim=True) / counts).clamp(min=torch.finfo(scores.dtype).tiny)


def square_root(scores: Float[Tensor, "*tasks F"]) -> Float[Tensor, "*tasks F"]:
    """Take square roots, the authors' choice with cosine attention; the gradient at 0 is 0.

    >>> square_root(torch.tensor([0.25, 1.0])).tolist()
    [0.5, 1.0]
    """
    return safe_root(scores)


def min_max(scores: Float[Tensor, "*tasks F"], *, scale: float = 1.0, power: float = 1.0) -> Float[Tensor, "*tasks F"]:
    """Stretch the scores over [0, 1], raise them to a power, multiply by a scale; ties all become 1.

    Scores are tied if they are equal up to rounding: stretched, the rounding would pass for a ranking. A power
    above 1 presses the low scores down further. The lowest score always becomes 0: where all features matter, but
    not alike, that drops one that was needed.

    Features that score exactly 0 (constant ones) stay 0 and do not count: what they would stretch is only
    the distance of the others from nothing.

    >>> min_max(torch.tensor([0.25, 0.5, 0.75]), scale=2.0).tolist()
    [0.0, 1.0, 2.0]
    >>> min_max(torch.tensor([0.5, 0.50001, 0.0])).tolist()
    [1.0, 1.0, 0.0]
    """
    if not power >= 1:
        raise InputError("power", power, "1 or more")
    counts = scores > 0
    low = scores.masked_fill(~counts, torch.inf).amin(-1, keepdim=True)
    high = scores.amax(-1, keepdim=True)
    tie = ~(high - low > TIE * high)
    stretched = scale * ((scores - low) / torch.where(tie, 1, high - low)).clamp(min=0) ** power
    return torch.where(counts, torch.where(tie, 1, stretched), 0)


def top_k(scores: Float[Tensor, "*tasks F"], *, k: int) -> Float[Tensor, "*tasks F"]:
    """Keep the k best features as they are and drop the rest; of equal scores the one with the lower index wins.

    >>> top_k(torch.tensor([0.5, 0.9, 0.5]), k=2).tolist()
    [1.0, 1.0, 0.0]
    """
    features = scores.shape[-1]
    k = whole_number("k", k, least=1, most=features, meaning=f"there are {features} features")
    best = scores.argsort(dim=-1, descending=True, stable=True)[..., :k]
    return torch.zeros_like(scores).scatter(-1, best, 1.0)


RESCALINGS: dict[str, Rescaling] = {
    "raw": raw,
    "normalised": normalised,
    "min-max": min_max,
    "min-max-squared": partial(min_max, power=2.0),
    "square-root": square_root,
}


def rescaling_named(rescale: str | Rescaling) -> Rescaling:
    """Look a rescaling up by name; a function of scores, such as ``partial(top_k, k=3)``, is returned as it is.

    >>> rescaling_named("raw") is raw
    True
    """
    if callable(rescale):
        return rescale
    if rescale not in RESCALINGS:
        raise InputError(
            "rescale",
            repr(rescale),
            f"one of {', '.join(RESCALINGS)}, or a function such as partial(top_k, k=3)",
        )
    return RESCALINGS[rescale]
