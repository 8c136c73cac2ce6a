"""Single pictures: the bytes of a file, as Pillow reads them, to an array of bytes."""

from __future__ import annotations

import io
from typing import IO, cast

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageOps, UnidentifiedImageError

from polythetic.arguments import whole_number
from polythetic.errors import DataError, InputError

# What torchvision resizes with, so that a network trained on its pictures sees ours the same way. Pillow widens the
# triangle when it shrinks a picture, so that every pixel counts and nothing flickers.
FILTER = Image.Resampling.BILINEAR

# EPS is a program that Pillow would run through Ghostscript; of the others it knows the name but not the pixels.
UNREADABLE = frozenset({"EPS", "BUFR", "GRIB", "HDF5", "MPEG", "WMF"})

Size = tuple[int, int]
SIDEWAYS = (5, 6, 7, 8)  # EXIF orientations that swap height and width
ORIENTATION = 0x0112  # the EXIF tag


def decode(
    content: bytes,
    *,
    name: str,
    size: Size | None = None,
    channels: int = 3,
    resample: Image.Resampling = FILTER,
) -> NDArray[np.uint8]:
    """Decode a picture to bytes [channels, height, width].

    The orientation that a camera noted (EXIF) is respected, what is transparent is painted on white, palettes are
    looked up, 16-bit greys keep their upper 8 bits, and of an animation the first picture counts. With a ``size`` the
    picture is cut to its proportions about the centre and then resized, so that nothing is stretched.

    Args:
        content: the file's bytes, in any format that Pillow knows.
        name: what to call it if it cannot be read.
        size: (height, width); as it is unless given.
        channels: 3 for red, green and blue, 1 for grey.
        resample: Pillow's filter for resizing; triangular (``BILINEAR``) unless given.

    >>> file = io.BytesIO()
    >>> Image.new("RGB", (40, 20), "red").save(file, "PNG")
    >>> decode(file.getvalue(), name="red.png", size=(8, 8)).shape
    (3, 8, 8)
    >>> decode(b"<html>", name="red.png")
    Traceback (most recent call last):
    ...
    polythetic.errors.DataError: red.png: not a picture that Pillow can read: remove it, or replace it
    """
    return as_array(opened(content, name=name, size=size, channels=channels, resample=resample))


def opened(
    content: bytes,
    *,
    name: str,
    size: Size | None = None,
    channels: int = 3,
    resample: Image.Resampling = FILTER,
) -> Image.Image:
    """Do as ``decode`` does, and return Pillow's image."""
    mode = mode_of(channels)
    image = _open(io.BytesIO(content), name)
    try:
        ImageOps.exif_transpose(image, in_place=True)
        image = _flat(image, name)
        image = image if image.mode == mode else image.convert(mode)
        if size is not None and (image.height, image.width) != size:
            image = fitted(image, size, resample)
    except (DataError, MemoryError):
        raise
    except Exception as error:  # Pillow's decoders fail in many ways on bytes that are not what they promise
        raise DataError(f"{name}: damaged or cut short ({error}): copy or download it again") from error
    return image


def fitted(image: Image.Image, size: Size, resample: Image.Resampling = FILTER) -> Image.Image:
    """Cut an image to the proportions of ``size``, (height, width), about the centre, and resize it.

    >>> fitted(Image.new("L", (40, 20)), (5, 5)).size
    (5, 5)
    """
    height, width = size
    scale = min(image.height / height, image.width / width)
    kept_height, kept_width = max(1, round(height * scale)), max(1, round(width * scale))
    top, left = (image.height - kept_height) // 2, (image.width - kept_width) // 2
    # Cut for good: Pillow's ImageOps.fit lets the filter reach beyond the cut.
    return image.crop((left, top, left + kept_width, top + kept_height)).resize((width, height), resample)


def as_array(image: Image.Image) -> NDArray[np.uint8]:
    """Return an image of Pillow's, grey or in colour, as bytes [channels, height, width]."""
    array = np.asarray(image)
    return np.ascontiguousarray(array[None] if array.ndim == 2 else array.transpose(2, 0, 1))


def dimensions(file: io.BufferedIOBase, *, name: str) -> Size:
    """Return a picture's (height, width) from the head of its file; its pixels are not decoded.

    >>> file = io.BytesIO()
    >>> Image.new("L", (40, 20)).save(file, "PNG")
    >>> dimensions(file, name="grey.png")
    (20, 40)
    """
    image = _open(file, name)
    # A PNG may have its orientation behind its pixels; Pillow would decode them to look.
    noted = "exif" in image.info or image.format in ("JPEG", "MPO", "TIFF")
    try:
        turned = noted and image.getexif().get(ORIENTATION) in SIDEWAYS
    except Exception as error:
        raise DataError(f"{name}: has damaged EXIF data ({error}): copy or download it again") from error
    return (image.width, image.height) if turned else (image.height, image.width)


def mode_of(channels: int) -> str:
    """Return Pillow's name for 1 or 3 channels, and refuse other numbers."""
    if channels not in (1, 3):
        raise InputError("channels", repr(channels), "3 (red, green, blue) or 1 (grey)")
    return "RGB" if channels == 3 else "L"


def as_size(size: object) -> Size | None:
    """Return a size as (height, width); one number is both.

    >>> as_size(84), as_size((56, 28)), as_size(None)
    ((84, 84), (56, 28), None)
    """
    if size is None:
        return None
    sides = tuple(size) if isinstance(size, tuple | list) else (size, size)
    if len(sides) != 2:
        raise InputError("size", repr(size), "one number of pixels, or (height, width)")
    height, width = (whole_number("size", side, least=1, meaning="pixels") for side in sides)
    return height, width


def _open(file: io.BufferedIOBase, name: str) -> Image.Image:
    """Read the head of a file, and refuse what is no picture or would unpack to something monstrous."""
    try:
        image = Image.open(cast("IO[bytes]", file))
        if Image.MAX_IMAGE_PIXELS and image.width * image.height > Image.MAX_IMAGE_PIXELS:
            raise Image.DecompressionBombError(f"{image.width} × {image.height} pixels")
        if image.format in UNREADABLE:
            raise UnidentifiedImageError(f"{image.format} files are not read")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise DataError(f"{name}: larger than Pillow thinks safe to unpack ({error}): shrink or remove it") from error
    except MemoryError:
        raise
    except Exception as error:
        raise DataError(f"{name}: not a picture that Pillow can read: remove it, or replace it") from error
    return image


def _flat(image: Image.Image, name: str) -> Image.Image:
    """Give a picture that has no transparency, 8 bits a channel."""
    if image.mode.startswith("I;16") or (image.mode == "I" and image.format in ("PNG", "PPM")):
        # 16-bit grey; Pillow's own conversion would cut it off at 255 instead.
        return Image.fromarray((np.asarray(image).astype(np.uint32) >> 8).astype(np.uint8))
    if image.mode.startswith(("I", "F")):
        raise DataError(
            f"{name}: has pixels of mode {image.mode}, whose white is not known: save it with 8 bits a channel"
        )
    if "A" in image.getbands() or "transparency" in image.info:
        image = image.convert("RGBA")
        return Image.alpha_composite(Image.new("RGBA", image.size, "white"), image)
    return image
