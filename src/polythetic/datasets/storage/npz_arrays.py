"""Arrays of pictures in ``.npz`` archives, mapped into memory instead of read."""

from __future__ import annotations

import io
import math
import shutil
import struct
import zipfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from polythetic.datasets.collection import Numbers
from polythetic.datasets.storage.archives import AGAIN, open_zip
from polythetic.datasets.storage.large_files import quick_key
from polythetic.datasets.storage.pictures import fitted
from polythetic.datasets.storage.places import CACHE_VARIABLE, cache_folder
from polythetic.errors import DataError
from polythetic.files import replacing

LARGEST = 2**40  # bytes of one array: it is mapped, so memory is no limit
LOCAL_HEADER = 30  # bytes before a member's name, of which the last four are the lengths of name and extra field


@dataclass(frozen=True, eq=False)
class MappedPictures:
    """Pictures [n, height, width, channels] of bytes in a file, mapped when they are first taken, in each process anew.

    Attributes:
        path: the file.
        offset: where the array begins in it.
        stored: the array's shape.
        columns_first: whether it is stored as Fortran does.
        size: (height, width) that pictures are cut and resized to, or None for their own.
    """

    path: Path
    offset: int
    stored: tuple[int, ...]
    columns_first: bool = False
    size: tuple[int, int] | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one picture, channels first."""
        _, height, width, channels = self.stored
        return (channels, *(self.size or (height, width)))

    def __len__(self) -> int:
        return self.stored[0]

    def take(self, numbers: Numbers) -> NDArray[np.float32]:
        """Return pictures with values from 0 to 1."""
        flat = np.asarray(numbers).ravel()
        pictures = self._mapped[flat]
        if self.size not in (None, self.stored[1:3]):
            pictures = np.stack([self._resized(picture) for picture in pictures])
        values = np.divide(pictures.transpose(0, 3, 1, 2), 255, dtype=np.float32, order="C")
        return values.reshape(*np.shape(numbers), *self.shape)

    def _resized(self, picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        assert self.size is not None
        return np.asarray(fitted(Image.fromarray(picture), self.size))

    @cached_property
    def _mapped(self) -> NDArray[np.uint8]:
        try:
            mapped = np.memmap(
                self.path, np.uint8, "r", self.offset, self.stored, order="F" if self.columns_first else "C"
            )
        except (OSError, ValueError) as error:
            raise DataError(f"{self.path}: cannot be mapped into memory ({error}): {AGAIN}") from error
        return mapped.view(np.ndarray)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_mapped"}  # it would be copied


def mapped_pictures(path: Path, name: str, *, size: tuple[int, int] | None = None) -> MappedPictures:
    """Map the array ``name`` of an ``.npz`` archive, which must be bytes [n, height, width, 3].

    One that was stored as it is (``numpy.savez``) is mapped where it lies; a compressed one is unpacked into the cache,
    once, piece by piece.

    Raises:
        DataError: there is no such array, or it is another kind of array, or damaged.
    """
    member = f"{name}.npy"
    with open_zip(path, largest=LARGEST) as archive:
        if member not in archive.namelist():
            raise DataError(f"{path}: has no array {name!r}, but {', '.join(archive.namelist()) or 'none'}: {AGAIN}")
        info = archive.getinfo(member)
        if info.compress_type != zipfile.ZIP_STORED:
            path, start = _unpacked(path, archive, member), 0
        else:
            start = _start_of(path, info)
    with path.open("rb") as file:
        file.seek(start)
        shape, columns_first = _header(file, f"{path}: {member}")
        offset = file.tell()
        if offset + math.prod(shape) > file.seek(0, 2):
            raise DataError(f"{path}: {member} is cut short: {AGAIN}")
    return MappedPictures(path, offset, shape, columns_first, size)


def _start_of(path: Path, info: zipfile.ZipInfo) -> int:
    """Return where a stored member's content begins, by the header in front of it: the directory does not say."""
    with path.open("rb") as file:
        file.seek(info.header_offset)
        header = file.read(LOCAL_HEADER)
    if len(header) < LOCAL_HEADER or not header.startswith(b"PK\x03\x04"):
        raise DataError(f"{path}: member {info.filename!r} is damaged: {AGAIN}")
    return info.header_offset + LOCAL_HEADER + sum(struct.unpack("<HH", header[-4:]))


def _unpacked(path: Path, archive: zipfile.ZipFile, member: str) -> Path:
    target = cache_folder() / "decoded" / f"{path.stem}-{quick_key(path)[:16]}.npy"
    if target.exists():
        return target
    try:
        with archive.open(member) as packed, replacing(target) as file:
            shutil.copyfileobj(packed, file, 2**20)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise DataError(f"{path}: member {member!r} is damaged ({error}): {AGAIN}") from error
    except OSError as error:
        raise DataError(
            f"{target}: cannot be written ({error.strerror or error}), and {path} has to be unpacked there: make room, "
            f"or name another folder with {CACHE_VARIABLE}"
        ) from error
    return target


def _header(file: io.BufferedReader, name: str) -> tuple[tuple[int, ...], bool]:
    """Read the header of a ``.npy`` file: the array's shape, and whether columns come first."""
    try:
        version = np.lib.format.read_magic(file)
        read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, columns_first, dtype = read(file)
    except Exception as error:  # NumPy parses the header as Python
        raise DataError(f"{name} is not a NumPy array ({error}): {AGAIN}") from error
    if dtype != np.uint8 or len(shape) != 4 or shape[3] != 3:
        raise DataError(f"{name} is {dtype} {list(shape)}: expected bytes (uint8) [n, height, width, 3]")
    return shape, columns_first
