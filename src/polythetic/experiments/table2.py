"""Table 2, polythetic MNIST: PN, MN and FS+MN learn from monothetic tasks, and are put to both kinds; ours beside."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple

from polythetic.datasets.mnist import mnist_source
from polythetic.evaluation import Repeated
from polythetic.experiments.budgets import Budget
from polythetic.experiments.digit_learners import (
    DATASETS,
    KINDS,
    METHODS,
    OTHER_STATISTICS,
    UNSELECTED,
    UNSELECTED_STARRED,
    heads_on,
)
from polythetic.experiments.experiment import Cells, Experiment, Found
from polythetic.experiments.learned import gathered, measuring, training
from polythetic.experiments.scored import accuracy_row, duel_row
from polythetic.experiments.table2_layout import COLUMNS, draw, table
from polythetic.experiments.table2_words import text
from polythetic.jobs import Job
from polythetic.learners.heads import VARIANTS
from polythetic.results import Row

# Mean and standard error that the paper prints: clean, colourless, full, each monothetic and polythetic.
PAPER = {
    "PN": ((97.9, 0.1), (50.6, 0.3), (92.8, 0.3), (49.9, 0.3), (94.5, 0.3), (49.8, 0.2)),
    "MN": ((79.6, 0.6), (57.6, 0.4), (69.7, 0.4), (61.0, 0.5), (70.1, 0.7), (56.6, 0.5)),
    "FS+MN": ((96.8, 0.1), (98.3, 0.0), (94.5, 0.2), (98.0, 0.0), (75.0, 0.7), (60.4, 0.7)),
}

# With the same similarity, temperature and standardisation the last two differ from FS+MN in the selection alone.
DUELS = (
    ("FS+MN", "MN"),
    ("FS+MN", UNSELECTED),
    ("FS+MN*", UNSELECTED_STARRED),
    ("FS+MN*", "MN*"),
    ("R+MN*", "FS+MN*"),
    ("R+MN*", "FS+MN"),
    ("R+MN*", "PN"),
    ("D+MN*", "R+MN*"),
    ("D+MN*", "FS+MN"),
    ("D+MN*", "PN"),
)


class Cell(NamedTuple):
    """Learners of a kind on tasks of a kind."""

    dataset: str
    tasks: str
    variant: str
    trained: str
    train_tasks: int
    source: str = "full"  # which of the digits: all of MNIST, or the 5,000 that are embedded
    statistics: str = "own"  # "other": those of the other variant, in batch norm and in standardising

    @property
    def setting(self) -> dict[str, Any]:
        """What the rows of the cell have in common."""
        return {"dataset": self.dataset, "tasks": self.tasks, "variant": self.variant}


def jobs(budget: Budget, seed: int) -> Cells:
    """Train on monothetic tasks; put every learner, and other heads on its encoder, to tasks of both kinds."""
    cells: dict[Any, Job] = {}
    source = mnist_source()
    for dataset, variant, trained in product(DATASETS, VARIANTS, METHODS):
        lessons = budget.lessons[_lesson(dataset, variant)]
        tasks = lessons.tasks_of(trained)
        suite, monothetic = f"mnist-{dataset}", {"polythetic": KINDS["monothetic"]}
        runs = [
            training(suite, trained, tasks=tasks, variant=variant, seed=number, options=monothetic)
            for number in range(lessons.seeds)
        ]
        for kind, share in KINDS.items():
            cell, options = Cell(dataset, kind, variant, trained, tasks, source), {"polythetic": share}
            cells |= measuring(cell, runs, suite, options, heads_on(trained, variant), budget, seed)
            if trained == "FS+MN":
                other, heads = cell._replace(statistics="other"), _other_statistics(variant)
                measured = measuring(other, runs[:1], suite, options, heads, budget, seed)
                cells |= {key: _other_encoder(job) for key, job in measured.items()}
    return cells


def _lesson(dataset: str, variant: str) -> str:
    if variant == "ours":
        return dataset
    return "authors, full" if dataset == "full" else "authors"


def _other_statistics(variant: str) -> dict[str, Any]:
    """FS+MN as it is, but standardised as the other variant does: by the queries' statistics, too, or without them."""
    statistics = "separate" if variant == "ours" else "support"
    return {OTHER_STATISTICS[variant]: {"name": "FS+MN", "variant": variant, "statistics": statistics}}


def _other_encoder(job: Job) -> Job:
    """Let the encoder that is evaluated normalise as the other variant does; its weights stay as they were learned."""
    settings = job.arguments["settings"]
    other = replace(settings, variant="authors" if settings.variant == "ours" else "ours")
    return replace(job, what=f"{job.what}, other statistics", arguments={**job.arguments, "settings": other})


def rows(found: Found) -> list[Row]:
    """Make a row of each head in each column, the paper's beside those it has, then the duels."""
    measured: dict[Cell, dict[str, Repeated]] = gathered(found)
    made = []
    columns: dict[tuple[str, str, str], dict[str, Repeated]] = {}
    for cell, heads in sorted(measured.items(), key=lambda item: item[0].statistics == "other"):  # the table's first
        columns.setdefault((cell.dataset, cell.tasks, cell.variant), {}).update(heads)
        for label, accuracy in heads.items():
            own = label == cell.trained
            setting = cell.setting if own else {**cell.setting, "encoder": cell.trained}
            printed = PAPER.get(label) if own else None
            paper = printed[COLUMNS.index((cell.dataset, cell.tasks))] if printed else (None, None)
            made.append(accuracy_row(label, setting, accuracy, cell.train_tasks, paper, cell.source))
    for (dataset, kind, variant), at in columns.items():
        setting = {"dataset": dataset, "tasks": kind, "variant": variant}
        for first, second in (*DUELS, (OTHER_STATISTICS[variant], "FS+MN")):
            if first in at and second in at:  # from weights, there may not be all
                made.append(duel_row(setting, (first, at[first]), (second, at[second])))
    return made


EXPERIMENT = Experiment(
    name="table2",
    title="Polythetic MNIST, learned from monothetic tasks",
    where="Table 2, §5",
    question="Can a learner that has only seen tasks with one attribute that matters solve tasks where two interact?",
    jobs=jobs,
    rows=rows,
    text=text,
    table=table,
    draw=draw,
    errors="After ±, and as bars, the standard error.",
)
