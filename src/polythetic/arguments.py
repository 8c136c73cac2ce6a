"""Checks of single arguments, light enough for every module."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from polythetic.errors import InputError


def one_of(argument: str, value: object, choices: Iterable[str]) -> None:
    """Refuse a value that is not one of the choices.

    >>> one_of("prior", "flat", ["support", "uniform"])
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: prior = 'flat': expected one of support, uniform
    """
    if value not in (names := list(choices)):
        raise InputError(argument, repr(value), f"one of {', '.join(names)}")


def whole_number(argument: str, value: object, *, least: int, most: int | None = None, meaning: str = "") -> int:
    """Return ``value`` as an int if it is one from ``least`` to ``most``.

    >>> whole_number("k", 3, least=1, most=2, meaning="no more than the 2 features there are")
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: k = 3: expected a whole number from 1 to 2 (no more than the 2 features there are)
    """
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or int(value) < least or (most is not None and int(value) > most):  # type: ignore[call-overload]
        span = f"of at least {least}" if most is None else f"from {least} to {most}"
        raise InputError(argument, repr(value), f"a whole number {span}" + (f" ({meaning})" if meaning else ""))
    return int(value)  # type: ignore[call-overload]


def finite(argument: str, value: object, *, above: float | None = None, least: float | None = None) -> float:
    """Return ``value`` as a float if it is a finite number, and more than ``above``, or ``least`` at least.

    >>> finite("rate", 0, above=0)
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: rate = 0: expected a finite number above 0
    """
    number = float(value) if isinstance(value, int | float | np.number) and not isinstance(value, bool) else math.nan
    low = above is not None and not number > above
    if not math.isfinite(number) or low or (least is not None and not number >= least):
        bound = "" if above is None else f" above {above:g}"
        bound += "" if least is None else f" of at least {least:g}"
        raise InputError(argument, repr(value), f"a finite number{bound}")
    return number
