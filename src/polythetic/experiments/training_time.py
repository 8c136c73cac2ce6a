"""Accuracy against training time, full polythetic MNIST: monothetic tasks, or every attribute of the same pictures."""

from __future__ import annotations

import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

from polythetic.datasets.mnist import mnist_source
from polythetic.evaluation import Repeated
from polythetic.experiments.budgets import Budget
from polythetic.experiments.digit_learners import KINDS
from polythetic.experiments.experiment import Cells, Experiment, Found
from polythetic.experiments.learned import Heads, gathered, measuring, training
from polythetic.experiments.scored import accuracy_row
from polythetic.experiments.table2 import PAPER
from polythetic.experiments.table2_layout import COLUMNS
from polythetic.jobs import Job
from polythetic.learners.registry import RELABELLED
from polythetic.progress import Silent
from polythetic.report import style
from polythetic.report.section import Table
from polythetic.results import Result, Row, row
from polythetic.runs import RunSettings, run

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUITE = "mnist-full"
PARTS = (16, 4, 1)  # of the tasks of the longest training: one in so many
STEPS = 12  # that are timed; the first is not counted
HEADS: Heads = {"PN": {"name": "PN"}, "R+MN*": {"name": "R+MN"}, "D+MN*": {"name": "D+MN"}}
LOOKS = {"PN": (style.GREEN, "s"), "R+MN*": (style.BLUE, "o"), "D+MN*": (style.VERMILION, "*")}
# What is learned from, in words and as lines; and which of the budget's lessons it has.
SCHOOLS = {"PN": ("monothetic tasks", "-", "full"), RELABELLED: ("relabelled pictures", "--", "relabelled")}
SECONDS = "seconds of one core a step"
# The best that the paper has of each kind, after 100,000 tasks.
BEST = {
    kind: max((PAPER[method][COLUMNS.index(("full", kind))][0], method) for method in PAPER)
    for kind in ("monothetic", "polythetic")
}


class Cell(NamedTuple):
    """A learner after a training, on tasks of one kind."""

    trained: str
    train_tasks: int
    tasks: str
    source: str = "full"


def lessons(trained: str, tasks: int, seed: int = 0) -> RunSettings:
    """Settle a training: prototypes on monothetic tasks as in Table 2, or on every attribute of random pictures.

    >>> lessons("RELABELLED-PN", 800).suite
    'pictures'
    """
    if trained == RELABELLED:
        return training("pictures", trained, tasks=tasks, seed=seed)
    return training(SUITE, trained, tasks=tasks, seed=seed, options={"polythetic": KINDS["monothetic"]})


def jobs(budget: Budget, seed: int) -> Cells:
    """Train for a sixteenth, a quarter and the whole of the time, each to its end; time a few steps of each kind."""
    cells: dict[Any, Job] = {}
    source = mnist_source()
    for trained, (_, _, lesson) in SCHOOLS.items():
        most = budget.lessons[lesson].tasks
        for tasks in sorted({max(1, most // part) for part in PARTS}):
            for kind, share in KINDS.items():
                cell, options = Cell(trained, tasks, kind, source), {"polythetic": share}
                cells |= measuring(cell, [lessons(trained, tasks)], SUITE, options, HEADS, budget.beside, seed)
        facts = {"settings": lessons(trained, STEPS)}
        cells[trained] = Job(f"timing steps of {trained}", step_seconds, facts, cost=STEPS, data=source)
    return cells


class Clock(Silent):
    """Takes the time whenever a step is done: of processors, since other work may go on beside it."""

    def __init__(self) -> None:
        self.at: list[float] = []

    def advance(self, steps: int = 1, note: str = "") -> None:
        """Take the time."""
        self.at.append(time.process_time())


def step_seconds(settings: RunSettings) -> list[Row]:
    """Train for a few steps, and say what one takes."""
    clock = Clock()
    with TemporaryDirectory() as folder:
        run(settings, Path(folder), progress=clock)
    taken = [after - before for before, after in zip(clock.at, clock.at[1:], strict=False)][1:]
    return [row(settings.method, {"encoder": settings.method}, SECONDS, median(taken), tasks=len(taken))]


def rows(found: Found) -> list[Row]:
    """Make a row of each head at each length of training, and one of what a step takes."""
    timed = {key: value for key, value in found.items() if isinstance(key, str)}
    measured: dict[Cell, dict[str, Repeated]] = gathered({k: v for k, v in found.items() if k not in timed})
    made = [entry for entries in timed.values() for entry in entries]
    for cell, heads in measured.items():
        setting: dict[str, Any] = {"dataset": "full", "tasks": cell.tasks, "variant": "ours", "encoder": cell.trained}
        setting["train_tasks"] = cell.train_tasks
        for label, accuracy in heads.items():
            made.append(accuracy_row(label, setting, accuracy, cell.train_tasks, source=cell.source))
    return made


def _lines(rows: list[Row]) -> dict[tuple[str, str, str], list[tuple[float, Row]]]:
    """Sort accuracies into lines, by what was learned from, head and kind of tasks: minutes of training, and the row."""
    seconds = {entry["method"]: entry["mean"] for entry in rows if entry["metric"] == SECONDS}
    found: dict[tuple[str, str, str], list[tuple[float, Row]]] = {}
    for entry in rows:
        if entry["metric"] == "accuracy":
            encoder = entry["setting"]["encoder"]
            minutes = entry["train_tasks"] * seconds[encoder] / 60
            found.setdefault((encoder, entry["method"], entry["setting"]["tasks"]), []).append((minutes, entry))
    return {key: sorted(line, key=lambda point: point[0]) for key, line in found.items()}


def table(rows: list[Row]) -> Table:
    """Lay the accuracies out, a line a training."""
    lines = _lines(rows)
    body = []
    for trained, (words, _, _) in SCHOOLS.items():
        for number, (minutes, entry) in enumerate(lines[trained, "PN", "monothetic"]):
            figures = [lines[trained, head, kind][number][1] for kind in KINDS for head in HEADS]
            told = [f"{e['mean']:.1f} ±{e['stderr'] or 0:.1f}" for e in figures]
            body.append([words, f"{entry['train_tasks']:,}", f"{minutes:.1f}", *told])
    return Table(
        ["learned from", "tasks", "minutes", *(f"{head}, put to {kind} tasks" for kind in KINDS for head in HEADS)],
        body,
    )


def text(result: Result) -> list[str]:
    """Say what was timed, and when each passes the best of the paper."""
    lines = _lines(result.rows)
    seconds = {entry["method"]: entry["mean"] for entry in result.rows if entry["metric"] == SECONDS}
    first = next(entry for entry in result.rows if entry["metric"] == "accuracy")
    per_step = "; ".join(f"{SCHOOLS[trained][0]} {value:.2f} s" for trained, value in seconds.items())
    passed = []
    for (trained, head, kind), line in lines.items():
        value, _ = BEST[kind]
        if above := [minutes for minutes, entry in line if entry["mean"] > value]:
            passed.append(f"{head} from {SCHOOLS[trained][0]} after {min(above):.1f} minutes on {kind} tasks")
    return [
        f"Accuracy on {first['tasks']:,} tasks of each kind. Each point is a training of its own, its learning rate gone "
        "down to zero; its time is the number of steps by what one takes on one core, the median of a few taken for the "
        f"purpose ({per_step}). Monothetic tasks are the paper's training. Relabelled pictures use more labels: every "
        "picture is classified by each of its eight attributes, eight tasks for one pass of the encoder.",
        f"The paper's best after 100,000 tasks: {_best()}. Above that: {'; '.join(passed) if passed else 'none'}.",
    ]


def _best() -> str:
    return ", ".join(f"{method} {value} on {kind} tasks" for kind, (value, method) in BEST.items())


def draw(result: Result) -> Figure:
    """Draw a panel a kind of tasks: accuracy over minutes, a line a head and training."""
    lines = _lines(result.rows)
    figure, axes = style.figure(1, len(KINDS), size=(7.4, 3.2), sharey=True)
    for ax, kind in zip(axes, KINDS, strict=True):
        value, method = BEST[kind]
        ax.axhline(value, color="0.4", linewidth=0.9, linestyle=":", zorder=0)
        place: dict[str, Any] = {"x": 0.01, "ha": "left", "transform": ax.get_yaxis_transform()}
        ax.text(y=value + 0.4, s=f"paper's best ({method})", fontsize=7, color="0.3", **place)
        for (trained, head, of), line in lines.items():
            if of == kind:
                colour, marker = LOOKS[head]
                label = f"{head}, trained on {SCHOOLS[trained][0]}"
                minutes, means = [point for point, _ in line], [entry["mean"] for _, entry in line]
                ax.plot(minutes, means, marker + SCHOOLS[trained][1], color=colour, label=label, markersize=5)
        ax.set(title=f"put to {kind} tasks", xlabel="training on one core (minutes)", xscale="log")
        ax.xaxis.set_major_formatter("{x:g}")
    axes[0].set_ylabel("accuracy (%)")
    handles = axes[0].get_legend_handles_labels()
    figure.legend(*handles, loc="outside lower center", ncols=2, frameon=False, handlelength=3.2)
    return figure


EXPERIMENT = Experiment(
    name="training-time",
    title="Accuracy against training time, full polythetic MNIST",
    where="Training time, beyond the paper",
    question="How soon does an encoder know what polythetic tasks need?",
    jobs=jobs,
    rows=rows,
    text=text,
    table=table,
    draw=draw,
    errors="After ± the standard error.",
)
