"""Batches of a suite's tasks, made here or by worker processes ahead of time."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass

from polythetic.arguments import whole_number
from polythetic.episodes.episode import Episode, TaskSuite


def batches(
    suite: TaskSuite, *, tasks: int, seed: int, size: int, start: int = 0, workers: int = 0
) -> Iterator[Episode]:
    """Yield tasks ``start`` to ``tasks`` of a seed, ``size`` at a time, the same whatever the number of workers.

    >>> from polythetic.episodes import BooleanTasks
    >>> [len(episode.support) for episode in batches(BooleanTasks(n=5), tasks=5, seed=0, size=2)]
    [2, 2, 1]
    """
    whole_number("size", size, least=1)
    whole_number("start", start, least=0)
    whole_number("tasks", tasks, least=start)
    ranges = _Ranges(suite, seed, start, tasks, size)
    if not whole_number("workers", workers, least=0):
        yield from (ranges[k] for k in range(len(ranges)))
        return
    from torch.utils.data import DataLoader

    with warnings.catch_warnings():  # more workers than cores: whoever asks for them knows
        warnings.filterwarnings("ignore", "This DataLoader will create", UserWarning)
        loader: DataLoader[Episode] = DataLoader(ranges, batch_size=None, num_workers=workers)  # type: ignore[arg-type]
        made = iter(loader)
    yield from made


@dataclass(frozen=True, eq=False)
class _Ranges:
    """The batches by number, as torch's loader wants them."""

    suite: TaskSuite
    seed: int
    start: int
    tasks: int
    size: int

    def __len__(self) -> int:
        return len(range(self.start, self.tasks, self.size))

    def __getitem__(self, k: int) -> Episode:
        first = range(self.start, self.tasks, self.size)[k]
        return self.suite.batch(self.seed, first, min(first + self.size, self.tasks))
