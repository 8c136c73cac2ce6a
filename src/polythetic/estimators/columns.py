"""Columns: how a table becomes numbers. Numbers stay as they are, categories become indicators, one score a column.

A column of two categories is one indicator, of more than two an indicator a category. Scales of indicators act on
squared distances, so that the score of the column is the root of the sum of their squares.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import one_of
from polythetic.errors import InputError, UnseenCategoryWarning

MISSING = ("error", "impute")
MOST_CATEGORIES = 50  # of a column; more are names or numbers of rows, not features


def is_table(X: Any) -> bool:
    """Tell a DataFrame, of pandas or polars, from an array: it has columns with names, each of its own type."""
    return hasattr(X, "columns") and hasattr(X, "__getitem__") and not isinstance(X, np.ndarray)


@dataclass(frozen=True)
class Column:
    """What is known of a column: its categories, if it has any, and what stands in for a missing value."""

    name: str
    categories: tuple[str, ...] | None  # None: numbers
    typical: float | str  # the median, or the commonest category

    @property
    def width(self) -> int:
        """How many numbers it becomes."""
        if self.categories is None:
            return 1
        return 1 if len(self.categories) <= 2 else len(self.categories)

    @classmethod
    def of(cls, name: str, values: Any) -> Column:
        """Look at the values of a column."""
        numbers = _as_numbers(name, values)
        if numbers is not None:
            known = numbers[np.isfinite(numbers)]
            return cls(name, None, float(np.median(known)) if len(known) else 0.0)
        words = _as_words(values)
        known_words = [word for word in words if word is not None]
        categories, counts = np.unique(known_words, return_counts=True) if known_words else (np.array([""]), [1])
        if len(categories) > MOST_CATEGORIES:
            raise InputError(
                name,
                f"a column of {len(categories)} different texts",
                f"numbers, or at most {MOST_CATEGORIES} categories; leave the column out if it names the rows",
            )
        return cls(name, tuple(str(c) for c in categories), str(categories[int(np.argmax(counts))]))

    def numbers(self, values: Any, *, missing: str) -> NDArray[np.float64]:
        """Turn values into numbers [n, width]; missing ones are NaN, or what is typical."""
        if self.categories is None:
            numbers = _as_numbers(self.name, values)
            if numbers is None:
                example = next(word for word in _as_words(values) if word is not None)
                raise InputError(self.name, repr(example), "numbers, as in the rows that were learned from")
            filled = np.where(np.isnan(numbers), self.typical, numbers) if missing == "impute" else numbers
            return filled[:, None]
        words = _as_words(values)
        if missing == "impute":
            words = [self.typical if word is None else word for word in words]  # type: ignore[misc]
        if unseen := sorted({word for word in words if word is not None} - set(self.categories)):
            warnings.warn(
                f"column {self.name!r}: {unseen[0]!r} was not among the rows that were learned from "
                f"({', '.join(self.categories[:5])}, …); it counts as none of them",
                UnseenCategoryWarning,
                stacklevel=2,
            )
        shown = self.categories[1:] if self.width == 1 else self.categories
        made = np.array([[float(word == c) for c in shown] for word in words], dtype=float).reshape(len(words), -1)
        made = np.zeros((len(words), 1)) if not shown else made
        if self.width == 1:  # of two categories: neither is halfway between them
            made[[word is not None and word not in self.categories for word in words]] = 0.5
        made[[word is None for word in words]] = np.nan
        return made


@dataclass(frozen=True)
class Columns:
    """The columns of a table, learned from some rows, for these or others.

    >>> import pandas as pd
    >>> table = pd.DataFrame({"size": [1.0, 2.0, 4.0], "colour": ["red", "blue", "green"]})
    >>> columns = Columns.of(table)
    >>> columns.names, columns.owner.tolist()
    (('size', 'colour'), [0, 1, 1, 1])
    >>> columns.numbers(table)
    array([[1., 0., 0., 1.],
           [2., 1., 0., 0.],
           [4., 0., 1., 0.]])
    """

    columns: tuple[Column, ...]

    @classmethod
    def of(cls, X: Any) -> Columns:
        """Look at a DataFrame."""
        return cls(tuple(Column.of(name, values) for name, values in _by_name(X).items()))

    @property
    def names(self) -> tuple[str, ...]:
        """The columns' names, in order."""
        return tuple(column.name for column in self.columns)

    @property
    def owner(self) -> NDArray[np.int64]:
        """For each number the column that it comes from."""
        return np.repeat(np.arange(len(self.columns)), [column.width for column in self.columns])

    def numbers(self, X: Any, *, missing: str = "error", by_place: bool = False) -> NDArray[np.float64]:
        """Turn rows of the same columns into numbers; missing ones are NaN unless imputed.

        Columns are found by their names, in any order, or by place, where names say nothing.
        """
        one_of("missing", missing, MISSING)
        given = _by_name(X)
        if by_place:
            given = dict(zip(self.names, given.values(), strict=True))
        if absent := [name for name in self.names if name not in given]:
            raise InputError("X", f"a table without column {absent[0]!r}", f"the columns {', '.join(self.names)}")
        return np.concatenate([column.numbers(given[column.name], missing=missing) for column in self.columns], axis=1)


def by_column(scores: NDArray[np.float64], owner: NDArray[np.int64], count: int) -> NDArray[np.float64]:
    """Put the scores of numbers together into scores of columns: the root of the sum of squares.

    >>> by_column(np.array([1.0, 3.0, 4.0]), np.array([0, 1, 1]), 2)
    array([1., 5.])
    """
    return np.sqrt(np.bincount(owner, weights=np.asarray(scores, dtype=float) ** 2, minlength=count))


def _by_name(X: Any) -> Mapping[str, Any]:
    names: Sequence[Any] = list(X.columns)
    if twice := [name for number, name in enumerate(names) if name in names[:number]]:
        raise InputError("X", f"a table with two columns called {twice[0]!r}", "a name of its own for each column")
    return {str(name): X[name] for name in names}


def _as_numbers(name: str, values: Any) -> NDArray[np.float64] | None:
    """Return the values as numbers, NaN where there is none; None if they are words."""
    kind = str(getattr(values, "dtype", "")).lower()
    if kind.startswith(("cat", "enum")):
        return None
    if kind.startswith(("date", "duration", "timedelta", "period", "time")):
        raise InputError(name, f"a column of {kind}", "numbers or categories; take a year, a month, a number of days")
    if hasattr(values, "isna"):  # pandas: its own missing values have no place in an array of numbers
        plain = values.to_numpy(dtype=object, na_value=None)
    else:
        plain = values.to_numpy() if hasattr(values, "to_numpy") else np.asarray(values)
    if plain.dtype.kind in "biuf":
        return plain.astype(float)
    known = [value for value in plain.tolist() if not _is_missing(value)]
    numbers = sum(isinstance(value, Real | Decimal) for value in known)
    if 0 < numbers < len(known):
        word = next(value for value in known if not isinstance(value, Real | Decimal))
        raise InputError(
            name, f"a column of {numbers} numbers and of others such as {word!r}", "numbers, or text alone"
        )
    if not numbers and known:
        return None
    return np.array([np.nan if _is_missing(value) else float(value) for value in plain.tolist()])


def _as_words(values: Any) -> list[str | None]:
    return [None if _is_missing(value) else str(value) for value in values]


def _is_missing(value: Any) -> bool:
    if value is None or value is np.ma.masked or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float | np.floating) and bool(value != value)
