"""Objects as the Python that makes them: no more than differs from the defaults."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from typing import Any


def written(value: Any) -> str:
    """Write a value; of a dataclass its name, and those fields that are not as they are by default.

    >>> from polythetic import Matching, Method
    >>> written(Method(Matching(similarity="dot", temperature=0.5)))
    "Method(classifier=Matching(similarity='dot', temperature=0.5))"
    """
    if value == float("inf"):
        return 'float("inf")'
    if not is_dataclass(value) or isinstance(value, type):
        return repr(value)
    said = []
    for field in fields(value):
        held = getattr(value, field.name)
        default = field.default_factory() if field.default_factory is not MISSING else field.default
        if default is MISSING or held != default:
            said.append(f"{field.name}={written(held)}")
    return f"{type(value).__name__}({', '.join(said)})"
