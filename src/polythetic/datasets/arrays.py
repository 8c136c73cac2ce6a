"""Collections from arrays that are in memory: your own data, or features that some network has made."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.collection import Collection, Examples, Rows
from polythetic.errors import InputError


def from_arrays(x: Any, labels: Any, *, groups: Any = None, source: str = "arrays") -> Collection:
    """Make a collection of rows of features, or of arrays of any shape, with a label each.

    Args:
        x: the examples, [n, …]: a NumPy array, a torch tensor or lists of numbers, none of them missing or infinite.
        labels: one for each, of any kind.
        groups: one for each, if the classes are pairs of a label and a group, named "label/group", and the labels
            their categories: what tasks with several groups of examples in a class are made from.
        source: what it is, for people.

    Raises:
        InputError: an array cannot be used; the message has the first row, and column, where.

    >>> birds = from_arrays([[0.1, 2], [0.3, 1], [0.9, 7]], ["owl", "owl", "emu"])
    >>> birds.class_names, [members.tolist() for members in birds.members]
    (('emu', 'owl'), [[2], [0, 1]])
    >>> from_arrays(np.eye(4), [0, 0, 1, 1], groups=["a", "b", "a", "a"]).class_names
    ('0/a', '0/b', '1/a')
    >>> from_arrays([[1, 2], [3, float("nan")]], ["owl", "emu"])
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: x = nan in row 1, column 1 (from 0): expected finite numbers; fill in or drop the row
    """
    rows = _examples(x)
    return sorted_by(Rows(rows), _labels("labels", labels, len(rows)), groups=groups, source=source)


def sorted_by(examples: Examples, labels: Any, *, groups: Any = None, source: str) -> Collection:
    """Sort examples into classes by a label each; or by label and group, into categories by label."""
    labels = _labels("labels", labels, len(examples))
    if groups is None:
        return Collection.from_labels(examples, labels, source=source)
    groups = _labels("groups", groups, len(examples))
    label_names, label_codes = np.unique(labels, return_inverse=True)
    group_names, group_codes = np.unique(groups, return_inverse=True)
    pairs, codes = np.unique(label_codes * len(group_names) + group_codes, return_inverse=True)
    order = np.argsort(codes, kind="stable").astype(np.int64)
    categories = pairs // len(group_names)
    return Collection(
        examples=examples,
        members=tuple(np.split(order, np.cumsum(np.bincount(codes))[:-1])),
        class_names=tuple(
            f"{label_names[k]}/{group_names[g]}" for k, g in zip(categories, pairs % len(group_names), strict=True)
        ),
        categories=categories.astype(np.int64),
        category_names=tuple(str(name) for name in label_names),
        source=source,
    )


def _examples(x: Any) -> NDArray[Any]:
    try:
        array = _as_numpy(x)
    except ValueError as error:  # lists of unequal length
        raise InputError("x", f"a {type(x).__name__}", f"rows that are all alike ({error})") from error
    if array.ndim < 2 or not array.size:
        raise InputError("x", f"an array of shape {array.shape}", "[n, …], at least one row of at least one feature")
    if array.dtype.kind not in "biuf":
        raise InputError("x", f"an array of {array.dtype}", "numbers; text has to be turned into them first")
    with np.errstate(over="ignore"):
        wrong = ~np.isfinite(array.astype(np.float32, copy=False))  # as it will be taken
    if wrong.any():
        row, *rest = np.argwhere(wrong)[0].tolist()
        where = f"column {rest[0]}" if len(rest) == 1 else f"place {tuple(rest)}"
        value = array[(row, *rest)]
        expected = "finite numbers" if not math.isfinite(value) else "numbers that single precision can hold"
        raise InputError("x", f"{value} in row {row}, {where} (from 0)", f"{expected}; fill in or drop the row")
    return array


def _labels(argument: str, labels: Any, count: int) -> NDArray[Any]:
    array = _as_numpy(labels)
    if array.shape != (count,):
        raise InputError(argument, f"an array of shape {array.shape}", f"one for each of the {count} examples")
    if array.dtype.kind == "O":
        missing = [row for row, value in enumerate(array) if value is None or value != value]  # NaN differs from itself
        if not missing and len({type(value) for value in array}) > 1 and len(set(array)) > len(set(map(str, array))):
            raise InputError(argument, "labels such as 1 and '1'", "labels of one kind: all numbers, or all text")
        array = array if missing else np.array([str(value) for value in array])
    else:
        missing = np.flatnonzero(array != array).tolist()  # NaN, and times that are none, differ from themselves
    if missing:
        raise InputError(
            argument, f"none in row {missing[0]} (from 0)", "a label for every example; leave out those without"
        )
    return array


def _as_numpy(values: Any) -> NDArray[Any]:
    if hasattr(values, "detach"):  # a tensor; torch itself is slow to import and not needed
        values = values.detach().cpu()
        try:
            return np.asarray(values.numpy())
        except TypeError:  # NumPy has no bfloat16
            return np.asarray(values.float().numpy())
    return np.asarray(values)
