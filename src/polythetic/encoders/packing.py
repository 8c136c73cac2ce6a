"""Rows of all tasks in one batch: task after task, a task's support before its queries, and no padding."""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor

from polythetic.errors import InputError


class Span(NamedTuple):
    """The rows of one task: ``start`` to ``stop``, of which ``start`` to ``measured`` yield its statistics."""

    start: int
    measured: int
    stop: int


class Packed(NamedTuple):
    """The rows of all tasks, and what is needed to put their features back in place."""

    rows: Tensor  # [m, *example]
    sizes: list[tuple[int, int]]  # rows of the support and of the queries, a task
    kept: Tensor | None  # [m] the places of the rows among all, if some were padding
    shape: torch.Size  # [*tasks]
    n: int
    q: int

    def spans(self, *, joint: bool) -> list[Span]:
        """Say which rows are whose, and which are measured: those of the support, or jointly all of a task."""
        spans, start = [], 0
        for support, query in self.sizes:
            spans.append(Span(start, start + support + (query if joint else 0), start + support + query))
            start += support + query
        return spans

    def unpack(self, features: Float[Tensor, "m F"]) -> tuple[Float[Tensor, "*tasks n F"], Float[Tensor, "*tasks q F"]]:
        """Put features back in the places of their rows; padding has features of zero."""
        if self.kept is not None:
            everywhere = features.new_zeros(self.shape.numel() * (self.n + self.q), features.shape[-1])
            features = everywhere.index_copy(0, self.kept, features)
        support, query = features.reshape(*self.shape, self.n + self.q, features.shape[-1]).split(
            (self.n, self.q), dim=-2
        )
        return support, query


def pack(
    support: Shaped[Tensor, "*tasks n ..."],
    query: Shaped[Tensor, "*tasks q ..."],
    mask: Bool[Tensor, "*tasks n"] | None,
    query_mask: Bool[Tensor, "*tasks q"] | None,
    *,
    example_dims: int,
) -> Packed:
    """Lay the rows of all tasks one after the other; those that are padding are left out, so they can spoil nothing.

    >>> support, query = torch.tensor([[[1.0], [2.0], [0.0]]]), torch.tensor([[[3.0]]])  # one task; one row is padding
    >>> packed = pack(support, query, torch.tensor([[True, True, False]]), None, example_dims=1)
    >>> packed.rows.tolist(), packed.spans(joint=False)
    ([[1.0], [2.0], [3.0]], [Span(start=0, measured=2, stop=3)])
    >>> packed.unpack(10 * packed.rows)[0].tolist()
    [[[10.0], [20.0], [0.0]]]
    """
    dim = support.ndim - example_dims - 1  # of the rows
    shape, n, q = support.shape[:dim], support.shape[dim], query.shape[dim]
    rows = torch.cat((support, query), dim).flatten(0, dim)  # [tasks · (n + q), *example]
    if mask is None and query_mask is None:
        sizes, kept = [(n, q)] * shape.numel(), None
    else:
        real = torch.ones(*shape, n + q, dtype=torch.bool, device=rows.device)
        for part, its_mask in ((real[..., :n], mask), (real[..., n:], query_mask)):
            if its_mask is not None:
                part.copy_(its_mask)
        # One by one: torch before 2.9 has no list of numbers while torch.func differentiates.
        counts = ([int(count) for count in part.sum(-1).flatten()] for part in real.split((n, q), -1))
        sizes, kept = list(zip(*counts, strict=True)), real.flatten().nonzero().squeeze(-1)
        rows = rows[kept]
    for task, (count, _) in enumerate(sizes):
        if count == 0:
            where = "mask" if mask is not None else "support"
            raise InputError(where, f"no row of task {task}", "at least one row of support in every task")
    return Packed(rows, sizes, kept, shape, n, q)
