"""Tables in NPZ files: an array of rows, and arrays of one value a row. Nothing in them is executed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.storage.archives import open_zip
from polythetic.errors import DataError

if TYPE_CHECKING:
    import polars as pl

NPZ = ".npz"
ROWS = ("X", "x", "features")  # what the array of rows may be called
NAMES = "names"
LARGEST = 2**40  # bytes of one array: whether it fits in memory is asked before


def numbers_within(path: Path) -> int:
    """Count the numbers of an archive, of eight bytes each, by its directory."""
    with open_zip(path, largest=LARGEST) as archive:
        return sum(member.file_size for member in archive.infolist()) // 8


def read_npz(path: Path) -> pl.DataFrame:
    """Read the rows and whatever else has one value a row, each as a column."""
    import polars as pl

    arrays = _arrays(path)
    found = next((name for name in ROWS if name in arrays), None)
    if found is None:
        raise DataError(f"{path}: has arrays {', '.join(arrays) or 'none'}: call that of the rows X, [rows, columns]")
    rows = arrays.pop(found)
    if rows.ndim != 2:
        raise DataError(f"{path}: {found} has shape {list(rows.shape)}: expected [rows, columns]; reshape it")
    names = _names(path, arrays.pop(NAMES, None), rows.shape[1])
    names += [name for name, array in arrays.items() if array.shape == rows.shape[:1]]
    if twice := [name for name, count in Counter(names).items() if count > 1]:
        raise DataError(f"{path}: {Counter(names)[twice[0]]} columns are called {twice[0]!r}: give each its own name")
    columns = [*rows.T, *(arrays[name] for name in names[rows.shape[1] :])]
    return pl.DataFrame(
        [pl.Series(name, _plain(path, name, column)) for name, column in zip(names, columns, strict=True)]
    )


def _arrays(path: Path) -> dict[str, NDArray[Any]]:
    try:
        with np.load(path, allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except Exception as error:  # of NumPy, of zip, of Deflate: anything in the file may be wrong
        why = str(error).partition("\n")[0]
        raise DataError(
            f"{path}: cannot be read ({why}): expected arrays of numbers or text, as numpy.savez writes them, and no "
            "Python objects"
        ) from error


def _names(path: Path, given: NDArray[Any] | None, count: int) -> list[str]:
    if given is None:
        return [f"x{number}" for number in range(1, count + 1)]
    if given.shape != (count,):
        raise DataError(f"{path}: {NAMES} has shape {list(given.shape)}: expected a name for each of {count} columns")
    return [name.decode(errors="replace") if isinstance(name, bytes) else str(name) for name in given.tolist()]


def _plain(path: Path, name: str, column: NDArray[Any]) -> Any:
    """Return a column as polars takes it: numbers in this machine's order of bytes, or text."""
    if column.dtype.kind in "biu":
        return np.ascontiguousarray(column, dtype=column.dtype.newbyteorder("="))
    if column.dtype.kind == "f":
        return np.ascontiguousarray(column, dtype=np.float64)
    if column.dtype.kind in "US":
        return [text.decode(errors="replace") if isinstance(text, bytes) else text for text in column.tolist()]
    raise DataError(f"{path}: column {name!r} is of {column.dtype}: expected numbers or text")
