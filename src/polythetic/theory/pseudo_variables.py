"""Pseudo-variables: the products with which a threshold classifier can tell parities apart (§3, Fig. 3)."""

from __future__ import annotations

import itertools
from typing import Any, Protocol, TypeVar, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import whole_number
from polythetic.errors import InputError


@runtime_checkable
class Array(Protocol):
    """What is asked of an array, NumPy's or torch's alike: a shape and indexing."""

    @property
    def shape(self) -> Any:
        """Lengths of the axes."""

    def __getitem__(self, key: Any, /) -> Any:
        """Indexing, by an array of integers too."""


AnyArray = TypeVar("AnyArray", bound=Array)


def subsets(n: int, alpha: int) -> NDArray[np.intp]:
    """Return the C(n, α) subsets of α out of n features, a row of rising indices each, in dictionary order.

    >>> subsets(4, 2).tolist()
    [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]
    """
    whole_number("n", n, least=0)
    if whole_number("alpha", alpha, least=1) > n:
        raise InputError("alpha", alpha, f"at most the {n} features")
    return np.array(list(itertools.combinations(range(n), alpha)), dtype=np.intp)


def pseudo_variables(x: AnyArray, alpha: int) -> AnyArray:
    """Return the product of every subset of α features: XOR_α of each, if the features are ±1.

    A threshold classifier needs the active subset's product among its features to solve XOR_α. One that
    does not know which features are active needs all C(n, α) ~ O(n^α) of them (§3).

    Args:
        x: (..., n) features, in a NumPy array or a torch tensor.
        alpha: Size of the subsets (α).

    Returns:
        (..., C(n, α)) products in the order of `subsets(n, alpha)`, of x's type.

    >>> pseudo_variables(np.array([[1, -1, 1], [-1, -1, 1]]), 2).tolist()
    [[-1, 1, -1], [1, -1, -1]]
    """
    chosen = subsets(x.shape[-1], alpha)  # (C(n, α), α)
    return cast(AnyArray, x[..., chosen].prod(-1))
