"""Boolean functions in the parity basis: inputs, parities and the Walsh–Hadamard transform (§2).

One order is used throughout. Input i, and the parity function of index i, are read from the binary
digits of i, the least significant first: digit j is 1 where x_j = −1, and where j is in the subset.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polythetic.arguments import whole_number
from polythetic.errors import InputError


def boolean_inputs(n: int) -> NDArray[np.int8]:
    """Return all 2^n vectors of {−1, 1}^n, a row each: x_j of row i is −1 where digit j of i is 1.

    >>> boolean_inputs(2).tolist()
    [[1, 1], [-1, 1], [1, -1], [-1, -1]]
    """
    whole_number("n", n, least=0)
    digits = np.arange(2**n)[:, None] >> np.arange(n) & 1
    return (1 - 2 * digits).astype(np.int8)


def parity(x: ArrayLike, subset: Sequence[int]) -> NDArray[np.int8]:
    """Return χ_A(x) = ∏_{i∈A} x_i (§2): XOR over the subset A of the last axis, 1 for the empty one.

    >>> parity([[1, 1, 1], [1, -1, 1], [-1, -1, 1]], [0, 1]).tolist()
    [1, -1, 1]
    """
    x = np.asarray(x)
    if not np.all(np.abs(x) == 1):
        raise InputError("x", x, "every entry −1 or 1")
    if not all(0 <= i < x.shape[-1] for i in subset) or len(set(subset)) < len(subset):
        raise InputError("subset", list(subset), f"different indices from 0 to {x.shape[-1] - 1}")
    return np.asarray(x[..., list(subset)].prod(-1).astype(np.int8))


def walsh_hadamard(truth_table: ArrayLike) -> NDArray[np.float64]:
    """Return the coefficients f̂(A) = 2^−n Σ_x f(x)χ_A(x), with f(x) = Σ_A f̂(A)χ_A(x).

    The parity functions are an orthonormal basis of the functions on {−1, 1}^n (O'Donnell, Analysis of
    Boolean Functions, 2014, §1.4, cited in §2). The fast transform takes n·2^n additions.

    Args:
        truth_table: (..., 2^n) values f(x), in the order of `boolean_inputs(n)`.

    Returns:
        (..., 2^n) coefficients; that of the subset A at index Σ_{j∈A} 2^j.

    >>> walsh_hadamard(parity(boolean_inputs(2), [0, 1])).tolist()  # XOR is one parity
    [0.0, 0.0, 0.0, 1.0]
    >>> walsh_hadamard([1, 1, 1, -1]).tolist()  # −1 only where x = y = −1
    [0.5, 0.5, 0.5, -0.5]
    """
    values = _table("truth_table", truth_table)
    return np.asarray(_butterflies(values) / values.shape[-1])


def inverse_walsh_hadamard(coefficients: ArrayLike) -> NDArray[np.float64]:
    """Return f(x) = Σ_A f̂(A)χ_A(x) at every x of `boolean_inputs(n)`, from `walsh_hadamard`'s coefficients.

    >>> inverse_walsh_hadamard([0.5, 0.5, 0.5, -0.5]).tolist()
    [1.0, 1.0, 1.0, -1.0]
    """
    return _butterflies(_table("coefficients", coefficients))


def count_boolean_functions(n: int) -> int:
    """Return 2^(2^n), the labellings of the 2^n inputs by two classes (§1).

    >>> [count_boolean_functions(n) for n in range(5)]
    [2, 4, 16, 256, 65536]
    """
    return 1 << (1 << whole_number("n", n, least=0))


def _table(argument: str, values: ArrayLike) -> NDArray[np.float64]:
    table = np.asarray(values, dtype=np.float64)
    length = table.shape[-1] if table.ndim else 0
    if length == 0 or length & (length - 1):
        raise InputError(argument, f"array of shape {table.shape}", "a last axis of 2^n values")
    return table


def _butterflies(values: NDArray[np.float64]) -> NDArray[np.float64]:
    shape, half = values.shape, 1
    while half < shape[-1]:  # one variable a pass: its sum and its difference over x_j = ±1
        pairs = values.reshape(*shape[:-1], -1, 2, half)
        plus, minus = pairs[..., 0, :], pairs[..., 1, :]
        values = np.stack([plus + minus, plus - minus], axis=-2).reshape(shape)
        half *= 2
    return values
