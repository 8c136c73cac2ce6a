"""Dispersion: how far features are still spread out after self-attention (Algorithm 1, last line)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import TypeAlias

import torch
from jaxtyping import Float
from torch import Tensor

from polythetic.errors import SingleRowClassWarning
from polythetic.grouping import Places
from polythetic.standardisation import safe_root

# Rows X [*tasks, K, M, F] come in one part or several, each with the weight [*tasks, K, M, 1] of its rows.
Parts: TypeAlias = Sequence[Tensor]


def _mean(values: Parts, weights: Parts) -> Tensor:
    total = sum((value * weight).sum((-3, -2)) for value, weight in zip(values, weights, strict=True))
    return torch.as_tensor(total) / sum(weight.sum((-3, -2)) for weight in weights)


def _mean_absolute_deviation(Xs: Parts, centre: Tensor, weights: Parts) -> Tensor:
    return _mean([(X - centre).abs() for X in Xs], weights)


def _standard_deviation(Xs: Parts, centre: Tensor, weights: Parts) -> Tensor:
    return safe_root(_mean([(X - centre).square() for X in Xs], weights))


def _mean_absolute_value(Xs: Parts, centre: Tensor, weights: Parts) -> Tensor:
    """Mean absolute value in each class, summed over the classes: what the authors' image experiments use."""
    in_each_class = [(X.abs() * w).sum(-2) / w.sum(-2).clamp(min=1) for X, w in zip(Xs, weights, strict=True)]
    return torch.stack([means.sum(-2) for means in in_each_class]).sum(0)


DISPERSIONS: dict[str, Callable[[Parts, Tensor, Parts], Tensor]] = {
    "mad": _mean_absolute_deviation,
    "std": _standard_deviation,
    "mav": _mean_absolute_value,
}


def dispersion_of(Xs: Parts, parts: Sequence[Places], name: str) -> Float[Tensor, "*tasks F"]:
    """Measure the dispersion of rows, sorted into their classes, about the mean of them all.

    A class of one row attends only to itself and keeps everything: it counts towards the mean, but how far it
    lies from there says nothing of which features matter. Where every class is such, all features score 1.
    """
    present = [part.present[..., None].to(X.dtype) for X, part in zip(Xs, parts, strict=True)]  # [*tasks, K, M, 1]
    centre = _mean(Xs, present)[..., None, None, :]
    informative = [(part.sizes > 1)[..., None, None] for part in parts]  # [*tasks, K, 1, 1]
    lonely = ~torch.stack([classes.any(-3).squeeze(-1) for classes in informative]).any(0)  # [*tasks, 1]
    weights = [p * (classes | lonely[..., None, None]) for p, classes in zip(present, informative, strict=True)]
    scores = DISPERSIONS[name](Xs, centre, weights)
    if any(bool((part.sizes == 1).any()) for part in parts):
        warnings.warn(
            "a class has only one row, which says nothing of which features matter: features are scored on the "
            "other classes, or all alike where there are none",
            SingleRowClassWarning,
            stacklevel=2,
        )
        varies = [(((X - centre) * p) != 0).any(-2).any(-2) for X, p in zip(Xs, present, strict=True)]
        scores = torch.where(lonely, torch.stack(varies).any(0).to(scores.dtype), scores)
    return scores
