"""Class sizes as a prior: attention carries the support's, prototypes a uniform one; either can be changed."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from polythetic.errors import InputError
from polythetic.grouping import Groups


def check_prior(prior: str) -> None:
    """Refuse what is not a prior."""
    if prior not in ("support", "uniform"):
        raise InputError("prior", repr(prior), "'support' (classes as frequent as there) or 'uniform'")


def log_frequencies(groups: Groups, like: Tensor) -> Float[Tensor, "*tasks 1 K"]:
    """Log of each class's share of the support; −∞ for a class that the task does not have."""
    sizes = groups.sizes.to(like.dtype)
    return (sizes / sizes.sum(-1, keepdim=True)).log()[..., None, :]
