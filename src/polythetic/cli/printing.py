"""What machines read on standard output: one object of JSON, whatever the terminal, and nothing else."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from json import dumps
from math import isfinite
from typing import Any

import typer


def print_json(facts: Mapping[str, Any]) -> None:
    r"""Print an object in letters that every terminal has; JSON knows no NaN, which is null.

    >>> print_json({"classes": ["α"], "stderr": float("nan")})
    {"classes": ["\u03b1"], "stderr": null}
    """
    typer.echo(dumps(_known(facts), allow_nan=False))


@contextmanager
def guests_print_aside() -> Iterator[None]:
    """Let what others' code prints go to standard error, so that standard output has our words alone."""
    with redirect_stdout(sys.stderr):
        yield


def _known(value: Any) -> Any:
    """Put null in the place of numbers that JSON does not know."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {key: _known(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_known(entry) for entry in value]
    return value
