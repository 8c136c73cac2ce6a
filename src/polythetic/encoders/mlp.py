"""MLP: n → 100 → ReLU → d, the paper's encoder of Boolean strings."""

from __future__ import annotations

from torch import nn

from polythetic.arguments import whole_number
from polythetic.encoders.encoder import Pointwise
from polythetic.encoders.identity import AsFloats

HIDDEN = 100


class MLP(Pointwise):
    """A linear layer, ReLU and another linear layer, on the numbers of an example.

    Args:
        inputs: how many numbers an example has.
        embedding: how many features come out.
        hidden: how many units lie between.
        example_dims: how many dimensions an example has; more than one are flattened.

    >>> import torch
    >>> support, query = MLP(5, embedding=25)(torch.zeros(8, 5), torch.zeros(3, 5))
    >>> support.shape, query.shape
    (torch.Size([8, 25]), torch.Size([3, 25]))
    """

    def __init__(self, inputs: int, *, embedding: int = 64, hidden: int = HIDDEN, example_dims: int = 1):
        inputs, embedding, hidden = (
            whole_number(name, value, least=1)
            for name, value in (("inputs", inputs), ("embedding", embedding), ("hidden", hidden))
        )
        layers = nn.Linear(inputs, hidden), nn.ReLU(), nn.Linear(hidden, embedding)
        super().__init__(nn.Sequential(AsFloats(), nn.Flatten(), *layers), example_dims=example_dims)
