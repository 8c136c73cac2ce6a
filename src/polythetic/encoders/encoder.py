"""Encoder: what turns the examples of a task into features, and how any torch module becomes one."""

from __future__ import annotations

from abc import ABC, abstractmethod

from jaxtyping import Bool, Float, Shaped
from torch import Tensor, nn


class Encoder(nn.Module, ABC):
    """Maps the support and the queries of tasks to features.

    It sees both at once, because some encoders normalise a task's queries by its support. The features of a query
    must not depend on other queries, unless the encoder says so.
    """

    @abstractmethod
    def forward(
        self,
        support: Shaped[Tensor, "*tasks n ..."],
        query: Shaped[Tensor, "*tasks q ..."],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n F"], Float[Tensor, "*tasks q F"]]:
        """Return the features of support and queries; masks are False for rows that are padding."""


class Pointwise(Encoder):
    """Any torch module as an encoder: it gets examples [m, *shape] and returns features [m, F].

    Args:
        module: what encodes.
        example_dims: how many dimensions an example has; 3 for pictures [channels, height, width].

    >>> import torch
    >>> encoder = Pointwise(nn.Linear(3, 2), example_dims=1)
    >>> support, query = encoder(torch.zeros(5, 4, 3), torch.zeros(5, 1, 3))
    >>> support.shape, query.shape
    (torch.Size([5, 4, 2]), torch.Size([5, 1, 2]))
    """

    def __init__(self, module: nn.Module, *, example_dims: int):
        super().__init__()
        self.module = module
        self.example_dims = example_dims

    def forward(
        self,
        support: Shaped[Tensor, "*tasks n ..."],
        query: Shaped[Tensor, "*tasks q ..."],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n F"], Float[Tensor, "*tasks q F"]]:
        """Encode each example by itself."""
        return self._encode(support), self._encode(query)

    def _encode(self, x: Tensor) -> Tensor:
        last = x.ndim - self.example_dims - 1  # dimension of the rows
        features = self.module(x.flatten(0, last)).flatten(1)  # [m, F]
        return features.reshape(*x.shape[: last + 1], features.shape[1])
