"""Assembly: tasks drawn one by one become a batch, padded where their sizes differ."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from polythetic.arguments import whole_number
from polythetic.episodes.chance import Chance, Numbers
from polythetic.episodes.episode import Episode

Facts: TypeAlias = Mapping[str, NDArray[Any]]
NONE = -1  # in a record: there is no such thing here


class Side(NamedTuple):
    """The support of a task, or its queries: a label a row, and what is recorded of each row."""

    labels: Numbers
    facts: dict[str, Numbers]


class Drawn(NamedTuple):
    """One task as chance decided it; its examples are made from what is recorded of its rows."""

    support: Side
    query: Side
    facts: dict[str, Numbers]  # of the task as a whole, of one shape in all tasks of a suite


class Rows(NamedTuple):
    """The most rows that a task of a suite may have; every batch is padded to them."""

    support: int
    query: int


def batch_of(
    draw: Callable[[Chance], Drawn],
    make: Callable[[Facts], NDArray[np.float32]],
    rows: Rows,
    *,
    seed: int,
    start: int,
    stop: int,
) -> Episode:
    """Draw tasks ``start`` to ``stop`` of a seed and make their examples.

    ``make`` gets the records of many rows, [rows, …] each, and returns their examples.
    """
    seed = whole_number("seed", seed, least=0, most=2**63 - 1)
    start = whole_number("start", start, least=0, most=2**62)
    stop = whole_number("stop", stop, least=start + 1, meaning="at least one task")
    tasks = [draw(Chance(seed, number)) for number in range(start, stop)]
    support, support_labels, support_mask, support_facts = _side([task.support for task in tasks], make, rows.support)
    query, query_labels, query_mask, query_facts = _side([task.query for task in tasks], make, rows.query)
    attributes = {name: torch.from_numpy(np.stack([task.facts[name] for task in tasks])) for name in tasks[0].facts}
    attributes |= {f"support_{name}": values for name, values in support_facts.items()}
    attributes |= {f"query_{name}": values for name, values in query_facts.items()}
    return Episode(support, support_labels, query, query_labels, support_mask, query_mask, attributes)


def _side(
    sides: Sequence[Side], make: Callable[[Facts], NDArray[np.float32]], rows: int
) -> tuple[Tensor, Tensor, Tensor | None, dict[str, Tensor]]:
    """Pad sides to a number of rows: examples [t, rows, …], labels [t, rows], which rows are real, records."""
    sizes = np.array([len(side.labels) for side in sides])
    real = np.arange(rows) < sizes[:, None]  # [t, rows]
    labels = _spread(np.concatenate([side.labels for side in sides]), real, fill=0)
    flat = {name: np.concatenate([side.facts[name] for side in sides]) for name in sides[0].facts}
    examples = _spread(make(flat), real, fill=0)
    facts = {name: torch.from_numpy(_spread(values, real, fill=NONE)) for name, values in flat.items()}
    mask = None if real.all() else torch.from_numpy(real)
    return torch.from_numpy(examples), torch.from_numpy(labels), mask, facts


def _spread(values: NDArray[Any], real: NDArray[np.bool_], *, fill: int) -> NDArray[Any]:
    """Lay rows [sum of sizes, …] out as [t, rows, …], ``fill`` where a row is padding."""
    if real.all():
        return values.reshape(*real.shape, *values.shape[1:])
    spread = np.full((*real.shape, *values.shape[1:]), fill, values.dtype)
    spread[real] = values
    return spread


def padded(record: Numbers, length: int) -> Numbers:
    """Pad a record of a task to the length that it has in every task of the suite.

    >>> padded(np.array([4, 2]), 3)
    array([ 4,  2, -1])
    """
    return np.concatenate([record, np.full(length - len(record), NONE, np.int64)])
