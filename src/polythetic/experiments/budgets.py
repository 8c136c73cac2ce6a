"""Budgets: how much work to put into the experiments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple


class Lessons(NamedTuple):
    """How long learners of a kind are trained, and how many alike but for chance.

    Attributes:
        tasks: to learn from.
        seeds: learners alike but for chance.
        others: tasks for learners other than prototypes; None is as many.
    """

    tasks: int
    seeds: int = 1
    others: int | None = None

    def tasks_of(self, method: str) -> int:
        """Say how many tasks a learner is given.

        >>> Lessons(5000, others=1000).tasks_of("FS+MN")
        1000
        """
        return self.tasks if method == "PN" or self.others is None else self.others


@dataclass(frozen=True)
class Budget:
    """How much work to put in.

    Attributes:
        name: quick, standard or paper.
        tasks: to evaluate on, per cell of a table.
        picture_tasks: the same where the examples are pictures and go through an encoder.
        side_tasks: at most so many of these for what stands beside: curves over training.
        adapted_tasks: at most so many of these for MAML, which takes a second or more to adapt to each.
        grid_tasks: per cell of a map.
        trials: of a simulation.
        train_tasks: of a small network on binary strings: it is tested after each of these.
        train_seeds: such networks alike but for chance.
        lessons: for learners on pictures, by kind.
        shipped: take the trained weights that come with polythetic instead of training.
    """

    name: str
    tasks: int
    picture_tasks: int
    side_tasks: int
    adapted_tasks: int
    grid_tasks: int
    trials: int
    train_tasks: tuple[int, ...]
    train_seeds: int
    lessons: Mapping[str, Lessons]
    shipped: bool = False

    @property
    def beside(self) -> Budget:
        """The same, for what stands beside the tables."""
        return self._on(self.side_tasks)

    @property
    def adapting(self) -> Budget:
        """The same, for MAML."""
        return self._on(self.adapted_tasks)

    def _on(self, tasks: int) -> Budget:
        return replace(self, picture_tasks=min(self.picture_tasks, tasks))


QUICK = {
    "clean": Lessons(5),
    "colourless": Lessons(5),
    "full": Lessons(5),
    "relabelled": Lessons(5),  # every attribute of random pictures
    "proportions": Lessons(5),  # Figure 8
    "omniglot": Lessons(5),
    "maml": Lessons(2),
    "authors": Lessons(5),  # everything with the authors' settings
    "authors, full": Lessons(5),  # but full digits, for which the paper has ten times as many
    "categorical": Lessons(20),  # batches, App. G
}
STANDARD = {
    "clean": Lessons(2000),
    "colourless": Lessons(1000),
    "full": Lessons(5000, others=1000),
    "relabelled": Lessons(800),
    "proportions": Lessons(200),
    "omniglot": Lessons(3000, others=1000),
    "maml": Lessons(500),
    "authors": Lessons(200),
    "authors, full": Lessons(200),
    "categorical": Lessons(800, 3),
}
PAPER = {
    "clean": Lessons(10_000),
    "colourless": Lessons(10_000),
    "full": Lessons(100_000),
    "relabelled": Lessons(10_000),
    "proportions": Lessons(10_000),
    "omniglot": Lessons(10_000),
    "maml": Lessons(10_000),
    "authors": Lessons(10_000),
    "authors, full": Lessons(100_000),
    "categorical": Lessons(800),
}

BUDGETS = {
    budget.name: budget
    for budget in (
        Budget(
            "quick",
            tasks=200,
            picture_tasks=4,
            side_tasks=4,
            adapted_tasks=4,
            grid_tasks=40,
            trials=20_000,
            train_tasks=(200,),
            train_seeds=1,
            lessons=QUICK,
        ),
        Budget(
            "standard",
            tasks=1000,
            picture_tasks=1000,
            side_tasks=250,
            adapted_tasks=1000,
            grid_tasks=1000,
            trials=400_000,
            train_tasks=(1000, 10_000),
            train_seeds=5,
            lessons=STANDARD,
        ),
        Budget(
            "paper",
            tasks=1000,
            picture_tasks=1000,
            side_tasks=1000,
            adapted_tasks=1000,
            grid_tasks=1000,
            trials=1_000_000,
            train_tasks=(1000, 10_000),
            train_seeds=5,
            lessons=PAPER,
        ),
    )
}
