"""A table from a file, whatever its format: read if it fits in memory, and refused where it would be misread."""

from __future__ import annotations

import csv
import gzip
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from polythetic.datasets.storage.table_files import PARQUET, SEPARATORS, ensure_sayable, read_frame
from polythetic.errors import DataError, InputError, MissingDataError
from polythetic.tables.gaps import without_marks
from polythetic.tables.kinds import narrowed, with_kinds
from polythetic.tables.npz import NPZ, numbers_within, read_npz

if TYPE_CHECKING:
    import polars as pl

# Bytes of memory for a byte of text: "0," is two bytes, 8 when read, and as many again as numbers and standardised.
BYTES_FOR_TEXT = 12
PACKED = 10  # how much text gzip packs into one byte, about
BYTES_FOR_VALUE = 24  # of a Parquet or NPZ file, by the same count
LOOKED_AT = 2**16  # bytes, for what is no text


def read_table(path: Path | str, *, as_written: Sequence[str] = ()) -> pl.DataFrame:
    r"""Read a table from a CSV, TSV, Parquet or NPZ file.

    The table has at least one row, and a name of its own for each column. A column of numbers with gaps in it, written
    NA, NaN, null or ?, is one of numbers; in a column of text these are gaps too, with a warning that names them. An
    NPZ file has rows of features, an array ``X``; their names in an array ``names`` if it likes (x1, x2, … without);
    and any further array of one value a row, ``y`` say, is a column too.

    Args:
        path: the file, ending in .csv, .tsv, .tab (or these and .gz), .parquet, .pq or .npz.
        as_written: columns that stay text in text files, so that a label "01" is not 1.

    Raises:
        InputError: the file's name has another ending.
        DataError: there is no such file, or it is empty, damaged, or no table.
        TooLargeError: it would not fit in the memory that is free; said before it is read.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "genes.csv")
    ...     _ = path.write_text("snp1,snp2,illness\n0,2,yes\nNA,1,no\n")
    ...     read_table(path).to_dicts()
    [{'snp1': 0.0, 'snp2': 2, 'illness': 'yes'}, {'snp1': None, 'snp2': 1, 'illness': 'no'}]
    """
    path = Path(path).expanduser()
    ensure_sayable(path)
    endings = Path(path.name.lower().removesuffix(".gz")).suffix
    if endings not in SEPARATORS and path.suffix.lower() not in (*PARQUET, NPZ):
        raise InputError("table", str(path), f"a file ending in {', '.join([*SEPARATORS, *PARQUET, NPZ])}")
    if not path.is_file():
        what = "is a folder" if path.is_dir() else "there is no such file"
        raise MissingDataError(f"{path}: {what}: check the path")
    if not path.stat().st_size:
        raise DataError(f"{path}: is empty: expected a header and rows below it")
    _ensure_room(path, is_text=endings in SEPARATORS)
    if path.suffix.lower() == NPZ:
        table = read_npz(path)
    elif endings in SEPARATORS:
        table = _text_table(path, SEPARATORS[endings], as_written)
    else:
        table = read_frame(path, as_written=())
    if not table.height:
        raise DataError(f"{path}: the table has no rows: expected some below the header")
    return narrowed(without_marks(table), as_written)


def _ensure_room(path: Path, *, is_text: bool) -> None:
    from polythetic.memory import ensure_room

    size = path.stat().st_size
    if is_text:
        needed = size * BYTES_FOR_TEXT * (PACKED if path.suffix == ".gz" else 1)
    else:  # both formats say in front or at the end how much there is, which may be packed to almost nothing
        needed = BYTES_FOR_VALUE * (numbers_within(path) if path.suffix.lower() == NPZ else _values_within(path))
    ensure_room(needed, f"{path}: a table of this size", "give fewer rows or columns, or free some memory")


def _values_within(path: Path) -> int:
    """Count the values of a Parquet file by its footer; 0 if that cannot be read, which reading the file will say."""
    try:
        import polars as pl

        rows = pl.scan_parquet(path, glob=False).select(pl.len()).collect().item()
        return int(rows) * len(pl.read_parquet_schema(path))
    except Exception:  # whatever is wrong with the file, or polars not installed
        return 0


def _text_table(path: Path, separator: str, as_written: Sequence[str]) -> pl.DataFrame:
    open_ = gzip.open if path.suffix == ".gz" else open
    try:
        with open_(path, "rb") as file:
            start = file.read(LOOKED_AT)
    except (OSError, EOFError) as error:
        raise DataError(f"{path}: cannot be read ({error}): expected text, packed by gzip") from error
    if b"\0" in start:
        raise DataError(f"{path}: is no text, whatever its name says: save it as CSV in UTF-8, or give its right name")
    table = read_frame(path, as_written=as_written)
    if table.width == 1 and "\t" in table.columns[0]:
        raise DataError(f"{path}: its columns are separated by tabs: name it .tsv, or save it with commas")
    if table.height and table[:, -1].null_count():  # where polars fills up rows that end too early
        _ensure_even(path, separator)
    return with_kinds(table, as_written)


def _ensure_even(path: Path, separator: str) -> None:
    """Refuse a row with fewer values than the header has names."""
    open_ = gzip.open if path.suffix == ".gz" else open
    with open_(path, "rt", encoding="utf-8-sig", newline="") as file:
        lines = csv.reader(file, delimiter=separator)
        expected = len(next(lines))
        for line in lines:
            if 0 < len(line) < expected:
                raise DataError(
                    f"{path}: line {lines.line_num} has {len(line)} values and the header {expected} names: give every "
                    "row as many, empty ones where nothing is known"
                )
