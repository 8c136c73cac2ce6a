"""Carry jobs out: what is kept already is not done again, what others need comes first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from polythetic.jobs.crew import Call, Crew
from polythetic.jobs.job import Job, Value
from polythetic.jobs.store import Keeping, as_kept
from polythetic.jobs.watching import Watch
from polythetic.progress import Progress


def still_to_do(jobs: Iterable[Job], store: Keeping) -> list[Job]:
    """List what has to be done for jobs, what is needed first, each once: nothing for those that are kept.

    >>> from polythetic.jobs import Nothing
    >>> seed = Job("seed", print, {})
    >>> [job.what for job in still_to_do([Job("tree", print, {"of": seed}), seed], Nothing())]
    ['seed', 'tree']
    """
    found: dict[str, Job] = {}

    def visit(job: Job) -> None:
        if job.key not in found and store.get(job) is None:
            for need in job.needs:
                visit(need)
            found[job.key] = job

    for job in jobs:
        visit(job)
    return list(found.values())


def carry_out(
    jobs: Sequence[Job], *, store: Keeping, crew: Crew, progress: Progress, folder: Path = Path("runs")
) -> list[Value]:
    """Return the values of jobs, each kept as soon as it is there; progress is in their steps.

    Jobs that need nothing unfinished are done side by side, long ones first; then those that needed them.

    Args:
        jobs: what is asked for; what these need is seen to.
        store: where values are kept.
        crew: who does the jobs.
        progress: is told of each job that is done, and of the parts of long ones.
        folder: where jobs may keep unfinished work.
    """
    values: dict[str, Value] = {}
    waiting = still_to_do(jobs, store)

    def value_of(job: Job) -> Value:
        if job.key not in values:
            kept = store.get(job)
            assert kept is not None, f"{job.what}: kept a moment ago, and gone"
            values[job.key] = kept
        return values[job.key]

    while waiting:
        unfinished = {job.key for job in waiting}
        ready = [job for job in waiting if not any(need.key in unfinished for need in job.needs)]
        ready.sort(key=lambda job: job.cost, reverse=True)  # a long one begun last would keep all others waiting
        calls = [
            Call(
                job.work,
                {k: value_of(v) if isinstance(v, Job) else v for k, v in job.arguments.items()},
                None if job.folder is None else folder / job.folder,
            )
            for job in ready
        ]
        with Watch(ready, folder, progress) as watch, closing(crew.do(calls)) as done:
            for number, value in done:
                job = ready[number]
                values[job.key] = as_kept(value)
                store.put(job, values[job.key])
                watch.done(job)
        waiting = [job for job in waiting if job.key not in values]
    return [value_of(job) for job in jobs]
