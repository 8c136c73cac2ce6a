"""Figure 8: colourless polythetic MNIST, over the share of polythetic tasks in training."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from polythetic.datasets.mnist import mnist_source
from polythetic.evaluation import Repeated
from polythetic.experiments.budgets import Budget
from polythetic.experiments.digit_learners import KINDS, LOOKS, METHODS
from polythetic.experiments.experiment import Cells, Experiment, Found
from polythetic.experiments.learned import OWN, gathered, measuring, training
from polythetic.experiments.scored import accuracy_row, duel_row, many, outcome
from polythetic.jobs import Job
from polythetic.report import style
from polythetic.report.chance import at_chance
from polythetic.report.evidence import VARIANTS
from polythetic.report.section import Table
from polythetic.results import Result, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUITE = "mnist-colourless"
PROPORTIONS = (0.0, 0.25, 0.5, 0.75, 1.0)
OTHERS = ("PN", "MN")  # than FS+MN

At: TypeAlias = dict[tuple[str, str, float], Row]  # by method (of a duel, its label), tasks and proportion


class Cell(NamedTuple):
    """Learners from one mix of tasks, on tasks of one kind."""

    variant: str
    proportion: float
    tasks: str
    trained: str
    train_tasks: int
    source: str = "full"

    @property
    def setting(self) -> dict[str, Any]:
        """What its rows have in common."""
        return {
            "dataset": "colourless",
            "tasks": self.tasks,
            "variant": self.variant,
            "proportion": self.proportion,
        }


def jobs(budget: Budget, seed: int) -> Cells:
    """Train on each mix, evaluate on both kinds; at 0, if trained as long, the learner is Table 2's, and trained once."""
    lessons = budget.lessons["proportions"]
    cells: dict[Any, Job] = {}
    source = mnist_source()
    for variant, proportion, trained in product(VARIANTS, PROPORTIONS, METHODS):
        options = {"polythetic": proportion}
        runs = [
            training(SUITE, trained, tasks=lessons.tasks_of(trained), variant=variant, seed=number, options=options)
            for number in range(lessons.seeds)
        ]
        for kind, share in KINDS.items():
            cell = Cell(variant, proportion, kind, trained, lessons.tasks_of(trained), source)
            cells |= measuring(cell, runs, SUITE, {"polythetic": share}, {trained: OWN}, budget, seed)
    return cells


def rows(found: Found) -> list[Row]:
    """Make a row of each method at each proportion; the paper has a picture, and no figures. Then the duels."""
    measured: dict[Cell, dict[str, Repeated]] = gathered(found)
    made = [
        accuracy_row(cell.trained, cell.setting, heads[cell.trained], cell.train_tasks, source=cell.source)
        for cell, heads in measured.items()
    ]
    for cell, heads in measured.items():
        if cell.trained == "FS+MN":
            for other in OTHERS:
                against = measured[cell._replace(trained=other)][other]
                made.append(duel_row(cell.setting, ("FS+MN", heads["FS+MN"]), (other, against)))
    return made


def _by_cell(rows: list[Row], metric: str, variant: str) -> At:
    return {
        (e["label"], e["setting"]["tasks"], e["setting"]["proportion"]): e
        for e in rows
        if e["metric"] == metric and e["setting"]["variant"] == variant
    }


def table(rows: list[Row]) -> Table:
    """Lay the accuracies out: a column a proportion, mean and standard deviation."""
    body = []
    for variant, kind, method in product(VARIANTS, KINDS, METHODS):
        at = _by_cell(rows, "accuracy", variant)
        figures = [_figure(at[method, kind, proportion]) for proportion in PROPORTIONS]
        body.append([method, VARIANTS[variant], kind, *figures])
    return Table(
        ["", "settings", "evaluated on", *(f"{proportion:.0%} polythetic" for proportion in PROPORTIONS)], body
    )


def _figure(entry: Row) -> str:
    return f"{entry['mean']:.1f}" if entry["std"] is None else f"{entry['mean']:.1f} (sd {entry['std']:.1f})"


def text(result: Result) -> list[str]:
    """Judge both halves of the paper's caption: FS is at least as good everywhere, and least moved by the mix."""
    first = result.rows[0]
    return [
        f"Accuracy on {first['tasks']:,} tasks of each kind, mean and standard deviation over tasks, after "
        f"{first['train_tasks']:,} training tasks (paper: 10,000), {many(first['train_seeds'], 'learner')} a point, our "
        "settings and the authors'. The paper shows a picture and prints no figures.",
        "“FS matches or outperforms the other models at all training proportions”. "
        + " ".join(_leads(name, _by_cell(result.rows, "wins", variant)) for variant, name in VARIANTS.items()),
        "“Far less affected by the training mix”: from the worst mix to the best, in points. "
        + " ".join(_moves(name, _by_cell(result.rows, "accuracy", variant)) for variant, name in VARIANTS.items()),
    ]


def _leads(settings: str, duels: At) -> str:
    """Say where FS+MN is behind the others."""
    behind = [
        f"{-duel['difference']:.1f} points behind {duel['setting']['against']} on {kind} tasks at {proportion:.0%}"
        for (_, kind, proportion), duel in duels.items()
        if outcome(duel) == "behind"
    ]
    ahead = sum(outcome(duel) == "ahead" for duel in duels.values())
    return (
        f"With {settings}, of {len(duels)} comparisons with PN and MN on the same tasks, FS+MN is ahead in "
        f"{ahead} and behind in {len(behind)} (Wilcoxon's test, 5 %)"
        + (f": {'; '.join(behind)}." if behind else ". It holds.")
    )


def _moves(settings: str, at: At) -> str:
    """Say how far the mix moves each, and which the least; one that guesses at every mix cannot be moved."""
    told = []
    for kind in KINDS:
        found = {method: [at[method, kind, proportion] for proportion in PROPORTIONS] for method in METHODS}
        guessing = [method for method in METHODS if all(map(at_chance, found[method]))]
        means = {method: [entry["mean"] for entry in entries] for method, entries in found.items()}
        moved = {method: max(means[method]) - min(means[method]) for method in METHODS}
        others = [method for method in METHODS if method not in guessing]
        least = f"; least {min(others, key=lambda method: moved[method])}" if others else ""
        least += f", as {' and '.join(guessing)} only guesses" if guessing and others else ""
        told.append(f"on {kind} tasks {', '.join(f'{m} {moved[m]:.1f}' for m in METHODS)}{least}")
    return f"With {settings}: {'; '.join(told)}."


def draw(result: Result) -> Figure:
    """Draw a panel for whose settings and which kind of tasks: accuracy over the mix, the standard deviation as bars."""
    figure, axes = style.figure(len(KINDS), len(VARIANTS), size=(style.NUMBERS_WIDTH, 4.4), sharex=True, sharey=True)
    for (row, kind), (column, (variant, settings)) in product(enumerate(KINDS), enumerate(VARIANTS.items())):
        ax, at = axes[row, column], _by_cell(result.rows, "accuracy", variant)
        ax.axhline(50, color="0.8", linewidth=0.8, zorder=0)
        for shift, (method, (colour, marker)) in zip((-4, 0, 4), LOOKS.items(), strict=True):
            found = [at[method, kind, proportion] for proportion in PROPORTIONS]
            ax.errorbar(
                [100 * proportion + shift for proportion in PROPORTIONS],  # side by side, so that bars stay apart
                [entry["mean"] for entry in found],
                [entry["std"] or 0 for entry in found],
                fmt=f"{marker}-",
                color=colour,
                label=method,
                markersize=4.5,
                linewidth=1.3,
                elinewidth=0.9,
                capsize=2,
            )
        ax.set_xticks([100 * proportion for proportion in PROPORTIONS])
        ax.set_title(f"{kind}, {settings}")
    for ax in axes[:, 0]:
        ax.set_ylabel("accuracy (%)")
    for ax in axes[-1]:
        ax.set_xlabel("polythetic tasks in training (%)")
    figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


EXPERIMENT = Experiment(
    name="figure8",
    title="Polythetic MNIST (colourless) by the polythetic share of training",
    where="Figure 8, §5",
    question="How much does it matter whether polythetic tasks are seen in training?",
    jobs=jobs,
    rows=rows,
    text=text,
    table=table,
    draw=draw,
    errors="Bars, and sd, are the standard deviation over tasks.",
)
