"""What both estimators do first: read X and y by scikit-learn's conventions, and score the columns."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import one_of
from polythetic.errors import InputError, SingleRowClassWarning
from polythetic.estimators.columns import MISSING, Column, Columns, by_column, is_table
from polythetic.estimators.learned import KINDS

SCORERS = ("R", "FS", "none")
LARGEST = 1e150  # number to learn from
LEAST = 0.1  # of the highest: where several columns matter, but not alike, Algorithm 1 would drop the least of them


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


def _refuse_large(read: Read) -> None:
    """Refuse rows to learn from whose squares would overflow; of rows to answer for, far out is far enough."""
    rows, places = np.nonzero(np.abs(read.numbers) > LARGEST)
    if len(rows):
        name = read.columns.names[read.columns.owner[places[0]]]
        value = f"{read.numbers[rows[0], places[0]]:.3g} in row {rows[0]} (from 0)"
        raise InputError(name, value, f"numbers up to {LARGEST:.0e}; tell the column in a larger unit")


def check_seconds(seconds: Any) -> None:
    """Refuse a limit of time that is none."""
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, Real) or not float(seconds) > 0):
        raise InputError("seconds", repr(seconds), "a number above 0, or None")


class Scored(NamedTuple):
    """What standardising and scoring have found."""

    mean: NDArray[np.float64]  # [F]
    spread: NDArray[np.float64]  # [F], infinite for a feature that never changes
    scales: NDArray[np.float64]  # [F] of the standardised features
    by_column: NDArray[np.float64]  # a score a column

    def standardise(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (x − μ) / σ, at most so far out that squares stay finite."""
        with np.errstate(over="ignore"):
            return np.clip((numbers - self.mean) / self.spread, -1e6, 1e6)


def score(read: Read, codes: NDArray[np.int64], scorer: str, *, seed: int = 0, seconds: float | None = None) -> Scored:
    """Score the columns of a support by R, by Algorithm 1, or all alike."""
    import torch

    from polythetic.rescaling import rescaling_named
    from polythetic.selection import AttentionScorer, Scorer, UniformScorer
    from polythetic.standardisation import Statistics, without_rounding

    one_of("scorer", scorer, SCORERS)
    _refuse_large(read)
    x = without_rounding(torch.from_numpy(read.numbers.copy()))  # the caller's may be read-only
    labels = torch.from_numpy(codes)
    statistics = Statistics.of(x, eps=0.0)  # columns come in units of any size
    z = statistics.standardise(x)
    with torch.no_grad(), warnings.catch_warnings():
        # A class of one row says nothing of the features; it is no mistake to have one.
        warnings.simplefilter("ignore", SingleRowClassWarning)
        if scorer == "R":
            from polythetic.refinement import RefinedScorer

            # The units that columns have in common say nothing, and may be small.
            own = statistics.spread / statistics.spread.max().clamp(min=torch.finfo(x.dtype).tiny)
            scales = RefinedScorer(seed=seed, seconds=seconds)(z, labels, spread=own)
        else:
            chosen: Scorer = AttentionScorer() if scorer == "FS" else UniformScorer()
            scores = chosen(z, labels)
            if scorer == "FS":
                scores = LEAST + (1 - LEAST) * rescaling_named("min-max-squared")(scores)
            scales = scores * (statistics.spread > 0)
    mean = (statistics.origin + statistics.mean)[0].numpy()
    spread = statistics.spread.numpy()
    spread = np.where(spread > 0, spread, np.inf)
    found = scales.double().numpy()
    return Scored(mean, spread, found, by_column(found, read.columns.owner, len(read.columns.columns)))


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
