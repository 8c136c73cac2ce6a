"""Mosaics: many pictures in one array, and sheets of paper to lay them on pixel by pixel, so that nothing blurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from torch import Tensor

from polythetic.errors import InputError
from polythetic.report import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.text import Text

GAP = 1  # between pictures, in their own pixels
BLANK = 1.0  # the sheet itself
PAPER = 0.93  # a drawing's, a shade darker, so that its edges show
SIZE = 9.5  # of words, in points
DPI: int = style.RC["savefig.dpi"]


def as_light(pictures: Tensor) -> NDArray[np.float32]:
    """Turn pictures [n, channels, height, width] into red, green and blue [n, height, width, 3]; grey stays grey."""
    if pictures.ndim != 4 or pictures.shape[1] not in (1, 3):
        shape = list(pictures.shape)
        raise InputError("pictures", f"an array {shape}", "[n, channels, height, width] with one channel or three")
    light: NDArray[np.float32] = np.broadcast_to(
        pictures.movedim(1, -1).numpy(), (len(pictures), *pictures.shape[2:], 3)
    )
    return light


def as_drawings(pictures: Tensor) -> NDArray[np.float32]:
    """Do the same, but show grey pictures as ink, which is 1, on paper, which is 0."""
    light = as_light(pictures)
    return light if pictures.shape[1] == 3 else (PAPER * (1 - light)).astype(np.float32)


def mosaic(pictures: NDArray[np.float32], columns: int) -> NDArray[np.float32]:
    """Lay pictures [n, height, width, 3] out line by line, with thin gaps; what is left of the last line stays blank.

    >>> mosaic(np.zeros((3, 4, 5, 3), np.float32), columns=2).shape
    (9, 11, 3)
    """
    n, height, width, channels = pictures.shape
    lines = -(-n // columns)
    laid = np.full((lines * columns, height + GAP, width + GAP, channels), BLANK, np.float32)
    laid[:n, :height, :width] = pictures
    laid = laid.reshape(lines, columns, height + GAP, width + GAP, channels).swapaxes(1, 2)
    return laid.reshape(lines * (height + GAP), columns * (width + GAP), channels)[:-GAP, :-GAP]


def extent(pictures: NDArray[np.float32], columns: int, lines: int, scale: int) -> tuple[int, int]:
    """How wide and how high a mosaic of so many columns and lines is, each pixel ``scale`` by ``scale``.

    >>> extent(np.zeros((3, 4, 5, 3), np.float32), columns=2, lines=2, scale=1)
    (11, 9)
    """
    _, height, width, _ = pictures.shape
    return scale * (columns * (width + GAP) - GAP), scale * (lines * (height + GAP) - GAP)


class Sheet:
    """A figure measured in pixels from its top left corner; saved in our style, each of them is one of the file's."""

    def __init__(self, width: int, height: int):
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        self.width, self.height = width, height
        self.figure: Figure = Figure(figsize=(width / DPI, height / DPI))
        FigureCanvasAgg(self.figure)

    def axes(self, left: int, top: int, width: int, height: int) -> Any:
        """Put axes without frame or ticks somewhere."""
        axes = self.figure.add_axes(
            (left / self.width, 1 - (top + height) / self.height, width / self.width, height / self.height)
        )
        axes.axis("off")
        return axes

    def picture(self, left: int, top: int, picture: NDArray[np.float32], scale: int = 1) -> Any:
        """Put a picture somewhere, each of its pixels ``scale`` by ``scale``."""
        height, width, _ = picture.shape
        axes = self.axes(left, top, scale * width, scale * height)
        axes.imshow(picture, interpolation="nearest", aspect="auto", vmin=0, vmax=1)
        return axes

    def write(self, left: float, middle: float, words: str, *, within: int | None = None, **look: Any) -> Text:
        """Write words from a place to the right, smaller if wider than ``within``; ``look`` is Matplotlib's."""
        given = {"ha": "left", "va": "center", "fontsize": SIZE, "parse_math": False, **look}  # a dollar is a dollar
        if within is not None:
            given["fontsize"] *= min(1, within / written_width(words, given["fontsize"]))
        return self.figure.text(left / self.width, 1 - middle / self.height, words, **given)


def written_width(words: str, size: float = SIZE) -> int:
    """How many pixels wide words are at this size in points; a little more, as letters are put on whole pixels."""
    from matplotlib.textpath import TextPath

    path = TextPath((0, 0), words.replace("$", r"\$"), size=size)
    return int(np.ceil(1.06 * path.get_extents().width * DPI / 72))
