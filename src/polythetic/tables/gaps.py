"""Values that are missing, however a file marks them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

MARKS_OF_NOTHING = ("", "NA", "N/A", "n/a", "NaN", "nan", "NULL", "null", "?")
# Among numbers, that is: as text, + and - are two classes, and None a category as good as any.
MARKS_AMONG_NUMBERS = (*MARKS_OF_NOTHING, "None", "-")


def filled(words: pl.Series, marks: Sequence[str] = MARKS_OF_NOTHING) -> pl.Series:
    """Return text without space around it, and null where there is none, or a mark that says so.

    >>> import polars as pl
    >>> filled(pl.Series(["owl ", "NA", None, " ", "?"])).to_list()
    ['owl', None, None, None, None]
    """
    words = words.str.strip_chars()
    return words.set(words.is_in(marks).fill_null(False), None)


def marks_in(words: pl.Series) -> list[str]:
    """Name the marks that stand in a column of text for nothing, so that whoever meant something by one can see it.

    >>> import polars as pl
    >>> marks_in(pl.Series(["owl", "NA", "", "?", "NA"]))
    ["'?'", "'NA'"]
    """
    found = set(words.str.strip_chars().unique().drop_nulls()) & set(MARKS_OF_NOTHING)
    return sorted(repr(mark) for mark in found if mark)


def without_marks(table: pl.DataFrame) -> pl.DataFrame:
    """Put null in the place of marks in columns of text, with a warning that names them."""
    import polars as pl

    made = []
    for column in table.iter_columns():
        if column.dtype != pl.String or (gaps := filled(column).is_null()).sum() == column.null_count():
            continue
        made.append(column.set(gaps, None))
        if marks := marks_in(column):
            count = int(gaps.sum()) - column.null_count()
            warnings.warn(
                f"column {column.name!r}: {' and '.join(marks)}, in {count} of {len(column)} rows, taken for no value; "
                "write another word where one is meant",
                UserWarning,
                stacklevel=3,
            )
    return table.with_columns(made)
