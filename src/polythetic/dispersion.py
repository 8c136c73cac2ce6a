"""Dispersion: how far features are still spread out after self-attention (Algorithm 1, last line)."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import torch
from jaxtyping import Float
from torch import Tensor

from polythetic.errors import SingleRowClassWarning
from polythetic.grouping import Groups
from polythetic.standardisation import safe_root


def _mean_absolute_deviation(X: Tensor, centre: Tensor, weight: Tensor) -> Tensor:
    return ((X - centre).abs() * weight).sum((-3, -2)) / weight.sum((-3, -2))


def _standard_deviation(X: Tensor, centre: Tensor, weight: Tensor) -> Tensor:
    return safe_root(((X - centre).square() * weight).sum((-3, -2)) / weight.sum((-3, -2)))


def _mean_absolute_value(X: Tensor, centre: Tensor, weight: Tensor) -> Tensor:
    """Mean absolute value in each class, summed over the classes: what the authors' image experiments use."""
    return ((X.abs() * weight).sum(-2) / weight.sum(-2).clamp(min=1)).sum(-2)


DISPERSIONS: dict[str, Callable[[Tensor, Tensor, Tensor], Tensor]] = {
    "mad": _mean_absolute_deviation,
    "std": _standard_deviation,
    "mav": _mean_absolute_value,
}


def dispersion_of(X: Float[Tensor, "*tasks K M F"], groups: Groups, name: str) -> Float[Tensor, "*tasks F"]:
    """Measure the dispersion of rows, sorted into their classes, about the mean of them all.

    A class of one row attends only to itself and keeps everything: it counts towards the mean, but how far it
    lies from there says nothing of which features matter. Where every class is such, all features score 1.
    """
    present = groups.present[..., None].to(X.dtype)  # [*tasks, K, M, 1]
    centre = (X * present).sum((-3, -2), keepdim=True) / present.sum((-3, -2), keepdim=True)
    informative = (groups.sizes > 1)[..., None, None]  # [*tasks, K, 1, 1]
    lonely = ~informative.any(-3).squeeze(-1)  # [*tasks, 1]
    weight = present * (informative | lonely[..., None, None])
    scores = DISPERSIONS[name](X, centre, weight)
    if bool((groups.sizes == 1).any()):
        warnings.warn(
            "a class has only one row, which says nothing of which features matter: features are scored on the "
            "other classes, or all alike where there are none",
            SingleRowClassWarning,
            stacklevel=2,
        )
        varies = (((X - centre) * present) != 0).any(-2).any(-2)
        scores = torch.where(lonely, varies.to(X.dtype), scores)
    return scores
