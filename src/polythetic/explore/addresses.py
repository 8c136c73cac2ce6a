"""Addresses: all that a view shows is in its query string, which is read strictly, and can be shared."""

from __future__ import annotations

from dataclasses import fields
from difflib import get_close_matches
from typing import Any, TypeVar
from urllib.parse import parse_qsl, urlencode

from polythetic.errors import InputError

S = TypeVar("S")

LONGEST = 16_000  # characters


def read_address(kind: type[S], query: str) -> S:
    """Make settings, a dataclass, from a query string; what is not in it stays as it is by default.

    A name is there once; one that has a tuple for its value, as often as there are values.

    >>> from polythetic.explore.boolean_view import BooleanView
    >>> read_address(BooleanView, "rows=80&temperature=0.5").temperature
    0.5
    >>> read_address(BooleanView, "row=80")
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: address = 'row', which means nothing here: expected 'rows', perhaps
    """
    if len(query) > LONGEST:
        raise InputError("address", f"{len(query):,} characters", f"at most {LONGEST:,}")
    known = {field.name: field.default for field in fields(kind)}  # type: ignore[arg-type]
    try:
        pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), errors="strict")
    except ValueError:
        raise InputError("address", repr(query), "name=value pairs between &, such as rows=80&seed=1") from None
    found: dict[str, Any] = {}
    for name, text in pairs:
        if name not in known:
            near = get_close_matches(name, known, 1)
            remedy = f"{near[0]!r}, perhaps" if near else f"one of {', '.join(known)}"
            raise InputError("address", f"{name!r}, which means nothing here", remedy)
        if isinstance(known[name], tuple):
            found[name] = (*found.get(name, ()), text)
        elif name in found:
            raise InputError("address", f"{name!r}, twice", "each name once")
        else:
            found[name] = _value(name, text, known[name])
    return kind(**found)


def write_address(settings: Any) -> str:
    """Write settings as a query string, all of them.

    >>> from polythetic.explore.results import ResultsView
    >>> write_address(ResultsView(experiment="table1"))
    'experiment=table1&budget=standard'
    """
    return urlencode({field.name: getattr(settings, field.name) for field in fields(settings)}, doseq=True)


def _value(name: str, text: str, default: object) -> Any:
    """Read a value of the kind that its default is; a temperature is a number or "auto"."""
    if name.endswith("temperature"):
        if text == "auto":
            return text
        return _number(name, text, float, "'auto', or a number from 0 (the nearest) to infinity (all alike)")
    if isinstance(default, int):
        return _number(name, text, int, "a whole number")
    if isinstance(default, float):
        return _number(name, text, float, "a number")
    return text


def _number(name: str, text: str, kind: type[int] | type[float], expected: str) -> float:
    try:
        return kind(text)
    except ValueError:
        raise InputError(name, repr(text), expected) from None
