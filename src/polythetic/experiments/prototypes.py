"""Prototypes behind a trained encoder, on Boolean tasks: what Table 1, Figure 3 and App. A have in common."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor

from polythetic.episodes import BooleanTasks
from polythetic.evaluation import Repeated
from polythetic.experiments.budgets import Budget
from polythetic.jobs import Job
from polythetic.learners.stacked import Member, StackedPrototypes
from polythetic.results import Row, row

Paper = tuple[float | None, float | None]  # its mean and standard error


class Trained(NamedTuple):
    """How networks of one kind, alike but for their seeds, do on one suite of tasks."""

    suite: BooleanTasks
    embedding: int
    train_tasks: int
    accuracy: Repeated


def dimensions(n: int) -> dict[int, str]:
    """Name the three embeddings of strings of n bits, by size.

    >>> dimensions(5)
    {1: '1', 5: 'n', 25: 'n²'}
    """
    return {1: "1", n: "n", n**2: "n²"}


def learning(
    what: str,
    suite: BooleanTasks,
    embeddings: Sequence[int],
    train_tasks: Sequence[int],
    budget: Budget,
    seed: int,
    *,
    tests: Sequence[BooleanTasks] | None = None,
) -> Job:
    """Return the job that trains networks and tests them, on tasks of the same kind unless ``tests`` are given."""
    tests = [suite] if tests is None else tests
    facts = {"suite": suite, "tests": list(tests), "embeddings": list(embeddings), "train_tasks": list(train_tasks)}
    facts |= {"train_seeds": budget.train_seeds, "tasks": budget.tasks, "seed": seed}
    networks = len(embeddings) * budget.train_seeds
    steps = max(train_tasks) + len(train_tasks) * len(tests) * budget.tasks / 5  # to test is five times as quick
    return Job(what, train_and_test, facts, cost=(4e-4 + 4e-5 * networks) * steps)


def train_and_test(
    suite: BooleanTasks,
    tests: Sequence[BooleanTasks],
    embeddings: Sequence[int],
    train_tasks: Sequence[int],
    train_seeds: int,
    tasks: int,
    seed: int,
) -> dict[str, Tensor]:
    """Train a network for each embedding and seed, all side by side, and test it after so many tasks each.

    The seeds of training follow that of the tasks to test on: the two never meet.

    Args:
        suite: to learn from.
        tests: suites to test on.
        embeddings: sizes.
        train_tasks: to learn from before each test, the fewest first.
        train_seeds: networks alike but for chance.
        tasks: to test on.
        seed: of these.

    Returns:
        ``accuracy`` in per cent, [train_tasks, tests, embeddings, seeds, tasks], with the ``train_tasks`` and
        ``embeddings`` that its places stand for.
    """
    embeddings, seeds = sorted(embeddings), range(seed + 1, seed + 1 + train_seeds)
    stack = StackedPrototypes([Member(suite, d, number) for d in embeddings for number in seeds])
    stages = []
    for so_many in train_tasks:
        stack.train_until(so_many)
        found = [stack.accuracy([test] * len(stack.members), tasks=tasks, seed=seed) for test in tests]
        stages.append(torch.stack([torch.from_numpy(each).unflatten(0, (len(embeddings), -1)) for each in found]))
    return {
        "accuracy": torch.stack(stages),
        "train_tasks": torch.tensor(list(train_tasks)),
        "embeddings": torch.tensor(embeddings),
    }


def trained(found: Mapping[str, Tensor], tests: Sequence[BooleanTasks]) -> Iterator[Trained]:
    """Take what ``train_and_test`` found apart."""
    for so_many, by_test in zip(found["train_tasks"].tolist(), found["accuracy"], strict=True):
        for suite, by_embedding in zip(tests, by_test, strict=True):
            for d, accuracy in zip(found["embeddings"].tolist(), by_embedding, strict=True):
                yield Trained(suite, d, so_many, Repeated(accuracy.numpy()))


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
    seeds, tasks = found.accuracy.values.shape
    return row(
        "PN",
        setting,
        "accuracy",
        found.accuracy.mean,
        stderr=found.accuracy.stderr,
        tasks=tasks,
        paper=paper[0],
        paper_stderr=paper[1],
        std=found.accuracy.spread,
        train_seeds=seeds,
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
