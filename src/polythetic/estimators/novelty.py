"""None of these: a query that lies farther from every labelled row than they lie from each other."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.estimators.voters import squared_distances

AT_ONCE = 1000  # rows
FEWEST = 3  # rows: of fewer nothing can be said
TAIL = 5  # the share of rows, one in so many, that shows how distances go on beyond the greatest


class Novelty(NamedTuple):
    """How far labelled rows lie from the nearest of the others, in order; and how fast such distances grow rare."""

    alone: NDArray[np.float64]
    fall: float
    mates: NDArray[np.float64]  # of each row: how many rows its class has

    @classmethod
    def of(cls, z: NDArray[np.float64], codes: NDArray[np.int64]) -> Novelty:
        """Leave each row out, of the standardising too, and look how far the nearest of the others is."""
        alone = np.sort(np.concatenate([_left_out(z, part) for part in _parts(len(z))]))
        k = max(1, len(alone) // TAIL)
        fall = max(float((alone[-k:] - alone[-k - 1]).mean()), 1e-3)
        return cls(alone, fall, np.bincount(codes)[codes].astype(float))

    def p_values(self, z: NDArray[np.float64], query: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the share of rows, the query among them, that are as much alone as the query is.

        Between the rows' distances it goes on evenly, and beyond the greatest it falls exponentially, as the largest
        of them do: with few rows there would be no small shares otherwise.

        >>> z = np.arange(9.0)[:, None]
        >>> Novelty.of(z, np.zeros(9, dtype=int)).p_values(z, np.array([[4.2], [40.0]])).round(3)
        array([1., 0.])
        """
        n = len(self.alone)
        if n < FEWEST:
            return np.ones(len(query))
        far = np.concatenate([self._distances(z, query[part]) for part in _parts(len(query))])
        nearer = np.searchsorted(self.alone, far, side="left")  # of rows that lie as far as each other all count
        below = self.alone[np.maximum(nearer - 1, 0)]
        above = self.alone[np.minimum(nearer, n - 1)]
        part = np.where(nearer == 0, 1.0, (above - far) / np.maximum(above - below, 1e-300))
        part = np.where(nearer == n, np.exp(-(far - self.alone[-1]) / self.fall), part)
        return (n - nearer + part) / (n + 1)

    def _distances(self, z: NDArray[np.float64], query: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the distance to the nearest row, as if one row of its class were missing, as it is for the rows."""
        D = squared_distances(query, z)
        two = np.argpartition(D, 1, axis=1)[:, :2]
        near, next_ = _rooted(np.sort(np.take_along_axis(D, two, 1), axis=1)).T
        missing = 1 / self.mates[np.take_along_axis(two, np.take_along_axis(D, two, 1).argmin(1)[:, None], 1)[:, 0]]
        return np.where(near == 0, 0, (1 - missing) * near + missing * next_)  # a copy of a row is no stranger


def _left_out(z: NDArray[np.float64], part: slice) -> NDArray[np.float64]:
    """Return the distance of some rows to the nearest other, in units of the deviation that the others have."""
    n, x = len(z), z[part]
    mean = (z.sum(0) - x) / (n - 1)
    variance = np.maximum(((z * z).sum(0) - x * x) / (n - 1) - mean * mean, 0)
    varies = variance > 1e-12
    W = varies / np.where(varies, variance, 1)
    D = (W * x * x).sum(1)[:, None] - 2 * (W * x) @ z.T + W @ (z * z).T
    D[np.arange(len(x)), np.arange(n)[part]] = np.inf
    return _rooted(D.min(1))


def _rooted(D: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return distances, with what rounding has made of none taken for none."""
    return np.where(D < 1e-10, 0, np.sqrt(np.maximum(D, 0)))


def _parts(rows: int) -> list[slice]:
    return [slice(start, start + AT_ONCE) for start in range(0, max(rows, 1), AT_ONCE)]
