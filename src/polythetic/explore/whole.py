"""How far all of the work is, where it has several parts: each counts as much as it takes of the time, about."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

from polythetic.progress import Progress

ALL = 100  # what is told: per cent


class Whole:
    """A ``Progress`` that is told of parts, and tells another how far the whole is.

    A part that says nothing of its steps stands still, and is done when the next one begins; so is one left out.

    Args:
        progress: is told.
        parts: in their order, and how long each takes beside the others; those not named take no time.

    >>> from polythetic.progress import Lines
    >>> clock = iter([0.0, 0.0, 60.0])
    >>> whole = Whole(Lines(print, clock=lambda: next(clock)), {"reading": 1, "learning": 3})
    >>> whole.start("learning", 2)
    >>> whole.advance()
    learning; in all: 62 of 100, about 1 min left
    """

    def __init__(self, progress: Progress, parts: Mapping[str, float]):
        ends = [ALL * end / sum(parts.values()) for end in accumulate(parts.values())]
        self._places = {what: (start, end) for what, start, end in zip(parts, [0.0, *ends], ends, strict=False)}
        self._progress = progress
        self._start, self._end = 0.0, 0.0
        self._done, self._total, self._told = 0, 0, 0

    def start(self, what: str, total: int) -> None:
        """Begin a part of ``total`` steps."""
        self._start, self._end = self._places.get(what, (float(self._told), float(self._told)))
        self._done, self._total, self._told = 0, total, 0
        self._progress.start(f"{what}; in all", ALL)
        self.advance(0)

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Say that steps of it are done."""
        self._done += steps
        share = min(1.0, self._done / self._total) if self._total else 0.0
        now = round(self._start + share * (self._end - self._start))
        self._progress.advance(now - self._told, note)
        self._told = now
