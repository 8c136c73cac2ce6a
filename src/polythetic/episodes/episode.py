"""Episode: one few-shot task, or a batch of them, and what yields batches of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Int, Shaped
from torch import Tensor


@dataclass(frozen=True)
class Episode:
    """Support and queries with their labels; leading task dimensions are optional.

    Labels are any integers. Masks are False where a row is padding, so that tasks of one batch may differ in
    their sizes. ``attributes`` records how the tasks were made: which features are active, for example.
    """

    support: Shaped[Tensor, "*tasks n ..."]
    support_labels: Int[Tensor, "*tasks n"]
    query: Shaped[Tensor, "*tasks q ..."]
    query_labels: Int[Tensor, "*tasks q"]
    support_mask: Bool[Tensor, "*tasks n"] | None = None
    query_mask: Bool[Tensor, "*tasks q"] | None = None
    attributes: Mapping[str, Tensor] = field(default_factory=dict)

    def to(self, dtype: torch.dtype) -> Episode:
        """Return the episode with its examples in another precision."""
        return replace(self, support=self.support.to(dtype), query=self.query.to(dtype))


@runtime_checkable
class TaskSuite(Protocol):
    """A source of tasks, numbered from 0 for each seed: the same number is the same task in every batch."""

    def batch(self, seed: int, start: int, stop: int) -> Episode:
        """Return tasks ``start`` to ``stop`` of the seed."""
        ...
