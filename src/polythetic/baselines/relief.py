"""Relief: features score by how they differ between a row and its neighbours of other classes, less those of its own.

Urbanowicz et al., Benchmarking relief-based feature selection methods for bioinformatics data mining, 2018. Scores
can be negative; Freda et al., Assessing the limitations of relief-based algorithms in detecting higher-order
interactions, BioData Mining 2024, rank them by their absolute values too.

scikit-rebate goes through rows and features one at a time. For features that are categories the same sums are matrix
products, to the last bit of a neighbourhood (the tests compare), and repeats cost next to nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.arguments import one_of, whole_number
from polythetic.baselines.categories import indicators
from polythetic.errors import InputError

NEIGHBOURS = 100  # scikit-rebate's default


def relieff(x: Int[Tensor, "n F"], labels: Int[Tensor, " n"], neighbours: int = NEIGHBOURS) -> Float[Tensor, " F"]:
    """ReliefF of scikit-rebate on two classes: so many nearest rows of each class are a row's neighbours.

    >>> x = torch.tensor([[0, 0], [0, 1], [1, 0], [1, 1]])
    >>> relieff(x, torch.tensor([0, 0, 1, 1]), neighbours=1).argmax().item()
    0
    """
    whole_number("neighbours", neighbours, least=1)
    distance = _distance(x)
    np.fill_diagonal(distance, sys.maxsize)  # a row is its own neighbour only where its class has no other left
    order = torch.from_numpy(np.argsort(distance, axis=1))  # equally near ones in the order that scikit-rebate has
    same = labels[:, None] == labels
    hit = same.gather(1, order)
    chosen = torch.where(hit, hit.cumsum(1), (~hit).cumsum(1)) <= neighbours
    near = torch.zeros_like(chosen).scatter_(1, order, chosen)
    return _scored(x, same, near)


def multisurf(x: Int[Tensor, "n F"], labels: Int[Tensor, " n"]) -> Float[Tensor, " F"]:
    """MultiSURF: near is what is nearer than the mean distance from a row, less half a standard deviation.

    >>> bits = torch.tensor([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> multisurf(bits, bits[:, 0] ^ bits[:, 1]).round(decimals=2).tolist()  # an XOR of the first two
    [0.5, 0.5, -1.0]
    """
    distance = _distance(x)
    n = len(distance)
    others = distance[~np.eye(n, dtype=bool)].reshape(n, n - 1)
    radius = others.mean(1) - others.std(1) / 2
    near = torch.from_numpy(distance < radius[:, None])
    near.fill_diagonal_(False)
    return _scored(x, labels[:, None] == labels, near)


def _values(x: Tensor) -> int:
    return int(x.max()) + 1


def _distance(x: Int[Tensor, "n F"]) -> Any:
    """The share of features in which rows differ, in NumPy's double precision."""
    columns = indicators(x, _values(x))
    return (x.shape[1] - (columns @ columns.T).numpy().astype(float)) / x.shape[1]


def _scored(x: Int[Tensor, "n F"], same: Bool[Tensor, "n n"], near: Bool[Tensor, "n n"]) -> Float[Tensor, " F"]:
    """Mean difference from near rows of the other class, less that from near rows of a row's own."""
    hits, misses = near & same, near & ~same
    weight = misses / misses.sum(1, keepdim=True).clamp(min=1) - hits / hits.sum(1, keepdim=True).clamp(min=1)
    values = _values(x)
    columns = indicators(x, values)
    alike = (columns * (weight @ columns)).sum(0).unflatten(0, (-1, values)).sum(-1)
    return (weight.sum() - alike) / len(x)


# What is measured, under the names that people know, and the arguments of scikit-rebate for the same.
RELIEFS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "ReliefF": relieff,
    "ReliefF, k = 10": partial(relieff, neighbours=10),
    "MultiSURF": multisurf,
}
THEIR_OPTIONS: dict[str, dict[str, int]] = {
    "ReliefF": {"n_neighbors": NEIGHBOURS},
    "ReliefF, k = 10": {"n_neighbors": 10},
    "MultiSURF": {},
}


def has_skrebate() -> bool:
    """Say whether scikit-rebate is installed."""
    return find_spec("skrebate") is not None


def by_skrebate(name: str, x: Int[Tensor, "n F"], labels: Int[Tensor, " n"]) -> Float[Tensor, " F"]:
    """Score by scikit-rebate itself."""
    one_of("name", name, RELIEFS)
    if not has_skrebate():
        raise InputError("name", repr(name), "scikit-rebate to be installed: pip install skrebate")
    estimator = getattr(import_module("skrebate"), name.split(",")[0])(**THEIR_OPTIONS[name])
    scores = estimator.fit(x.numpy().astype(float), labels.numpy()).feature_importances_
    return torch.as_tensor(np.asarray(scores), dtype=torch.get_default_dtype())
