"""Small pictures inside a page, each there once however often it is shown."""

from __future__ import annotations

import io
from base64 import b64encode
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL import Image

SIDE = 144  # pixels at most: sharp where a screen has two to a point
PLAIN = 48  # pixels: smaller pictures are shown pixel by pixel


def data_uri(image: Image.Image) -> str:
    """Return a small copy of an image as an address that contains it.

    >>> from PIL import Image
    >>> data_uri(Image.new("RGB", (500, 300), "red"))[:23]
    'data:image/jpeg;base64,'
    """
    small = image.copy()
    small.thumbnail((SIDE, SIDE))
    form = "PNG" if max(image.size) <= PLAIN else "JPEG"
    file = io.BytesIO()
    small.save(file, form, **({} if form == "PNG" else {"quality": 80}))
    return f"data:image/{form.lower()};base64,{b64encode(file.getvalue()).decode()}"


def is_plain(image: Image.Image) -> bool:
    """Say whether an image has so few pixels that they are to be seen."""
    return max(image.size) <= PLAIN


def score_map(scores: NDArray[np.float64]) -> str:
    """Return the scores of pixels, [side × side], as a picture: black for none, white for the highest."""
    from PIL import Image

    side = round(len(scores) ** 0.5)
    shades = np.round(255 * scores.reshape(side, side) / max(float(scores.max()), 1e-300))
    return data_uri(Image.fromarray(shades.astype(np.uint8)))
