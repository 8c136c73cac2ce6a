"""Collections from tables: a row an example, a column a feature."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.arrays import sorted_by
from polythetic.datasets.collection import Collection, Rows
from polythetic.datasets.storage.table_files import read_frame
from polythetic.errors import DataError, InputError

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, eq=False)
class Table(Rows):
    """Rows of features that have names."""

    names: tuple[str, ...] = ()


def read_table(
    path: Path | str, *, label: str, group: str | None = None, features: Sequence[str] | None = None
) -> Collection:
    r"""Read a collection from a table in a CSV, TSV or Parquet file.

    Labels and groups are read as they are written, so "01" stays "01". Features are numbers, or true and false; none
    may be missing, and none is filled in: what a missing value means is for you to say.

    Args:
        path: the file, ending in .csv, .tsv, .tab (or these and .gz), .parquet or .pq.
        label: the column of labels.
        group: a column of groups, if classes are pairs of a label and a group, named "label/group", and the labels
            their categories.
        features: the columns of features, in this order; all others unless given. ``examples.names`` has them.

    Raises:
        InputError: there is no such column.
        DataError: the table cannot be read, or used; the message names the column and the first row, counted from 1
            after the header.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "genes.csv")
    ...     _ = path.write_text("snp1,snp2,illness\n0,2,yes\n1,1,no\n2,0,yes\n")
    ...     patients = read_table(path, label="illness")
    >>> patients.class_names, patients.examples.names, patients.members[1].tolist()
    (('no', 'yes'), ('snp1', 'snp2'), [0, 2])
    """
    path = Path(path).expanduser()
    frame = read_frame(path, as_written=[label] if group is None else [label, group])
    for argument, names in (("label", [label]), ("group", [group] if group else []), ("features", features or [])):
        for name in names:
            check_column(argument, name, frame.columns)
    chosen = _chosen(path, frame.columns, label, group, features)
    if not len(frame):
        raise DataError(f"{path}: the table has no rows: expected at least one below the header")
    array = np.column_stack([_numbers(path, frame[name]) for name in chosen])
    return sorted_by(
        Table(array, tuple(chosen)),
        _labels(path, frame[label]),
        groups=None if group is None else _labels(path, frame[group]),
        source=f"{path.name}, {label} by {len(chosen)} features",
    )


def check_column(argument: str, name: str, columns: Sequence[str]) -> None:
    """See that there is such a column, or list those there are, the most similar name first."""
    if name not in columns:
        near = get_close_matches(name, columns, 1)
        listed = ", ".join(columns[:20]) + (f" and {len(columns) - 20} more" if len(columns) > 20 else "")
        raise InputError(
            argument, repr(name), f"{near[0]!r}, perhaps, or another of {listed}" if near else f"one of {listed}"
        )


def _chosen(
    path: Path, columns: Sequence[str], label: str, group: str | None, features: Sequence[str] | None
) -> list[str]:
    """Return the columns of features, and refuse those that would give the answer away."""
    answers = [label] if group is None else [label, group]
    if features is not None:
        chosen = list(features)
        for name in answers:
            if name in chosen:
                raise InputError("features", repr(name), "columns other than the label's and the group's")
        if len(set(chosen)) != len(chosen):
            raise InputError("features", chosen, "each column once")
    else:
        chosen = [name for name in columns if name not in answers]
        if "" in chosen:  # pandas writes its index so, and the index often tells the label
            raise DataError(f"{path}: column {columns.index('') + 1} has no name: give it one, or name the features")
    if not chosen:
        raise DataError(f"{path}: no columns besides {', '.join(answers)}: expected at least one feature")
    return chosen


def _numbers(path: Path, column: pl.Series) -> NDArray[np.float32]:
    """Return a column in single precision, as all examples are taken."""
    import polars as pl

    if not (column.dtype.is_numeric() or column.dtype == pl.Boolean):
        bad = column.is_not_null()
        if column.dtype == pl.String:  # of which most may be numbers
            bad &= column.cast(pl.Float64, strict=False).is_null()
        row = next(iter(bad.arg_true()), 0)
        raise _wrong(path, column, row, "numbers; leave the column out with features=[…], or turn it into numbers")
    _none_missing(path, column)
    values = column.cast(pl.Float64).to_numpy()
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    if len(infinite := np.flatnonzero(~np.isfinite(single))):
        raise _wrong(path, column, int(infinite[0]), "finite numbers below 10³⁸; fill it in or leave the row out")
    return single


def _labels(path: Path, column: pl.Series) -> NDArray[Any]:
    """Return labels as text, or as whole numbers if they are written so, which sorts 10 behind 9."""
    import polars as pl

    _none_missing(path, column)
    texts = np.array(column.cast(pl.String).to_list())
    try:
        numbers = texts.astype(np.int64)
    except (ValueError, OverflowError):
        return texts
    return numbers if np.array_equal(numbers.astype(str), texts) else texts


def _none_missing(path: Path, column: pl.Series) -> None:
    if len(bad := column.is_null().arg_true()):
        raise _wrong(path, column, int(bad[0]), "a value; fill it in or leave the row out")


def _wrong(path: Path, column: pl.Series, row: int, expected: str) -> DataError:
    value = column[row]
    found = "nothing" if value is None else repr(value)
    return DataError(f"{path}: column {column.name!r} has {found} in row {row + 1}: expected {expected}")
