"""Prototypes behind a trained encoder, on Boolean tasks: what Table 1, Figure 3 and App. A have in common."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.episodes import BooleanTasks
from polythetic.experiments.experiment import Run
from polythetic.learners.stacked import Member, StackedPrototypes
from polythetic.results import Row, row

Paper = tuple[float | None, float | None]  # its mean and standard error


class Trained(NamedTuple):
    """How networks of one kind, alike but for their seeds, do on one suite of tasks."""

    suite: BooleanTasks
    embedding: int
    train_tasks: int
    accuracy: NDArray[np.float64]  # [seeds, tasks], in per cent

    @property
    def mean(self) -> float:
        """The mean over seeds and tasks."""
        return float(self.accuracy.mean())

    @property
    def std(self) -> float | None:
        """The standard deviation over seeds, if there are several."""
        return float(self.accuracy.mean(1).std(ddof=1)) if len(self.accuracy) > 1 else None

    @property
    def stderr(self) -> float:
        """The standard error of the mean, both seeds and tasks being samples."""
        samples = [means for means in (self.accuracy.mean(0), self.accuracy.mean(1)) if len(means) > 1]
        return float(sum(means.var(ddof=1) / len(means) for means in samples) ** 0.5)


def dimensions(n: int) -> dict[int, str]:
    """Name the three embeddings of strings of n bits, by size.

    >>> dimensions(5)
    {1: '1', 5: 'n', 25: 'n²'}
    """
    return {1: "1", n: "n", n**2: "n²"}


def itself(suite: BooleanTasks) -> Sequence[BooleanTasks]:
    """Test on tasks of the same kind."""
    return [suite]


def trained(
    run: Run,
    suites: Sequence[BooleanTasks],
    embeddings: Sequence[int],
    train_tasks: Sequence[int],
    tested_on: Callable[[BooleanTasks], Sequence[BooleanTasks]] = itself,
) -> Iterator[Trained]:
    """Train a network for each suite, embedding and seed, all side by side, and test it after so many tasks each.

    The seeds of training follow the run's own, which is that of the tasks to test on: the two never meet.
    """
    seeds = range(run.seed + 1, run.seed + 1 + run.budget.train_seeds)
    stack = StackedPrototypes([Member(suite, d, seed) for suite in suites for d in embeddings for seed in seeds])
    for so_many in train_tasks:
        stack.train_until(so_many, advance=run.progress.advance)
        for others in zip(*(tested_on(member.suite) for member in stack.members), strict=True):
            accuracy = stack.accuracy(others, tasks=run.budget.tasks, seed=run.seed)
            for suite, d in dict.fromkeys(zip(others, (member.embedding for member in stack.members), strict=True)):
                alike = [(o, m.embedding) == (suite, d) for o, m in zip(others, stack.members, strict=True)]
                yield Trained(suite, d, so_many, accuracy[alike])


def accuracy_row(found: Trained, label: str, *, paper: Paper = (None, None), **setting: Any) -> Row:
    """Make the row of a result; its spread is that over the seeds."""
    suite = found.suite
    setting = {
        "n": suite.n,
        "alpha": suite.alpha,
        "design": suite.design,
        "embedding": found.embedding,
        "variant": "authors",
        "train_tasks": found.train_tasks,
        **setting,
    }
    return row(
        "PN",
        setting,
        "accuracy",
        found.mean,
        stderr=found.stderr,
        tasks=found.accuracy.shape[1],
        paper=paper[0],
        paper_stderr=paper[1],
        std=found.std,
        train_seeds=len(found.accuracy),
        train_tasks=found.train_tasks,
        label=label,
    )


def label(embedding: str, train_tasks: int) -> str:
    """Name a line of a table or a picture."""
    return f"PN, d = {embedding}, {train_tasks:,} tasks"


def trained_for(rows: list[Row]) -> list[int]:
    """Return the numbers of training tasks that there are rows for, the fewest first."""
    return sorted({entry["train_tasks"] for entry in rows if "train_tasks" in entry})


def with_spread(entry: Row) -> str:
    """Write a mean and its spread over seeds, if there is one.

    >>> with_spread({"mean": 57.53, "std": 1.4})
    '57.5 ±1.4'
    """
    return f"{entry['mean']:.1f}" + ("" if entry["std"] is None else f" ±{entry['std']:.1f}")
