"""Flowers after Linnaeus' classes of plants: so many filaments, anthers of a shape, a free or joined base."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

FILAMENTS = (2, 3, 5)
HEIGHT = 0.75  # of a flower; there is one flower to a unit square


def draw_flower(axes: Any, x: float, y: float, pattern: Sequence[int], *, colour: str) -> None:
    """Draw a flower around (x, y).

    Args:
        axes: to draw on.
        x: across.
        y: up.
        pattern: the number of its filaments (few, more, many), the shape of its anthers (whole, split, crossed) and, if
            it has a third part, its base (free, joined).
        colour: of all of it.
    """
    filaments, anthers, base = (*pattern, 0)[:3]
    foot = y - HEIGHT / 2
    axes.plot([x, x], [foot - 0.1, foot], color=colour, linewidth=1.6, solid_capstyle="round")
    for angle in np.linspace(-0.6, 0.6, FILAMENTS[filaments]):
        direction = np.array([np.sin(angle), np.cos(angle)])
        tip = np.array([x, foot]) + 0.8 * HEIGHT * direction
        axes.plot([x, tip[0]], [foot, tip[1]], color=colour, linewidth=0.8)
        _draw_anther(axes, tip, direction, anthers, colour)
    if base:
        around = np.linspace(-0.75, 0.75, 20)
        axes.plot(x + 0.3 * HEIGHT * np.sin(around), foot + 0.3 * HEIGHT * np.cos(around), color=colour, linewidth=2.2)


def _draw_anther(axes: Any, tip: Any, direction: Any, shape: int, colour: str) -> None:
    across = np.array([direction[1], -direction[0]])
    if shape == 0:  # whole
        axes.plot(*tip, "o", color=colour, markersize=2.8)
        return
    for side in (-1, 1):  # split: two arms that part; crossed: a bar
        end = tip + 0.06 * side * across + (0.1 * direction if shape == 1 else 0)
        axes.plot([tip[0], end[0]], [tip[1], end[1]], color=colour, linewidth=1.2)
