"""How far jobs have come that are not done yet, as their folders show it: an hour's training is not one step."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from threading import Event, Lock, Thread

from polythetic.checkpoints import steps_saved
from polythetic.errors import PolytheticError
from polythetic.jobs.job import Job
from polythetic.progress import Progress
from polythetic.runs import read_settings

EVERY = 5.0  # seconds from one look to the next


def share_done(folder: Path) -> float:
    """Return how much of the training in a folder is saved there, from 0 to 1; 0 if it has none."""
    try:
        return min(1.0, steps_saved(folder) / read_settings(folder).schedule.steps)
    except PolytheticError:
        return 0.0


class Watch:
    """Tells progress of jobs while they are done, in a thread of its own; of each, in the end, all of its steps.

    Args:
        jobs: the jobs.
        folder: where they keep unfinished work.
        progress: is told.
    """

    def __init__(self, jobs: Sequence[Job], folder: Path, progress: Progress):
        self._folders = {job: folder / job.folder for job in jobs if job.folder is not None}
        self._told = dict.fromkeys(jobs, 0)
        self._progress = progress
        self._lock, self._over = Lock(), Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def done(self, job: Job) -> None:
        """Tell the rest of its steps."""
        self._tell(job, job.steps)

    def _look(self) -> None:
        while not self._over.wait(EVERY):
            for job, folder in self._folders.items():
                self._tell(job, int(job.steps * share_done(folder)))

    def _tell(self, job: Job, steps: int) -> None:
        with self._lock:
            if (more := steps - self._told[job]) > 0:
                self._told[job] = steps
                self._progress.advance(more, job.what)
