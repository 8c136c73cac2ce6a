"""IDX, the format of MNIST's files: a magic number, the sizes, and the bytes."""

from __future__ import annotations

import gzip
import math
import struct
import zlib
from io import BufferedReader
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.storage.web_page import ENOUGH, is_web_page
from polythetic.errors import DataError

UNSIGNED_BYTES = 0x08  # the only type of number that MNIST and its kin use
LARGEST = 2**30  # bytes; what a header announces is believed up to here

AGAIN = "delete it and get it again"


def read_idx(path: Path) -> NDArray[np.uint8]:
    """Read an IDX file of bytes, gzipped or plain.

    Raises:
        DataError: it cannot be read, is cut short or too long, or is no such file.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "labels.gz"
    ...     _ = path.write_bytes(gzip.compress(write_idx(np.array([5, 0, 4], np.uint8))))
    ...     read_idx(path)
    array([5, 0, 4], dtype=uint8)
    """
    try:
        with path.open("rb") as file:
            start = file.read(ENOUGH)
            file.seek(0)
            if is_web_page(start):
                raise DataError(
                    f"{path}: an HTML page, not an IDX file: the download was answered by a web page: {AGAIN}"
                )
            if start.startswith(b"\x1f\x8b"):
                with gzip.open(file) as unpacked:
                    return _parse(path, unpacked)
            return _parse(path, file)
    except EOFError:
        raise DataError(f"{path}: cut short, the gzip stream has no end: {AGAIN}") from None
    except (gzip.BadGzipFile, zlib.error) as error:
        raise DataError(f"{path}: damaged ({error}): {AGAIN}") from error
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error


def write_idx(array: NDArray[np.uint8]) -> bytes:
    """Return the content of an IDX file, not gzipped.

    >>> write_idx(np.array([[5, 0, 4]], np.uint8)).hex(" ")
    '00 00 08 02 00 00 00 01 00 00 00 03 05 00 04'
    """
    return struct.pack(f">BBBB{array.ndim}I", 0, 0, UNSIGNED_BYTES, array.ndim, *array.shape) + array.tobytes()


def _parse(path: Path, file: gzip.GzipFile | BufferedReader) -> NDArray[np.uint8]:
    magic = file.read(4)
    if len(magic) < 4 or magic[:3] != bytes([0, 0, UNSIGNED_BYTES]):
        raise DataError(f"{path}: not an IDX file of bytes (it starts with {magic.hex(' ') or 'nothing'}): {AGAIN}")
    sizes = file.read(4 * magic[3])
    if len(sizes) < 4 * magic[3]:
        raise DataError(f"{path}: cut short within its header: {AGAIN}")
    shape = struct.unpack(f">{magic[3]}I", sizes)
    size = math.prod(shape)
    announced = f"{' × '.join(map(str, shape))} = {size:,} bytes"
    if size > LARGEST:
        raise DataError(f"{path}: announces {announced}, more than the {LARGEST:,} that are read: {AGAIN}")
    # One byte more than announced, which also makes gzip check its sum at the end.
    content = file.read(size + 1)
    if len(content) != size:
        found = f"has only {len(content):,}" if len(content) < size else "has more"
        raise DataError(f"{path}: announces {announced} but {found}: {AGAIN}")
    return np.frombuffer(content, np.uint8).reshape(shape)
