"""Rows sorted into their classes: [*tasks, n] labels to [*tasks, K, M] places, padded where classes differ.

Splitting by class and padding, rather than masking an n × n softmax, is what makes a batch of small tasks
quick, and lets class sizes and numbers of classes differ from task to task.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.memory import ensure_room

WASTE = 4  # times the rows that the places of all classes may be, before classes are handled by size


@dataclass(frozen=True)
class Places:
    """Places for the rows of some classes, M for each class.

    Attributes:
        rows: the row that stands at each place; 0 where none does.
        present: whether a row stands there.
    """

    rows: Int[Tensor, "*tasks K M"]
    present: Bool[Tensor, "*tasks K M"]

    @cached_property
    def sizes(self) -> Int[Tensor, "*tasks K"]:
        """The number of rows in each class; 0 for a class that the task does not have."""
        return self.present.sum(-1)

    @cached_property
    def even(self) -> bool:
        """Whether there is no padding."""
        return bool(self.present.all())

    @cached_property
    def keys(self) -> Bool[Tensor, "*tasks K M"] | None:
        """Which places may be attended to within a class; an empty class attends to its zeros."""
        return None if self.even else self.present | (self.sizes == 0)[..., None]

    def split(self, x: Float[Tensor, "*tasks n F"]) -> Float[Tensor, "*tasks K M F"]:
        """Sort rows into classes; zeros where no row stands."""
        out = _take(x, self.rows.flatten(-2)).unflatten(-2, self.rows.shape[-2:])
        return out if self.even else out * self.present[..., None]


@dataclass(frozen=True)
class Groups(Places):
    """All rows of each task in their classes.

    Attributes:
        places: the place (k·M + m) of each row; K·M for rows that the mask leaves out.
        labels: the label of each class, ascending; classes a task does not have repeat its last one.
    """

    places: Int[Tensor, "*tasks n"]
    labels: Int[Tensor, "*tasks K"]

    @property
    def class_of(self) -> Int[Tensor, "*tasks n"]:
        """The class of each row; K for rows that the mask leaves out."""
        return self.places // self.present.shape[-1]

    @property
    def skewed(self) -> bool:
        """Whether a few classes are so large that giving every class as many places would be a waste."""
        return self.present[..., 0, 0].numel() * math.prod(self.present.shape[-2:]) > WASTE * self.places.numel()

    def by_size(self) -> list[Places]:
        """Cut the classes into parts of like size, so that padding hardly more than doubles the work."""
        if not self.skewed:
            return [self]
        order = self.sizes.argsort(-1, descending=True)
        rows, present = (x.gather(-2, order[..., None].expand_as(x)) for x in (self.rows, self.present))
        largest = present.sum(-1).flatten(0, -2).amax(0) if present.ndim > 2 else present.sum(-1)  # [K], descending
        parts, start = [], 0
        while start < len(largest) and largest[start] > 0:
            top = int(largest[start])
            stop = int((largest > top // 2).sum())
            parts.append(Places(rows[..., start:stop, :top], present[..., start:stop, :top]))
            start = stop
        return parts


def group_by_class(labels: Int[Tensor, "*tasks n"], mask: Bool[Tensor, "*tasks n"] | None = None) -> Groups:
    """Sort the rows of each task into its classes, in ascending order of label, rows in their order.

    >>> groups = group_by_class(torch.tensor([5, -1, 5, 5, -1]))
    >>> groups.labels.tolist(), groups.rows.tolist()
    ([-1, 5], [[1, 4, 0], [0, 2, 3]])
    >>> groups.present.tolist()
    [[True, True, False], [True, True, True]]
    """
    tasks, n = labels.shape[:-1], labels.shape[-1]
    label, order = labels.reshape(-1, n).sort(dim=1, stable=True)
    valid = torch.ones_like(label[:1], dtype=torch.bool)
    if mask is not None:  # rows left out go last
        valid = mask.reshape(-1, n).gather(1, order)
        last = (~valid).byte().argsort(dim=1, stable=True)
        label, order, valid = label.gather(1, last), order.gather(1, last), valid.gather(1, last)

    first = torch.ones_like(label, dtype=torch.bool)  # the first row of each class
    first[:, 1:] = label[:, 1:] != label[:, :-1]
    if mask is None and bool((first == first[0]).all()):
        first = first[:1]  # classes of the same sizes in every task: where rows go is worked out once
    first = first & valid
    index = torch.arange(n, device=label.device)
    k = first.long().cumsum(1) - 1
    m = index - torch.where(first, index, 0).cummax(1).values
    K, M = int(first.sum(1).max()), int(torch.where(valid, m, 0).max()) + 1

    ensure_room(
        4 * 8 * len(order) * K * M,
        f"sorting {len(order)} task(s) of {n} rows into up to {K} classes of up to {M} rows",
        "give fewer tasks at a time, or fewer classes",
    )
    # One place beyond the last gathers what is left out.
    place = torch.where(valid, k * M + m, K * M).expand_as(order)
    rows = place.new_zeros(len(order), K * M + 1).scatter(1, place, order)[:, :-1]
    present = valid.new_zeros(len(place), K * M + 1).scatter(1, place, valid.expand_as(place))[:, :-1]
    final = label.gather(1, (valid.sum(1, keepdim=True) - 1).clamp(min=0).expand(len(label), 1))
    names = final.repeat(1, K + 1).scatter(1, torch.where(first, k, K).expand_as(label), label)[:, :-1]
    return Groups(
        rows=rows.reshape(*tasks, K, M),
        present=present.reshape(*tasks, K, M),
        places=torch.empty_like(order).scatter(1, order, place).reshape(*tasks, n),
        labels=names.reshape(*tasks, K),
    )


def in_order(Xs: Sequence[Tensor], parts: Sequence[Places], n: int) -> Float[Tensor, "*tasks n F"]:
    """Put rows sorted into classes, [*tasks, K, M, F] each, back in their order; zeros for rows that the mask left out.

    >>> groups = group_by_class(torch.tensor([1, 0, 1]))
    >>> in_order([groups.split(torch.tensor([[5.0], [6.0], [7.0]]))], [groups], 3).flatten().tolist()
    [5.0, 6.0, 7.0]
    """
    joined = Xs[0].new_zeros(*Xs[0].shape[:-3], n, Xs[0].shape[-1])
    for X, part in zip(Xs, parts, strict=True):
        rows = (X * part.present[..., None]).flatten(-3, -2)
        joined = joined.scatter_add(-2, part.rows.flatten(-2)[..., None].expand_as(rows), rows)
    return joined


def _take(x: Tensor, rows: Tensor) -> Tensor:
    """Take rows [*tasks, p] of x [*tasks, n, F]: whole rows at a time, which gather does not do."""
    n = x.shape[-2]
    flat, rows_flat = x.reshape(-1, x.shape[-1]), rows.reshape(-1, rows.shape[-1])
    offset = n * torch.arange(len(rows_flat), device=x.device)[:, None]
    return flat.index_select(0, (rows_flat + offset).flatten()).reshape(*rows.shape, x.shape[-1])
