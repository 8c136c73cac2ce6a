"""Threshold functions: what a weighted sum and a threshold can tell apart, and how few they are (§1, §3)."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import linprog

from polythetic.arguments import whole_number
from polythetic.errors import InputError
from polythetic.theory.boolean import boolean_inputs

_MOST_VARIABLES = 5


def threshold_functions(n: int) -> NDArray[np.int8]:
    """Return the truth tables, in ±1, of every function [w₀ + Σ_j w_j x_j > 0] of n ≤ 5 variables.

    Whole weights of at most (n+1)^((n+1)/2) / 2^n, the bias among them, realise every threshold
    function (Muroga, Threshold Logic and Its Applications, 1971): by Cramer's rule they may be taken as
    determinants of ±1 matrices of order n+1, which Hadamard bounds and 2^n divides. All such
    weights are tried.

    Returns:
        (functions, 2^n) values in the order of `boolean_inputs(n)`; the rows are different and sorted.

    >>> tables = threshold_functions(2)
    >>> len(tables), [1, -1, -1, 1] in tables.tolist()  # all 16 but XOR and its negation
    (14, False)
    """
    if whole_number("n", n, least=0) > _MOST_VARIABLES:
        raise InputError("n", n, f"at most {_MOST_VARIABLES}; OEIS A000609 lists the counts above")
    inputs = boolean_inputs(n)
    bound = math.isqrt((n + 1) ** (n + 1)) // 2**n
    values = range(-bound, bound + 1)
    weights = np.array(list(itertools.product(values, repeat=n)), dtype=np.int8)  # (choices of w₁ … w_n, n)
    unbiased = weights @ inputs.T  # (choices, 2^n); at most (n + 1)·6 in size, so an int8 holds it

    place = 1 << np.arange(2**n, dtype=np.uint64)[::-1]  # reads a truth table as an integer
    found: set[int] = set()
    for bias in values:
        found.update(np.unique((unbiased + np.int8(bias) > 0) @ place).tolist())
    codes = np.array(sorted(found), dtype=np.uint64)
    return np.where(codes[:, None] & place, 1, -1).astype(np.int8)


def count_threshold_functions(n: int) -> int:
    """Return the number of threshold functions of n ≤ 5 variables, counted by listing them (OEIS A000609).

    At most 2^(n²) for n > 1, against `count_boolean_functions(n)` = 2^(2^n) functions in all (§1).

    >>> [count_threshold_functions(n) for n in range(5)]
    [2, 4, 14, 104, 1882]
    """
    return len(threshold_functions(n))


def is_threshold(labels: ArrayLike, features: ArrayLike) -> bool:
    """Return whether some weights and a bias give sign(w₀ + w·features) = label on every row.

    Decided by a linear programme: are there w₀ and w with label·(w₀ + w·features) ≥ 1 on every row?

    Args:
        labels: (rows,) of −1 and 1.
        features: (rows, columns) of numbers: the variables, or pseudo-variables made of them (§3, Fig. 3).

    >>> x, y = boolean_inputs(2).T
    >>> is_threshold(x * y, np.stack([x, y], axis=-1))
    False
    >>> is_threshold(x * y, np.stack([x, y, x * y], axis=-1))
    True
    """
    y = np.asarray(labels, dtype=np.float64)
    x = np.asarray(features, dtype=np.float64)
    if y.ndim != 1 or not np.all(np.abs(y) == 1):
        raise InputError("labels", labels, "one −1 or 1 a row")
    if x.ndim != 2 or len(x) != len(y):
        raise InputError("features", f"array of shape {x.shape}", f"{len(y)} rows, as labels, of numbers")
    if not np.all(np.isfinite(x)):
        raise InputError("features", features, "finite numbers")
    if len(y) == 0:
        return True
    # Shifting and scaling a column changes no answer, only the solver's tolerance on it.
    x = x - x.mean(0)
    spread = np.abs(x).max(0)
    x = x / np.where(spread > 0, spread, 1.0)
    signed = y[:, None] * np.column_stack([np.ones(len(y)), x])  # (rows, 1 + columns)
    answer = linprog(np.zeros(signed.shape[1]), A_ub=-signed, b_ub=-np.ones(len(y)), bounds=(None, None))
    feasible, infeasible = 0, 2
    if answer.status not in (feasible, infeasible):
        raise RuntimeError(f"the linear programme ended undecided: {answer.message}")
    return bool(answer.status == feasible)
