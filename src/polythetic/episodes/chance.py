"""Chance, one stream a task: a task depends on its seed and its number, and on nothing else."""

from __future__ import annotations

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import whole_number
from polythetic.errors import InputError

Numbers: TypeAlias = NDArray[np.int64]
Span: TypeAlias = int | tuple[int, int]  # a number, or the least and the most it may be
Scalar = TypeVar("Scalar", bound=np.generic)


class Chance:
    """All that chance decides in one task.

    Only uniform numbers are asked of NumPy, whose other draws may change from version to version.

    >>> Chance(seed=0, number=7).below(10, 5)
    array([5, 8, 3, 7, 9])
    """

    def __init__(self, seed: int, number: int):
        key = np.array([seed, number], dtype=np.uint64)
        self._generator = np.random.Generator(np.random.Philox(key=key))

    def uniform(self, *shape: int) -> NDArray[np.float64]:
        """Draw numbers from 0 to 1."""
        return self._generator.random(shape)

    def below(self, n: int, *shape: int) -> Numbers:
        """Draw numbers from 0 to n − 1, with replacement."""
        return (self.uniform(*shape) * n).astype(np.int64)

    def between(self, span: Span, *shape: int) -> Numbers:
        """Draw numbers of a span."""
        low, high = ends(span)
        return low + self.below(high - low + 1, *shape)

    def size(self, span: Span) -> int:
        """Draw one number of a span."""
        return int(self.between(span, 1)[0])

    def happens(self, share: float) -> bool:
        """Say yes in this share of cases."""
        return bool(self.uniform(1)[0] < share)

    def distinct(self, n: int, k: int) -> Numbers:
        """Draw k of the numbers 0 to n − 1, without replacement, in any order."""
        if n <= 16 * k:
            return self.uniform(n).argsort()[:k]
        drawn: Numbers = np.empty(0, np.int64)
        while len(drawn) < k:  # few of many: cheaper to draw again what was drawn twice than to sort them all
            drawn = np.concatenate([drawn, self.below(n, 2 * k)])
            drawn = drawn[np.sort(np.unique(drawn, return_index=True)[1])]
        return drawn[:k]

    def shuffled(self, values: NDArray[Scalar]) -> NDArray[Scalar]:
        """Return values in another order."""
        return values[self.uniform(len(values)).argsort()]


def ends(span: Span) -> tuple[int, int]:
    """Return the least and the most of a span.

    >>> ends(5), ends((2, 8))
    ((5, 5), (2, 8))
    """
    return (span, span) if isinstance(span, int | np.integer) else (span[0], span[1])


def check_span(argument: str, span: object, *, least: int = 1) -> None:
    """Refuse what is neither a number nor a pair of them, the lesser first."""
    pair = span if isinstance(span, tuple) else (span, span)
    if len(pair) != 2:
        raise InputError(argument, span, "a whole number, or the least and the most as a pair")
    low = whole_number(argument, pair[0], least=least)
    whole_number(argument, pair[1], least=low)
