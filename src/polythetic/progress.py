"""Progress that a person can follow: a bar with an estimate on a terminal, nothing in a pipe."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import TaskID


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
    """Show progress on standard error while the block runs, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, SpinnerColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not console.is_terminal:
        yield Silent()
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
