"""Levels: a column of any kind as a few levels, coarse ones to be combined with other columns' and fine ones alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_LEVELS = 3  # of a column that is combined with others: three of three have 27 cells
MOST_FINE = 8
ROWS_FOR_A_LEVEL = 10


@dataclass(frozen=True, eq=False)
class Levels:
    """A column's levels, numbered from 0.

    Attributes:
        coarse: [n] at most three: what is combined with other columns.
        fine: [n] at most ten: what the column may do alone. An effect of several columns is what is left of all that
            each may do alone; were that as coarse, a column that goes with another would seem to work together with it
            where it only says more exactly what the other says.
    """

    coarse: NDArray[np.int64]
    fine: NDArray[np.int64]

    @classmethod
    def of_numbers(cls, values: NDArray[Any]) -> Levels:
        """Cut numbers: up to three different ones are levels as they are, more are cut at the median, or eight ways.

        >>> Levels.of_numbers(np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])).coarse
        array([0, 0, 0, 1, 1, 1])
        """
        different, codes = np.unique(values, return_inverse=True)
        if len(different) <= MOST_LEVELS:
            return cls(codes, codes)
        above, not_below = (values > np.median(values)), (values >= np.median(values))
        halves = min((above, not_below), key=lambda half: abs(half.mean() - 0.5))  # numbers may be tied at the median
        ways = max(2, min(MOST_FINE, len(values) // ROWS_FOR_A_LEVEL))
        cuts = np.unique(np.quantile(values, np.arange(1, ways) / ways))
        both = np.searchsorted(cuts, values, side="right") * 2 + halves
        return cls(halves.astype(np.int64), np.unique(both, return_inverse=True)[1])

    @classmethod
    def of_categories(cls, codes: NDArray[np.int64]) -> Levels:
        """Number categories anew, the commonest first; of more than three, those from the third on are one level.

        >>> Levels.of_categories(np.array([1, 0, 1, 2, 3, 4])).coarse
        array([0, 1, 0, 2, 2, 2])
        """
        _, codes, counts = np.unique(codes, return_inverse=True, return_counts=True)
        rank = np.argsort(np.argsort(-counts, kind="stable"))
        codes = rank[codes]
        return cls(np.minimum(codes, MOST_LEVELS - 1), np.minimum(codes, MOST_FINE - 1))

    def of_rows(self, rows: NDArray[np.int64]) -> Levels:
        """Return the levels of some rows."""
        return Levels(*(np.unique(codes[rows], return_inverse=True)[1] for codes in (self.coarse, self.fine)))

    def contrasts(self) -> NDArray[np.float64]:
        """Return [levels − 1, n]: which of the coarse levels but the first, centred."""
        return _indicators(self.coarse)

    def alone(self) -> NDArray[np.float64]:
        """Return an orthonormal basis [d, n] of all that the column may do alone."""
        return orthonormal(_indicators(self.fine))


def orthonormal(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return an orthonormal basis [d, n] of what some rows span; what is nothing but rounding spans nothing."""
    if not len(x):
        return x
    values, vectors = np.linalg.eigh(x @ x.T)
    kept = values > 1e-9
    return (vectors[:, kept] / np.sqrt(values[kept])).T @ x


def _indicators(codes: NDArray[np.int64]) -> NDArray[np.float64]:
    shown = (codes == np.arange(1, codes.max() + 1)[:, None]).astype(float)
    return shown - shown.mean(1, keepdims=True)
