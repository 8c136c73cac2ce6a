"""Progress that a person can follow: a bar with an estimate on a terminal, now and then a line in a file."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID

MINUTE = 60.0


@runtime_checkable
class Progress(Protocol):
    """Something that is told how far a job has come."""

    def start(self, what: str, total: int) -> None:
        """Begin a job of ``total`` steps."""
        ...

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Say that steps of it are done, and perhaps how it goes."""
        ...


class Silent:
    """Progress that nobody watches."""

    def start(self, what: str, total: int) -> None:
        """Do nothing."""

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Do nothing."""


@contextmanager
def silently() -> Iterator[Progress]:
    """Show nothing while the block runs."""
    yield Silent()


@contextmanager
def on_terminal() -> Iterator[Progress]:
    """Show progress on standard error while the block runs: a bar, or if that is no terminal now and then a line."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Lines(lambda line: print(line, file=sys.stderr, flush=True))
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
    )
    with Bar(*columns, console=console, transient=True) as bar:
        yield _Rich(bar)


class Lines:
    """Progress for who reads it later: a line a minute, and so none of what is done sooner.

    >>> clock = iter([0.0, 30.0, 90.0])
    >>> progress = Lines(print, clock=lambda: next(clock))
    >>> progress.start("table1", 10)
    >>> progress.advance(2)
    >>> progress.advance(1, "accuracy 0.98")
    table1: 3 of 10, about 4 min left (accuracy 0.98)
    """

    def __init__(self, say: Callable[[str], object], clock: Callable[[], float] = time.monotonic):
        self._say, self._clock = say, clock

    def start(self, what: str, total: int) -> None:
        """Begin a job, and with it a minute."""
        self._what, self._total, self._done = what, total, 0
        self._began = self._said = self._clock()

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Say how far it is, unless that was said less than a minute ago."""
        self._done += steps
        now = self._clock()
        if now - self._said < MINUTE or not self._done:
            return
        self._said = now
        left = (now - self._began) * (self._total / self._done - 1) / MINUTE
        noted = f" ({note})" if note else ""
        self._say(f"{self._what}: {self._done:,} of {self._total:,}, about {max(left, 1):.0f} min left{noted}")


class _Rich:
    """One bar at a time: the next job takes the place of the last."""

    def __init__(self, bar: Bar):
        self._bar = bar
        self._job: TaskID | None = None

    def start(self, what: str, total: int) -> None:
        if self._job is not None:
            self._bar.remove_task(self._job)
        self._job = self._bar.add_task(what, total=total, note="")

    def advance(self, steps: int = 1, note: str = "") -> None:
        assert self._job is not None
        self._bar.advance(self._job, steps)
        if note:
            self._bar.update(self._job, note=note)
