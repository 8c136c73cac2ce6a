"""Questions from two tables: the second is made to fit the first, and what does not fit is said."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from polythetic.answers.question import Question
from polythetic.arguments import one_of
from polythetic.errors import InputError
from polythetic.estimators.columns import MISSING
from polythetic.table_scores import no_features
from polythetic.tables import check_classes, check_column, read_table, split_label, words_of

if TYPE_CHECKING:
    import polars as pl

LABELS_OF_NPZ = "y"


def table_question(
    support: Path, query: Path, *, label: str | None = None, drop: Sequence[str] = (), missing: str = "error"
) -> Question:
    r"""Read labelled rows and others from two tables.

    The columns of the second are found by name. Those that only the second has are passed over, with a warning; text
    that names the rows, dates, and columns without a value are no features, and are passed over too.

    Args:
        support: the file of labelled rows.
        query: the file of the others; it may have the column of labels too.
        label: the column of labels; of an NPZ file ``y`` unless given.
        drop: columns to leave out.
        missing: ``"error"``: a missing value is refused; ``"impute"``: it is left, to be filled in.

    Raises:
        InputError: a column is missing, or has no numbers or categories in it.
        DataError: a file cannot be read.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     known, new = Path(folder, "known.csv"), Path(folder, "new.csv")
    ...     _ = known.write_text("size,colour,kind\n1,red,owl\n2,red,owl\n7,blue,emu\n8,red,emu\n")
    ...     _ = new.write_text("colour,size\nblue,6\n")
    ...     asked = table_question(known, new, label="kind")
    >>> asked.query.columns, asked.labels, asked.query_names, asked.truth
    (['size', 'colour'], ('owl', 'owl', 'emu', 'emu'), ('1',), None)
    """
    import polars as pl

    one_of("--missing", missing, MISSING)
    known = read_table(support, as_written=[] if label is None else [label])
    label = _label_of(known, support, label)
    for name in drop:
        check_column("--drop", name, known.columns)
        one_of("--drop", name, [other for other in known.columns if other != label])
    features, labels, numbers = _labelled(known.drop(drop), label)
    check_classes(label, labels, alone=True)
    features = _features(features)
    texts = [column.name for column in features.iter_columns() if column.dtype in (pl.String, pl.Categorical, pl.Enum)]
    asked = read_table(query, as_written=[label, *texts])
    truth = _truth(asked, label, set(labels))
    rows = _fitting(asked.drop(label, strict=False), query, features.columns, drop)
    names = tuple(str(number) for number in range(1, rows.height + 1))
    for table, path, called in ((features, support, numbers), (rows, query, names)):
        _refuse_gaps(table, path, called, missing)
    return Question("row", features, numbers, tuple(labels), rows, names, truth, label)


def _label_of(table: pl.DataFrame, path: Path, label: str | None) -> str:
    if label is not None:
        check_column("--label", label, table.columns)
        return label
    if path.suffix.lower() != ".npz" or LABELS_OF_NPZ not in table.columns:
        raise InputError("--label", "nothing", f"the column of {path} that has the labels: {_listed(table.columns)}")
    return LABELS_OF_NPZ


def _labelled(table: pl.DataFrame, label: str) -> tuple[pl.DataFrame, list[str], tuple[str, ...]]:
    """Take labels and features apart, and keep count of the rows, of which some may have no label."""
    counter = "row"
    while counter in table.columns:
        counter += "_"
    features, labels = split_label(table.with_row_index(counter, offset=1), label)
    rest = features.drop(counter)
    if not rest.width:
        raise InputError("--label", repr(label), "a table with at least one column besides it")
    return rest, labels, tuple(str(number) for number in features[counter])


def _features(table: pl.DataFrame) -> pl.DataFrame:
    """Leave out columns that are no features; say of text in which most values are numbers that it is text."""
    import polars as pl

    left_out = no_features(table)
    for column in table.iter_columns():
        if column.dtype == pl.String:
            values = column.drop_nulls()
            words = values.filter(values.str.strip_chars().cast(pl.Float64, strict=False).is_null())
            if 0 < len(words) < len(values) / 2:
                warnings.warn(
                    f"column {column.name!r}: {len(words)} of {len(values)} values are no numbers, {words[0]!r} the "
                    "first, so that all are taken as text; mend them if they should be numbers",
                    UserWarning,
                    stacklevel=3,
                )
    for name, why in left_out.items():
        warnings.warn(f"column {name!r} left out: {why}", UserWarning, stacklevel=3)
    if len(left_out) == table.width:
        raise InputError("support", f"{table.width} columns, none a feature", "numbers, or categories that recur")
    return table.drop(left_out)


def _truth(table: pl.DataFrame, label: str, classes: set[str]) -> tuple[str | None, ...] | None:
    """Return the labels of a table that may have some, none, or no column of them; 1.0 is class 1 if there is one."""
    if label not in table.columns:
        return None
    words = [_as_class(word, classes) for word in words_of(table[label])]
    if (known := {word for word in words if word is not None}) and not known & classes:
        warnings.warn(
            f"column {label!r}: none of its labels in the query, {_listed(sorted(known))}, is a class: "
            f"{_listed(sorted(classes))}",
            UserWarning,
            stacklevel=3,
        )
    return tuple(words) if any(words) else None


def _as_class(word: str | None, classes: set[str]) -> str | None:
    """Return the class that is the same number written another way, or the word."""
    if word is None or word in classes:
        return word
    try:
        number = float(word)
    except ValueError:
        return word
    return next((name for name in classes if _number(name) == number), word)


def _number(word: str) -> float | None:
    try:
        return float(word)
    except ValueError:
        return None


def _fitting(table: pl.DataFrame, path: Path, columns: Sequence[str], drop: Sequence[str]) -> pl.DataFrame:
    """Put the columns of a table into an order; refuse one that lacks some, and say what more it has."""
    if absent := [name for name in columns if name not in table.columns]:
        raise InputError("query", f"{path}, without column {absent[0]!r}", f"the columns {_listed(columns)}")
    if more := [name for name in table.columns if name not in (*columns, *drop)]:
        called = [name or f"number {table.columns.index(name) + 1}, which has no name" for name in more]
        known = "a column that was" if len(more) == 1 else "columns that were"
        warnings.warn(f"{path}: passed over {known} not learned from: {_listed(called)}", UserWarning, stacklevel=3)
    return table.select(columns)


def _refuse_gaps(table: pl.DataFrame, path: Path, names: Sequence[str], missing: str) -> None:
    for column in table.iter_columns():
        numbers = column.dtype.is_float()
        gaps = column.is_null() | column.is_nan() if numbers else column.is_null()
        if missing == "error" and gaps.any():
            raise InputError(
                f"column {column.name!r} of {path}",
                f"nothing in {gaps.sum()} of {len(column)} rows, row {names[gaps.arg_true()[0]]} the first",
                f"a value in each, or --missing impute, or --drop {column.name}",
            )
        if numbers and column.is_infinite().any():
            raise InputError(f"column {column.name!r} of {path}", "an infinite number", "finite numbers")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:20]) + (f" and {len(names) - 20} more" if len(names) > 20 else "")
