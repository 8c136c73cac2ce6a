"""Identity: examples as they are."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from polythetic.encoders.encoder import Pointwise


class Identity(Pointwise):
    """The numbers of an example are its features; there is nothing to learn.

    >>> support, query = Identity()(torch.tensor([[1, 2]]), torch.tensor([[3, 4]]))
    >>> support, query
    (tensor([[1., 2.]]), tensor([[3., 4.]]))
    """

    def __init__(self, *, example_dims: int = 1):
        super().__init__(nn.Sequential(AsFloats(), nn.Flatten()), example_dims=example_dims)


class AsFloats(nn.Module):
    """Whole numbers, and true and false, as floating-point numbers; such numbers as they are."""

    def forward(self, x: Tensor) -> Tensor:
        """Return x as floating-point numbers."""
        return x if x.is_floating_point() else x.to(torch.get_default_dtype())
