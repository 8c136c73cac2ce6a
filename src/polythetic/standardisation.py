"""Standardising: (x − μ) / (σ + ε), by the statistics of some rows, for these or others (Algorithm 1, line 1)."""

from __future__ import annotations

from numbers import Real
from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from polythetic.errors import InputError

ROUNDING = 16  # units in the last place by which a constant may vary: its noise, and that of sums it came from


class Statistics(NamedTuple):
    """Mean and spread of each feature over some rows, ready to standardise these or others."""

    origin: Tensor  # [*tasks, 1, F] a value of the feature: subtracted first, it saves digits far from zero
    mean: Tensor  # [*tasks, 1, F] of what is left
    scale: Tensor  # [*tasks, 1, F] 1 / (σ + ε); 0 for a constant feature, which can tell nothing apart

    @classmethod
    def of(
        cls, x: Float[Tensor, "*tasks n F"], mask: Bool[Tensor, "*tasks n"] | None = None, *, eps: float
    ) -> Statistics:
        """Measure the rows of x that the mask leaves in."""
        if mask is None:
            low, high = x.detach().aminmax(dim=-2, keepdim=True)
        else:
            keep = mask[..., None]
            low = x.detach().masked_fill(~keep, torch.inf).amin(-2, keepdim=True)
            high = x.detach().masked_fill(~keep, -torch.inf).amax(-2, keepdim=True)
        varies = high > low
        span = torch.where(varies, high - low, 1)
        u = (x - low).div_(span)  # in [0, 1]: squares neither overflow nor vanish
        if mask is None:
            mean = u.mean(-2, keepdim=True)
            variance = (u - mean).square().mean(-2, keepdim=True)
        else:
            count = keep.sum(-2, keepdim=True)
            mean = (u * keep).sum(-2, keepdim=True) / count
            variance = ((u - mean).square() * keep).sum(-2, keepdim=True) / count
        scale = torch.where(varies, 1 / (span * safe_root(variance) + eps), 0)
        return cls(low, span * mean, scale)

    def standardise(self, x: Float[Tensor, "*tasks n F"]) -> Float[Tensor, "*tasks n F"]:
        """Return (x − μ) / (σ + ε)."""
        return (x - self.origin).sub_(self.mean) * self.scale

    @property
    def spread(self) -> Float[Tensor, "*tasks F"]:
        """How far each feature is spread out, σ + ε; 0 for a constant one."""
        scale = self.scale[..., 0, :]
        return torch.where(scale > 0, 1 / scale, 0)


def without_rounding(x: Float[Tensor, "*tasks n F"]) -> Float[Tensor, "*tasks n F"]:
    """Make features constant whose values differ by no more than the rounding of their size.

    What is left varies in earnest, in whatever unit, and can be standardised with ε = 0: an ε of 1e-7, say,
    would silence a length of nanometres that is told in metres.

    >>> without_rounding(torch.tensor([[1e9, 1e-9], [1e9 + 1e-7, 3e-9]], dtype=torch.float64)).diff(dim=0)
    tensor([[0.0000e+00, 2.0000e-09]], dtype=torch.float64)
    """
    low, high = x.aminmax(dim=-2, keepdim=True)
    kind, size = torch.finfo(x.dtype), torch.maximum(low.abs(), high.abs())
    # Nor is there anything to standardise by where a spread is so small that its inverse would overflow.
    rounding = (ROUNDING * kind.eps * size).clamp(min=kind.tiny / kind.eps)
    return torch.where(high - low <= rounding, low, x)


def safe_root(x: Tensor) -> Tensor:
    """Square root whose gradient at 0 is 0, not infinite: a constant feature must not spoil the others'."""
    zero = x == 0
    return torch.where(zero, 1, x).sqrt().masked_fill(zero, 0)


def check_eps(eps: Any) -> float:
    """Return ε if it is a number of 0 or more."""
    if isinstance(eps, bool) or not isinstance(eps, Real) or not 0 <= float(eps) < float("inf"):
        raise InputError("eps", repr(eps), "a small number of 0 or more")
    return float(eps)
