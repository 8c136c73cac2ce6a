"""Which row to label next: the one whose label would tell most."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from polythetic.estimators.voters import squared_distances


def least_certain(probabilities: NDArray[np.float64], features: NDArray[np.float64], count: int) -> NDArray[np.int64]:
    """Return rows by how near their two most probable classes are; rows like one that was named count less.

    >>> least_certain(np.array([[0.9, 0.1], [0.5, 0.5], [0.5, 0.5]]), np.array([[0.0], [5.0], [5.0]]), 2)
    array([1, 0])
    """
    first, second = np.sort(probabilities, 1)[:, ::-1][:, :2].T
    doubt = 1 - (first - second)  # at least a little, however certain
    far = np.full(len(doubt), np.inf)
    typical = np.median(squared_distances(features[:500], features[:500])) + 1e-12
    chosen: list[int] = []
    for _ in range(count):
        worth = (doubt + 1e-9) * (1 - np.exp(-far / typical))
        worth[chosen] = -1
        chosen.append(int(worth.argmax()))
        far = np.minimum(far, squared_distances(features, features[chosen[-1:]])[:, 0])
    return np.array(chosen)
