"""A function of the user's own as an encoder: it runs their code, and what it returns is looked at."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from polythetic.errors import InputError

if TYPE_CHECKING:
    from PIL import Image

Function: TypeAlias = "Callable[[list[Image.Image]], NDArray[np.float64]]"

EXPECTED = "module:function: a Python file in this folder, or an installed module, and a function in it"


def imported(spec: str) -> Function:
    """Import ``module:function`` from the working directory, or from what is installed; importing it runs its code.

    Raises:
        InputError: it cannot be imported; and, when called, it fails or returns no features.

    >>> imported("math:no_such_thing")
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: --encoder = 'math:no_such_thing': expected a function of math, and it has none of \
that name
    """
    module, _, name = spec.partition(":")
    if not name.isidentifier() or not all(part.isidentifier() for part in module.split(".")):
        raise InputError("--encoder", repr(spec), EXPECTED)
    if (here := str(Path.cwd())) not in sys.path:
        sys.path.insert(0, here)
    try:
        function = getattr(import_module(module), name, None)
    except Exception as error:  # their code may fail in any way
        raise InputError("--encoder", repr(spec), f"a module that can be imported ({_said(error)})") from error
    if not callable(function):
        raise InputError("--encoder", repr(spec), f"a function of {module}, and it has none of that name")

    def encode(images: list[Image.Image]) -> NDArray[np.float64]:
        try:
            made: Any = function(images)
        except Exception as error:
            what = f"a function that takes a list of {len(images)} pictures ({_said(error)})"
            raise InputError("--encoder", repr(spec), what) from error
        return _features(spec, made, len(images))

    return encode


def _features(spec: str, made: Any, count: int) -> NDArray[np.float64]:
    """See that it is an array [n, F] of numbers; a tensor will do."""
    made = made.detach().cpu() if hasattr(made, "detach") else made
    try:
        array = np.asarray(made, dtype=np.float64)
    except (TypeError, ValueError) as error:
        given = f"{spec!r}, which returned {type(made).__name__}"
        raise InputError("--encoder", given, f"an array of numbers [{count}, features]") from error
    if array.ndim != 2 or len(array) != count or not array.shape[1]:
        given = f"{spec!r}, which returned shape {list(array.shape)}"
        raise InputError("--encoder", given, f"[{count}, features]: a row for each picture")
    if not np.isfinite(array).all():
        raise InputError("--encoder", f"{spec!r}, which returned NaN or infinity", "finite features")
    return array


def _said(error: Exception) -> str:
    """Say in one line what went wrong, and where in their code."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f", {Path(frames[-1].filename).name} line {frames[-1].lineno}" if len(frames) > 1 else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{where}"
