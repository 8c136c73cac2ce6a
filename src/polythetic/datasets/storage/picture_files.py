"""Pictures in files, read and decoded when they are asked for."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from statistics import median

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from polythetic.datasets.collection import Numbers
from polythetic.datasets.storage.containers import Container
from polythetic.datasets.storage.pictures import UNREADABLE, Size, decode, dimensions
from polythetic.errors import DataError

# Threads decode pictures of 500×375 twice as fast on two cores, and those of 64×64 half as fast: what Python does
# about each picture, which one thread at a time may do, then takes longer than its decoding.
THREADS_FROM = 20_000  # bytes: the median of the files
THREADS = 4


@dataclass(frozen=True, eq=False)
class Files:
    """Pictures in a folder or a zip archive, read and decoded when they are taken.

    It can be pickled and forked: an archive is opened anew in each process.

    Attributes:
        files: the folder or archive.
        names: each picture's name in it.
        shape: of one picture, [channels, height, width].
        resize: whether pictures of other sizes are cut and resized to that, or refused.
    """

    files: Container
    names: tuple[str, ...]
    shape: tuple[int, ...]
    resize: bool = True

    def __len__(self) -> int:
        return len(self.names)

    def take(self, numbers: Numbers) -> NDArray[np.float32]:
        """Read and decode pictures; values are from 0 to 1."""
        names = [self.names[number] for number in np.asarray(numbers).ravel()]
        jobs = [(f"{self.files.path}: {name}", self.files.read(name)) for name in names]
        pictures = decode_all(jobs, self.shape, resize=self.resize)
        return np.divide(pictures, 255, dtype=np.float32).reshape(*np.shape(numbers), *self.shape)


def decode_all(contents: Sequence[tuple[str, bytes]], shape: tuple[int, ...], *, resize: bool) -> NDArray[np.uint8]:
    """Decode pictures, each with what to call it, to one shape; those of another size are resized or refused."""
    channels, height, width = shape
    pictures = np.empty((len(contents), *shape), np.uint8)

    def fill(row: int) -> None:
        name, content = contents[row]
        picture = decode(content, name=name, size=(height, width) if resize else None, channels=channels)
        if picture.shape != shape:
            raise _differs(name, picture.shape[1:], f"the first picture {height} × {width}")
        pictures[row] = picture

    rows = range(len(contents))
    if rows and median(len(content) for _, content in contents) >= THREADS_FROM:
        with ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1)) as pool:
            list(pool.map(fill, rows))
    else:
        for row in rows:
            fill(row)
    return pictures


def pictures_in(files: Container) -> list[str]:
    """Return the names of the pictures in a folder or archive, folder by folder; an error if there are none."""
    suffixes = _suffixes()
    names = [name for name in files.names() if PurePosixPath(name).suffix.lower() in suffixes]
    if not names:
        raise DataError(
            f"{files.path}: there are no pictures in it: expected a folder for each class, with files such as "
            "class/1.png or category/class/1.jpg"
        )
    return sorted(names, key=lambda name: name.split("/"))


def examples_of(files: Container, names: Sequence[str], size: Size | None, channels: int) -> Files:
    """Return pictures that are decoded when taken, of a given size or of the one that all of them have."""
    if size is not None:
        return Files(files, tuple(names), (channels, *size), resize=True)
    first = _size(files, names[0])
    for name in names[1:]:
        if (other := _size(files, name)) != first:
            raise _differs(f"{files.path}: {name}", other, f"{names[0]} {first[0]} × {first[1]}")
    return Files(files, tuple(names), (channels, *first), resize=False)


@cache
def _suffixes() -> frozenset[str]:
    """Return the suffixes of the formats that Pillow can read by itself."""
    return frozenset(
        suffix
        for suffix, form in Image.registered_extensions().items()
        if form in Image.OPEN and form not in UNREADABLE
    )


def _size(files: Container, name: str) -> Size:
    with files.open(name) as file:
        return dimensions(file, name=f"{files.path}: {name}")


def _differs(where: str, size: Iterable[int], other: str) -> DataError:
    height, width = size
    return DataError(f"{where}: has {height} × {width} pixels, {other}: give size=(height, width) to make them alike")
