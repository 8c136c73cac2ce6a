"""Figure 1's point, computed: three classes of plants, told apart by one feature, by pairs, or by none alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polythetic.classifiers import method_named
from polythetic.episodes.plants import EXAMPLES, SHOTS, Example, PlantTasks
from polythetic.evaluation import evaluate
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.jobs import Job
from polythetic.report import style
from polythetic.report.flowers import draw_flower
from polythetic.report.section import Table
from polythetic.results import Result, Row, row
from polythetic.theory import is_threshold

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IRRELEVANT = 6  # further features, drawn at random
METHODS = ("PN", "MN", "FS+MN")
COUNTED = ("necessary", "sufficient", "pairs told apart", "threshold classes")


def measure(name: str, tasks: int, seed: int) -> list[Row]:
    """Count what the features of an example tell, and see which methods learn its classes."""
    example = EXAMPLES[name]
    pairs = {(j, k) for j, k, _ in example.told_apart()}
    numbers = (len(example.necessary()), len(example.sufficient()), len(pairs), len(_threshold_classes(example)))
    counts = dict(zip(COUNTED, numbers, strict=True))
    rows = [row("definition", {"example": name}, metric, float(count)) for metric, count in counts.items()]
    methods = {method: method_named(method) for method in METHODS}
    for irrelevant in (0, IRRELEVANT):
        setting = {"example": name, "irrelevant": irrelevant, "variant": "ours"}
        for method, e in evaluate(methods, PlantTasks(example, irrelevant), tasks=tasks, seed=seed).items():
            rows.append(row(method, setting, "accuracy", e.mean, stderr=e.stderr, tasks=tasks, std=e.std))
    return rows


def _threshold_classes(example: Example) -> list[int]:
    """List the classes that a weighted sum of the features' values and a threshold tell from the rest."""
    members, labels = example.members
    return [k for k in range(3) if is_threshold(np.where(labels == k, 1, -1), members)]


def jobs(budget: Budget, seed: int) -> Cells:
    """List a job an example."""
    return {
        name: Job(f"Figure 1, {example.title}", measure, {"name": name, "tasks": budget.tasks, "seed": seed})
        for name, example in EXAMPLES.items()
    }


def _counts(rows: list[Row]) -> dict[tuple[str, str], int]:
    return {(e["setting"]["example"], e["metric"]): round(e["mean"]) for e in rows if e["method"] == "definition"}


def _accuracies(rows: list[Row], irrelevant: int) -> dict[tuple[str, str], Row]:
    return {(e["setting"]["example"], e["method"]): e for e in rows if e["setting"].get("irrelevant") == irrelevant}


def table(rows: list[Row]) -> Table:
    """Lay the examples out, a line each."""
    counts, alone, among = _counts(rows), _accuracies(rows, 0), _accuracies(rows, IRRELEVANT)
    header = ["", *COUNTED, *METHODS, *(f"{method}, {IRRELEVANT} irrelevant" for method in METHODS)]
    body = []
    for name, example in EXAMPLES.items():
        counted = [str(counts[name, metric]) for metric in COUNTED]
        accuracies = [f"{at[name, method]['mean']:.1f}" for at in (alone, among) for method in METHODS]
        body.append([example.title, *counted, *accuracies])
    return Table(header, body)


def text(result: Result) -> list[str]:
    """Say what each example shows."""
    counts, alone, among = _counts(result.rows), _accuracies(result.rows, 0), _accuracies(result.rows, IRRELEVANT)

    def scores(at: dict[tuple[str, str], Row]) -> str:
        one, pairs, none = (" / ".join(f"{at[name, method]['mean']:.0f}" for method in METHODS) for name in EXAMPLES)
        return f"{one} where one feature decides, {pairs} where there is one for each pair, {none} where none says anything alone"

    def count(name: str, what: str) -> str:
        return str(counts[name, what] or "no")

    tasks = next(e["tasks"] for e in result.rows if e["metric"] == "accuracy")
    return [
        "Figure 1 is an engraving of Linnaeus' classes of plants; here is its point, computed, for three classes of flowers "
        "that differ in the number of their filaments, their anthers (whole, split, crossed) and their base (free, joined). "
        f"Where one feature decides, {count('one', 'sufficient')} values are sufficient, one for each class: monothetic. Where there is a "
        "feature for each pair, as in the text (A and B differ in their filaments, B and C in their anthers, C and A in their base), "
        f"{count('pairs', 'pairs told apart')} pairs of 3 are told apart by a single feature, and {count('pairs', 'sufficient')} value is "
        "sufficient for a class: what a feature says depends on the others. Where each class is three combinations of filaments and "
        f"anthers, a Latin square, {count('none', 'necessary')} value is necessary, {count('none', 'sufficient')} value sufficient, and a single "
        f"feature tells {count('none', 'pairs told apart')} two classes apart: polythetic.",
        "A weighted sum of the features' values and a threshold tell "
        f"{', '.join(str(counts[name, 'threshold classes']) for name in EXAMPLES)} of the 3 classes from the rest: prototypes can learn the second example, not the third. Accuracy in "
        f"per cent over {tasks} tasks of {SHOTS} labelled flowers a class, {' / '.join(METHODS)}, among {IRRELEVANT} irrelevant features (the "
        f"bars): {scores(among)}; chance is 33. Without irrelevant features: {scores(alone)}." + _harm(alone),
    ]


def _harm(alone: dict[tuple[str, str], Row]) -> str:
    """Say where selection harms for want of anything to drop."""
    harmed = [e.title for name, e in EXAMPLES.items() if alone[name, "FS+MN"]["mean"] < alone[name, "MN"]["mean"] - 2]
    if not harmed:
        return ""
    return f" Selection harms with nothing to drop ({', '.join(harmed)}): the values that score least are set to 0 though they are needed."


def draw(result: Result) -> Figure:
    """Draw some members of each class above, and what the methods make of the classes below."""
    among, chance = _accuracies(result.rows, IRRELEVANT), 100 / 3
    figure, axes = style.figure(2, 3, size=(7.4, 4.7), height_ratios=[1.9, 1])
    for ax, example in zip(axes[0], EXAMPLES.values(), strict=True):
        for k, patterns in enumerate(example.patterns):
            first = 1 - (len(example.shown) - 1) / 2  # so that they stand in the middle of three places
            ax.text(first - 0.7, -k, "ABC"[k], ha="center", va="center", weight="bold", color=COLOURS[k], fontsize=11)
            for place, number in enumerate(example.shown):
                draw_flower(ax, first + place, -k, patterns[number], colour=COLOURS[k])
        ax.set(xlim=(-0.9, 2.6), ylim=(-2.55, 0.5), title=example.title, aspect="equal")
        ax.axis("off")
    for ax, name in zip(axes[1], EXAMPLES, strict=True):
        found = [among[name, method] for method in METHODS]
        bars = ax.barh(METHODS, [e["mean"] for e in found], color=BARS, height=0.65)
        ax.bar_label(bars, [f" {e['mean']:.0f}" for e in found], fontsize=8)
        ax.axvline(chance, color="0.3", linewidth=0.9, linestyle=":")
        ax.invert_yaxis()
        ax.set(xlim=(0, 118), xticks=(0, 50, 100), xlabel="accuracy (%)")
        ax.spines[["top", "right"]].set_visible(False)
    axes[1][0].text(chance, -0.5, "chance", color="0.3", fontsize=7, va="bottom", ha="center")
    return figure


COLOURS = (style.BLUE, style.VERMILION, style.GREEN)  # of the classes
BARS: list[Any] = ["0.75", style.SKY, style.ORANGE]

EXPERIMENT = Experiment(
    name="figure1",
    title="Three classes of plants",
    where="Figure 1, §1",
    question="Can classes be learned whose features are neither necessary nor sufficient?",
    jobs=jobs,
    text=text,
    table=table,
    draw=draw,
)
