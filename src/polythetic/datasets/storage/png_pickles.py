"""Pickled lists of PNG pictures, as tieredImageNet was published: indexed once, never unpickled, decoded when taken."""

from __future__ import annotations

import mmap
import pickletools
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.collection import Numbers
from polythetic.datasets.storage.decoded import remembered
from polythetic.datasets.storage.large_files import quick_key
from polythetic.datasets.storage.picture_files import decode_all
from polythetic.errors import DataError

SIGNATURE = b"\x89PNG\r\n\x1a\n"

# Opcodes that carry a string of bytes, and the size of what stands before its first byte: the opcode and the length.
BEFORE = {"SHORT_BINSTRING": 2, "BINSTRING": 5, "SHORT_BINBYTES": 2, "BINBYTES": 5, "BINBYTES8": 9, "BYTEARRAY8": 9}
# Python 3 writes bytes for Python 2 as text, each byte a letter of Latin-1, in UTF-8.
AS_TEXT = {"SHORT_BINUNICODE": 2, "BINUNICODE": 5, "BINUNICODE8": 9}
BEFORE |= AS_TEXT


def index_of(path: Path) -> NDArray[np.int64]:
    """Return where the PNG pictures are in a pickle: for each its first byte, its length, and 1 if it is as text.

    The pickle is read as a list of instructions, none of which is carried out: strings that begin as PNG files do are
    noted and all else is passed over. What comes of it is the same for lists of bytes and for lists of arrays of
    bytes, written by any Python. The index is kept in the cache.

    >>> import pickle
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "two.pkl")
    ...     _ = path.write_bytes(pickle.dumps([SIGNATURE + b"1", SIGNATURE + b"22"], protocol=4))
    ...     _scan(path).tolist()
    [[16, 9, 0], [28, 10, 0]]
    """
    return remembered(f"{path.stem}-index", quick_key(path), lambda: _scan(path))


def _scan(path: Path) -> NDArray[np.int64]:
    found: list[tuple[int, int, int]] = []
    begun: tuple[int, int] | None = None  # a picture's first byte, and whether it is as text
    try:
        with path.open("rb") as file:
            for opcode, argument, position in pickletools.genops(file):
                assert position is not None
                if begun is not None:  # it ended where this instruction begins
                    found.append((begun[0], position - begun[0], begun[1]))
                    begun = None
                if opcode.name in BEFORE and _is_png(argument):
                    begun = (position + BEFORE[opcode.name], int(opcode.name in AS_TEXT))
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error
    except Exception as error:  # a file that is no pickle fails in any way there is, one cut short by lacking its end
        raise DataError(f"{path}: not a pickle, or cut short ({error}): get it again") from error
    return np.array(found, dtype=np.int64).reshape(-1, 3)


def _is_png(argument: object) -> bool:
    if isinstance(argument, str):  # Python 2's strings come as text too
        return argument.startswith(SIGNATURE.decode("latin1"))
    return isinstance(argument, bytes | bytearray) and argument.startswith(SIGNATURE)


@dataclass(frozen=True, eq=False)
class PickledPictures:
    """The PNG pictures in a pickle, read from a memory map and decoded when they are taken.

    Attributes:
        path: the pickle.
        index: what ``index_of`` returns.
        shape: of one picture, [channels, height, width].
        resize: whether pictures of other sizes are cut and resized to that, or refused.
    """

    path: Path
    index: NDArray[np.int64] = field(repr=False)
    shape: tuple[int, ...]
    resize: bool = False

    def __len__(self) -> int:
        return len(self.index)

    def content(self, number: int) -> bytes:
        """Return a picture's PNG file."""
        start, length, as_text = self.index[number]
        content = self._mapped[start : start + length]
        return content.decode().encode("latin1") if as_text else content

    def take(self, numbers: Numbers) -> NDArray[np.float32]:
        """Read and decode pictures; values are from 0 to 1."""
        flat = np.asarray(numbers).ravel().tolist()
        jobs = [(f"{self.path}: picture {number}", self.content(number)) for number in flat]
        pictures = decode_all(jobs, self.shape, resize=self.resize)
        return np.divide(pictures, 255, dtype=np.float32).reshape(*np.shape(numbers), *self.shape)

    @cached_property
    def _mapped(self) -> mmap.mmap:
        try:
            with self.path.open("rb") as file:
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise DataError(f"{self.path}: cannot be read ({error})") from error

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_mapped"}
