"""What both estimators do first: read X and y by scikit-learn's conventions."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import one_of
from polythetic.errors import InputError
from polythetic.estimators.columns import MISSING, Column, Columns, is_table
from polythetic.estimators.learned import KINDS


class Read(NamedTuple):
    """Rows as numbers, and how they came about."""

    numbers: NDArray[np.float64]  # [n, F]
    columns: Columns


def read(estimator: Any, X: Any, *, missing: str, columns: Columns | None = None) -> Read:
    """Read rows: to learn from, or, given the columns that were learned, to answer for.

    A DataFrame may have columns of categories; an array is numbers, and what NumPy has masked is missing. What
    scikit-learn wants checked is checked by it.
    """
    from sklearn.utils.validation import check_array, validate_data

    one_of("missing", missing, MISSING)
    first = columns is None
    if is_table(X):
        validate_data(estimator, X, reset=first, skip_check_array=True)
        by_place = columns is not None and _by_place(estimator, X, columns)
        columns = Columns.of(X) if columns is None else columns
        numbers = columns.numbers(X, missing=missing, by_place=by_place)
        _refuse_gaps(numbers, columns)
        return Read(check_array(numbers, dtype=np.float64), columns)
    if columns is not None and (named := [column.name for column in columns.columns if column.categories is not None]):
        raise InputError("X", f"an array, where {named[0]!r} was a column of categories", "a DataFrame with its names")
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(float), np.nan)
    numbers = validate_data(estimator, X, reset=first, dtype=np.float64, ensure_all_finite=False)
    if columns is None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)  # the median of nothing
            typical = np.nan_to_num(np.nanmedian(numbers, axis=0))
        columns = Columns(tuple(Column(f"x{i}", None, float(value)) for i, value in enumerate(typical)))
    if missing == "impute":
        numbers = np.where(np.isnan(numbers), [column.typical for column in columns.columns], numbers)
    _refuse_gaps(numbers, columns)
    return Read(numbers, columns)


def _by_place(estimator: Any, X: Any, columns: Columns) -> bool:
    """Whether columns are taken in their order, as scikit-learn does (with a warning) where one side has no names."""
    learned = hasattr(estimator, "feature_names_in_")
    given = all(isinstance(name, str) for name in X.columns)
    return learned != given or not set(columns.names) <= {str(name) for name in X.columns}


def _refuse_gaps(numbers: NDArray[np.float64], columns: Columns) -> None:
    """Refuse what is missing or infinite, and say where it is."""
    rows, places = np.nonzero(~np.isfinite(numbers))
    if not len(rows):
        return
    name, value = columns.names[columns.owner[places[0]]], numbers[rows[0], places[0]]
    where = f"in row {rows[0]} (from 0)"
    if np.isnan(value):
        raise InputError(name, f"nothing {where}", 'a value in every row, no NaN; or missing="impute"')
    raise InputError(name, f"{value} {where}", "finite numbers; mend the value, or leave out the row")


def labels_of(y: Any) -> NDArray[Any]:
    """Return the labels as an array of one dimension."""
    from sklearn.utils.validation import column_or_1d

    if np.ma.is_masked(y):
        raise InputError("y", "masked labels", "a label for every row; leave out those without")
    return column_or_1d(y, warn=True)


def classes_of(y: Any, *, rows: int) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the classes in order, and which of them each row has."""
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import assert_all_finite

    labels = labels_of(y)
    assert_all_finite(labels, input_name="y")
    if labels.dtype.kind not in KINDS:
        raise InputError("y", f"labels of {labels.dtype}", "text or numbers")
    if labels.dtype.kind == "O" and any(value is None for value in labels):
        raise InputError("y", "rows without a label", "a label for every row; leave out those without")
    check_classification_targets(labels)
    if len(labels) != rows:
        raise InputError("y", f"{len(labels)} labels", f"one for each of the {rows} rows")
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise InputError("y", f"one class, {classes.tolist()}, in {rows} row(s)", "rows of two classes at least")
    return classes, codes.astype(np.int64)
