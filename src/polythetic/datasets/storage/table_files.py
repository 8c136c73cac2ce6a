"""Files of tables, read by polars and judged by what polars would pass over."""

from __future__ import annotations

import csv
import gzip
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from polythetic.errors import DataError, InputError, MissingDataError

if TYPE_CHECKING:
    import polars as pl

SEPARATORS = {".csv": ",", ".tsv": "\t", ".tab": "\t"}
PARQUET = (".parquet", ".pq")


def read_frame(path: Path, *, as_written: Sequence[str]) -> pl.DataFrame:
    """Read a table; the columns ``as_written`` stay text in text files."""
    import polars

    ensure_sayable(path)
    suffix = Path(path.name.removesuffix(".gz")).suffix.lower()
    if suffix not in SEPARATORS and path.suffix.lower() not in PARQUET:
        raise InputError("path", str(path), f"a file ending in {', '.join([*SEPARATORS, *PARQUET])}")
    try:
        if not path.is_file():
            raise MissingDataError(f"{path}: there is no such file: check the path")
        if suffix not in SEPARATORS:
            return polars.read_parquet(path, glob=False)
        header = _header(path, SEPARATORS[suffix])
        frame = polars.read_csv(
            path,
            separator=SEPARATORS[suffix],
            schema_overrides={name: polars.String for name in as_written if name in header},
            infer_schema_length=None,  # all rows: a column is of numbers if all of it is
            glob=False,
        )
        return _without_blank_end(frame)
    except polars.exceptions.NoDataError as error:
        raise DataError(f"{path}: is empty: expected a header and rows below it") from error
    except (polars.exceptions.PolarsError, OSError, EOFError, UnicodeDecodeError, csv.Error) as error:
        why = str(error).partition("\n")[0]
        raise DataError(
            f"{path}: cannot be read ({why}): expected a table in {suffix[1:].upper()}, text in UTF-8, with as many "
            "columns in each row as in the header"
        ) from error


def ensure_sayable(path: Path) -> None:
    """Refuse a file whose name is no text: polars cannot open it, and neither pages nor pictures can name it."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        said = os.fsencode(path).decode(errors="replace")
        raise DataError(f"{said}: the file's name, or its folder's, is not in UTF-8: rename it") from None


def _header(path: Path, separator: str) -> list[str]:
    """Return the names in a text file's header, each of which must be there once; polars would rename the second."""
    open_ = gzip.open if path.suffix == ".gz" else open
    with open_(path, "rt", encoding="utf-8-sig", newline="") as file:
        header = next(csv.reader(file, delimiter=separator), [])
    if twice := [name for name, count in Counter(header).items() if count > 1]:
        raise DataError(f"{path}: {Counter(header)[twice[0]]} columns are called {twice[0]!r}: give each its own name")
    if len(header) == 1 and ";" in header[0]:
        raise DataError(f"{path}: its columns are separated by semicolons: save it with commas, decimals with points")
    return header


def _without_blank_end(frame: pl.DataFrame) -> pl.DataFrame:
    """Leave out empty lines at the end, which are read as rows without values."""
    filled = frame.height
    while filled and all(value is None for value in frame.row(filled - 1)):
        filled -= 1
    return frame.head(filled)
