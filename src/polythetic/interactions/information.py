"""Information: how many bits columns tell of a label, together and in parts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


class Information:
    """Bits that sets of columns tell of a label, less what chance makes of so many cells (Miller and Madow).

    >>> a, b = np.array([0, 0, 1, 1] * 20), np.array([0, 1, 0, 1] * 20)
    >>> telling = Information([a, b], a ^ b)
    >>> round(telling.together((0, 1)), 2), telling.apart((0, 1))
    (0.97, 0.0)
    """

    def __init__(self, columns: Sequence[NDArray[np.int64]], labels: NDArray[np.int64]):
        self._columns, self._labels = columns, labels
        self._known: dict[tuple[int, ...], float] = {}

    def together(self, members: tuple[int, ...]) -> float:
        """Return the bits that columns tell together."""
        if members not in self._known:
            shape = [int(self._columns[m].max()) + 1 for m in members]
            cells = np.ravel_multi_index([self._columns[m] for m in members], shape)
            self._known[members] = _bits(cells, self._labels)
        return self._known[members]

    def apart(self, members: tuple[int, ...]) -> float:
        """Return the bits that they tell one by one, or as one and the rest, whichever is more; 0 for one column."""
        if len(members) == 1:
            return 0.0
        each = sum(self.together((m,)) for m in members)
        parts = [self.together((m,)) + self.together(tuple(o for o in members if o != m)) for m in members]
        return max(each, *parts)


def _bits(cells: NDArray[np.int64], labels: NDArray[np.int64]) -> float:
    classes = int(labels.max()) + 1
    counts = np.bincount(cells * classes + labels, minlength=(int(cells.max()) + 1) * classes).reshape(-1, classes)
    counts = counts[counts.any(1)]
    shares = counts / len(cells)
    expected = shares.sum(1, keepdims=True) * shares.sum(0)
    bits = (shares * np.log2(np.where(counts, shares / expected, 1))).sum()
    by_chance = (len(counts) - 1) * (classes - 1) / (2 * len(cells) * np.log(2))
    return max(0.0, float(bits - by_chance))
