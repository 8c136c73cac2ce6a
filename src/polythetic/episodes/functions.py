"""Boolean functions by name: the sixteen of two variables, and XOR of any number (§2)."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from polythetic.errors import InputError

Signs: TypeAlias = NDArray[np.int8]  # −1 for false, +1 for true

# The outputs for (x, y) = (−, −), (−, +), (+, −), (+, +).
TWO_VARIABLE_FUNCTIONS: dict[str, tuple[int, int, int, int]] = {
    "false": (-1, -1, -1, -1),
    "and": (-1, -1, -1, +1),
    "x and not y": (-1, -1, +1, -1),
    "x": (-1, -1, +1, +1),
    "not x and y": (-1, +1, -1, -1),
    "y": (-1, +1, -1, +1),
    "xor": (-1, +1, +1, -1),
    "or": (-1, +1, +1, +1),
    "nor": (+1, -1, -1, -1),
    "xnor": (+1, -1, -1, +1),
    "not y": (+1, -1, +1, -1),
    "x or not y": (+1, -1, +1, +1),
    "not x": (+1, +1, -1, -1),
    "not x or y": (+1, +1, -1, +1),
    "nand": (+1, +1, +1, -1),
    "true": (+1, +1, +1, +1),
}


def evaluate_function(name: str, x: Signs) -> Signs:
    """Evaluate a function on the last axis of x, −1 for false and +1 for true.

    XOR takes any number of variables: it is true where an odd number of them is. As a product of signs that is
    ``theory.parity`` for odd numbers of variables, and minus it for even ones.

    >>> evaluate_function("xor", np.array([[-1, 1], [1, 1]], dtype=np.int8))
    array([ 1, -1], dtype=int8)
    """
    if name == "xor":
        return -np.prod(-x, axis=-1, dtype=np.int8)
    if name not in TWO_VARIABLE_FUNCTIONS:
        raise InputError("function", repr(name), f"one of {', '.join(TWO_VARIABLE_FUNCTIONS)}")
    if x.shape[-1] != 2:
        raise InputError("alpha", x.shape[-1], f"2, the number of variables of '{name}'; only xor takes others")
    row = (x[..., 0] > 0) * 2 + (x[..., 1] > 0)
    return np.array(TWO_VARIABLE_FUNCTIONS[name], dtype=np.int8)[row]


def sign_vectors(alpha: int) -> Signs:
    """List all 2^α vectors of signs, − before + and the last changing fastest.

    >>> sign_vectors(2).tolist()
    [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    """
    return (np.arange(2**alpha)[:, None] >> np.arange(alpha)[::-1] & 1).astype(np.int8) * 2 - 1
