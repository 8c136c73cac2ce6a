"""What kind of values a column has, where polars does not see it, or sees more than an array can hold."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from polythetic.tables.dates import as_dates
from polythetic.tables.gaps import MARKS_AMONG_NUMBERS, filled

if TYPE_CHECKING:
    import polars as pl

WIDE = ("Int128", "UInt128")  # whole numbers that NumPy has no place for; polars of some years ago has none
TRUE_AND_FALSE = ("true", "false")


def with_kinds(table: pl.DataFrame, as_written: Sequence[str]) -> pl.DataFrame:
    """Read as what they are columns of dates, and of numbers or true and false with gaps that are marked by a word."""
    import polars as pl

    made = []
    for column in table.iter_columns():
        if column.dtype != pl.String or column.name in as_written:
            continue
        known = filled(column, MARKS_AMONG_NUMBERS)
        if known.null_count() == len(known):
            continue
        for kind in (_numbers, _true_or_false, as_dates):
            values = kind(known)
            if values is not None and values.null_count() == known.null_count():  # every word is one
                made.append(values)
                break
    return table.with_columns(made)


def narrowed(table: pl.DataFrame, as_written: Sequence[str]) -> pl.DataFrame:
    """Round whole numbers of more than 64 bits, ids of thirty digits say, to the numbers that an array can hold."""
    import polars as pl

    wide = [
        column.name for column in table.iter_columns() if str(column.dtype) in WIDE and column.name not in as_written
    ]
    return table.with_columns(pl.col(wide).cast(pl.Float64)) if wide else table


def _numbers(words: pl.Series) -> pl.Series:
    import polars as pl

    return words.cast(pl.Float64, strict=False)


def _true_or_false(words: pl.Series) -> pl.Series:
    words = words.str.to_lowercase()
    return (words == TRUE_AND_FALSE[0]).set(~words.is_in(TRUE_AND_FALSE).fill_null(False), None)
