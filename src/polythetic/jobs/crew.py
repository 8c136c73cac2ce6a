"""Who does the jobs: this process, several on this machine, or a Dask cluster.

Every job runs on one thread, so that its answer does not depend, to the last bit, on how many run beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import Any, Protocol, TypeAlias, runtime_checkable

from polythetic.errors import InputError
from polythetic.jobs.job import Value

Done: TypeAlias = Generator[tuple[int, Value], None, None]  # the number and the value of each call

_one_at_a_time = RLock()  # within a process: chance and the number of threads are for all of it


@dataclass(frozen=True)
class Call:
    """A job ready to be done: all that it needs is there."""

    work: Callable[..., Value]
    arguments: Mapping[str, Any]
    folder: Path | None = None

    def __call__(self) -> Value:
        """Do it, on one thread."""
        import torch

        from polythetic import speed

        with _one_at_a_time:
            threads = torch.get_num_threads()
            speed.keep_memory()
            torch.set_num_threads(1)
            try:
                return self.work(**self.arguments, **({} if self.folder is None else {"folder": self.folder}))
            finally:
                torch.set_num_threads(threads)


@runtime_checkable
class Crew(Protocol):
    """Does calls, in whatever order."""

    def do(self, calls: Sequence[Call]) -> Done:
        """Yield the number and the value of each call as it is done."""
        ...


class Alone:
    """This process, one call after the other."""

    def do(self, calls: Sequence[Call]) -> Done:
        """Yield the number and the value of each call as it is done."""
        for number, call in enumerate(calls):
            yield number, call()


def crew_of(jobs: int | None = None, cluster: str | None = None) -> Crew:
    """Choose who does the jobs: so many processes, as many as there are cores if not said, or a cluster.

    >>> type(crew_of(jobs=1)).__name__
    'Alone'
    """
    from polythetic.jobs.cluster import Cluster
    from polythetic.jobs.machine import Machine
    from polythetic.speed import cores

    if cluster is not None:
        if jobs is not None:
            raise InputError("--jobs", jobs, "either --jobs or --cluster: a cluster has as many workers as it has")
        return Cluster(cluster)
    jobs = cores() if jobs is None else jobs
    return Alone() if jobs == 1 else Machine(jobs)
