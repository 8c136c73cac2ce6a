"""What was found is remembered by the settings it depends on, so that a slider has only its own part found anew."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any, TypeVar

S = TypeVar("S")
R = TypeVar("R")

KEPT = 8  # of the newest settings


def depends_on(*names: str) -> Callable[[Callable[[S], R]], Callable[[S], R]]:
    """Make a function of settings, a dataclass, remember what it found for these of them.

    It sees no others: they are as by default. So it cannot depend on what is not named. What it warned of, it warns of
    again.

    >>> from polythetic.explore.boolean_view import BooleanView
    >>> @depends_on("rows")
    ... def doubled(view):
    ...     print("found", view.rows, view.seed)
    ...     return 2 * view.rows
    >>> doubled(BooleanView(rows=4, seed=1)), doubled(BooleanView(rows=4, seed=2))
    found 4 0
    (8, 8)
    """

    def remembering(find: Callable[[S], R]) -> Callable[[S], R]:
        @lru_cache(KEPT)
        def found(seen: S) -> tuple[R, list[warnings.WarningMessage]]:
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always")
                return find(seen), caught

        @wraps(find)
        def remembered(settings: S) -> R:
            alone: Any = type(settings)(**{name: getattr(settings, name) for name in names})
            value, caught = found(alone)
            for each in caught:
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
            return value

        return remembered

    return remembering
