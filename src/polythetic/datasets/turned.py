"""Pictures turned by right angles: four times as many, from the same bytes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.collection import Numbers
from polythetic.errors import InputError

TURNS = 4


@dataclass(frozen=True, eq=False)
class Turned:
    """Square pictures as bytes [n, channels, side, side], each also turned by 90°, 180° and 270°.

    Number i + n·k is picture i after k quarter turns, counterclockwise as by ``numpy.rot90``. Pictures are turned when
    they are taken, so that nothing is kept four times.

    >>> up = np.array([[[[0, 255], [0, 255]]]], np.uint8)  # the right column is white
    >>> Turned(up).take(np.array([0, 1]))[:, 0].tolist()
    [[[0.0, 1.0], [0.0, 1.0]], [[1.0, 1.0], [0.0, 0.0]]]
    """

    array: NDArray[np.uint8]

    def __post_init__(self) -> None:
        if self.array.ndim != 4 or self.array.shape[2] != self.array.shape[3]:
            raise InputError("array", f"an array of shape {self.array.shape}", "[n, channels, side, side]")

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one picture."""
        return self.array.shape[1:]

    def __len__(self) -> int:
        return TURNS * len(self.array)

    def take(self, numbers: Numbers) -> NDArray[np.float32]:
        """Return pictures with values from 0 to 1."""
        turns, originals = np.divmod(numbers, len(self.array))
        if np.any((turns < 0) | (turns >= TURNS)):
            raise IndexError(f"numbers {np.min(numbers)} to {np.max(numbers)}, of {len(self)} pictures")
        pictures = self.array[originals]
        for k in range(1, TURNS):
            chosen = turns == k
            pictures[chosen] = np.rot90(pictures[chosen], k, axes=(-2, -1))
        return np.divide(pictures, 255, dtype=np.float32)
