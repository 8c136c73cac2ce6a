"""Features of few values, bits or genotypes: categories to most baselines, an indicator column each."""

from __future__ import annotations

from jaxtyping import Float, Int
from torch import Tensor

from polythetic.errors import InputError


def indicators(x: Int[Tensor, "*rows F"], values: int) -> Float[Tensor, "*rows FV"]:
    """Give every value of every feature a column of its own, those of a feature side by side.

    >>> import torch
    >>> indicators(torch.tensor([[0, 2]]), values=3).tolist()
    [[1.0, 0.0, 0.0, 0.0, 0.0, 1.0]]
    """
    import torch

    if int(x.min()) < 0 or int(x.max()) >= values:
        raise InputError("x", f"values from {int(x.min())} to {int(x.max())}", f"whole numbers from 0 to {values - 1}")
    return torch.nn.functional.one_hot(x, values).flatten(-2).to(torch.get_default_dtype())


def by_feature(columns: Float[Tensor, "*any FV"], values: int) -> Float[Tensor, "*any F"]:
    """Put the squares of what the columns of a feature have together.

    >>> import torch
    >>> by_feature(torch.tensor([3.0, 4.0, 0.0, 1.0]), values=2).tolist()
    [25.0, 1.0]
    """
    return columns.square().unflatten(-1, (-1, values)).sum(-1)
