"""The column that is the label, apart from the others."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from polythetic.datasets.table import check_column
from polythetic.errors import InputError
from polythetic.tables.gaps import filled, marks_in

if TYPE_CHECKING:
    import polars as pl


def split_label(table: pl.DataFrame, label: str) -> tuple[pl.DataFrame, list[str]]:
    """Take the label's column out of a table; rows without a label are left out, with a warning that counts them.

    Raises:
        InputError: there is no such column, or no label in it, or no other column.

    >>> import polars as pl
    >>> features, labels = split_label(pl.DataFrame({"size": [3, 5], "kind": ["owl", "emu"]}), "kind")
    >>> features.columns, labels
    (['size'], ['owl', 'emu'])
    """
    check_column("label", label, table.columns)
    if table.width == 1:
        raise InputError("label", repr(label), "a table with at least one column besides it")
    words = words_of(table[label])
    known = words.is_not_null()
    if not known.any():
        raise InputError("label", repr(label), f"a column with labels; all its {table.height} values are missing")
    if missing := int((~known).sum()):
        marks = " and ".join(marks_in(_as_text(table[label])))
        warnings.warn(
            f"{missing} of {table.height} rows without a label in column {label!r}"
            f"{f', where {marks} is taken for none' if marks else ''}: left out",
            UserWarning,
            stacklevel=2,
        )
    return table.drop(label).filter(known), words.filter(known).to_list()


def words_of(column: pl.Series) -> pl.Series:
    """Return a column of labels as words, null where there is none or a mark that says so.

    >>> import polars as pl
    >>> words_of(pl.Series("kind", [1.0, float("nan"), 2.0])).to_list()
    ['1.0', None, '2.0']
    """
    import polars as pl

    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        raise InputError("label", f"{column.name!r}, a column of {column.dtype}", "text or numbers")
    return filled(_as_text(column))


def _as_text(column: pl.Series) -> pl.Series:
    import polars as pl

    return (column.fill_nan(None) if column.dtype.is_float() else column).cast(pl.String)


def check_classes(label: str, labels: Sequence[str], *, alone: bool = False) -> Counter[str]:
    """Count the rows of each class, of which there must be two or more, that recur unless they may stand alone.

    >>> check_classes("kind", ["owl", "owl"])
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: label = 'kind', where all 2 rows are 'owl': expected at least two classes
    """
    counts = Counter(labels)
    if len(labels) < 2:
        raise InputError("label", f"{label!r}, with {len(labels)} labelled row", "at least two rows of each class")
    if len(counts) < 2:
        raise InputError("label", f"{label!r}, where all {len(labels)} rows are {labels[0]!r}", "at least two classes")
    if not alone and sum(count == 1 for count in counts.values()) > len(labels) / 2:
        raise InputError(
            "label",
            f"{label!r}, with {len(counts)} classes in {len(labels)} rows",
            "classes that have several rows each; cut numbers into ranges first",
        )
    return counts
