"""App. A: prototypes that have learned XOR of some pairs of bits know nothing of the XOR of the others."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from polythetic.episodes import TEST_PAIRS, TRAINING_PAIRS, BooleanTasks
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment, Found
from polythetic.experiments.prototypes import accuracy_row, learning, trained, with_spread
from polythetic.experiments.settings import DESIGNS
from polythetic.jobs import Job
from polythetic.report import style
from polythetic.report.section import Table
from polythetic.results import Result, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Mean and standard error that the paper prints, on pairs unseen in training, for β = 0, 1, 2, by embedding.
PAPER = {
    1: ((48.741, 0.276), (48.855, 0.282), (49.558, 0.284)),
    10: ((50.350, 0.282), (49.397, 0.286), (49.479, 0.265)),
    20: ((50.705, 0.271), (51.057, 0.247), (50.144, 0.255)),
    100: ((52.246, 0.256), (52.390, 0.265), (52.573, 0.258)),
}
IRRELEVANT = (0, 1, 2)  # β, beside the five bits of the pairs
PAIRS = {"training": TRAINING_PAIRS, "test": TEST_PAIRS}


def suites(beta: int, design: str) -> list[BooleanTasks]:
    """Return the tasks of each set of pairs, those of training first."""
    return [BooleanTasks(n=5 + beta, design=design, active_sets=pairs) for pairs in PAIRS.values()]


def jobs(budget: Budget, seed: int) -> Cells:
    """Train on five of the ten pairs, test on those and on the other five: untrained first, then as training goes."""
    cells: dict[Any, Job] = {}
    for beta in IRRELEVANT:
        for design, name in DESIGNS.items():
            what, tests = f"App. A, β = {beta}, {name}: prototypes", suites(beta, design)
            stages = (0, *budget.train_tasks)
            cells[beta, design] = learning(what, tests[0], list(PAPER), stages, budget, seed, tests=tests)
    return cells


def rows(found: Found) -> list[Row]:
    """Put the paper's figures beside those it prints: on test pairs and balanced supports."""
    made = []
    for (beta, design), accuracies in found.items():
        for kind in trained(accuracies, suites(beta, design)):
            pairs = "training" if kind.suite.active_sets == TRAINING_PAIRS else "test"
            printed = design == "balanced" and pairs == "test" and kind.train_tasks > 0
            paper = PAPER[kind.embedding][beta] if printed else (None, None)
            made.append(accuracy_row(kind, _label(kind.train_tasks), paper=paper, beta=beta, pairs=pairs))
    return made


def _label(train_tasks: int) -> str:
    return f"{train_tasks:,} tasks" if train_tasks else "untrained"


def _by_cell(rows: list[Row]) -> dict[tuple[int, str, int, str, int], Row]:
    keys = ("embedding", "design", "beta", "pairs", "train_tasks")
    return {tuple(entry["setting"][key] for key in keys): entry for entry in rows}


def _stages(rows: list[Row]) -> list[int]:
    return sorted({entry["train_tasks"] for entry in rows})


def table(rows: list[Row]) -> Table:
    """Lay the accuracies out: by embedding, the paper's line first; by β across, on both kinds of supports."""
    at = _by_cell(rows)
    columns = [f"β={beta}, {name}" for name in DESIGNS.values() for beta in IRRELEVANT]
    body = []
    for d, printed in PAPER.items():
        body.append([str(d), "paper", "test", *(f"{mean:.1f} ±{error:.1f}" for mean, error in printed), "", "", ""])
        for stage in _stages(rows):
            for pairs in PAIRS:
                found = [at[d, design, beta, pairs, stage] for design in DESIGNS for beta in IRRELEVANT]
                body.append([str(d), _label(stage), pairs, *map(with_spread, found)])
    return Table(["d", "", "pairs", *columns], body)


def text(result: Result) -> list[str]:
    """Compare the pairs, and with an encoder that has learned nothing."""
    at, stages = _by_cell(result.rows), _stages(result.rows)

    def means(pairs: str, stage: int, design: str = "balanced", d: int = 100) -> str:
        return " / ".join(f"{at[d, design, beta, pairs, stage]['mean']:.1f}" for beta in IRRELEVANT)

    first, last = stages[1], stages[-1]
    far = max(abs(e["mean"] - e["paper"]) for e in result.rows if e["paper"] is not None and e["train_tasks"] == first)
    seeds = result.rows[0]["train_seeds"]
    spread = f"mean ± standard deviation over {seeds} trainings" if seeds > 1 else "one training each"
    return [
        f"Accuracy in per cent on {result.rows[0]['tasks']} XOR₂ tasks, {spread}. The active pair is one of the first five "
        "bits; five of the ten pairs occur in training, the other five only in the test, and β further bits are never "
        f"active. After {first:,} training tasks every figure of the paper's is met within {far:.1f} points.",
        f"What is learned is the pairs, not XOR. With d = 100 and β = 0 / 1 / 2, training takes the pairs it sees from "
        f"{means('training', 0)} % to {means('training', first)} % after {first:,} tasks"
        + (f" and {means('training', last)} % after {last:,}" if last > first else "")
        + f"; pairs it does not see go from {means('test', 0)} % to {means('test', first)} %"
        + (f" and {means('test', last)} %" if last > first else "")
        + ". The paper explains its better-than-chance figures at d = 100 by random features, some of which happen to be "
        "of use. An untrained encoder has nothing but random features, and does better on the test pairs than a trained "
        f"one of its size: training takes away what chance had given. On i.i.d. supports the test pairs go from {means('test', 0, 'iid')} "
        f"to {means('test', first, 'iid')} %.",
    ]


def draw(result: Result) -> Figure:
    """Draw accuracy over training, a column a β: what is learned of the pairs seen is lost on those unseen.

    Above are both; below are the unseen pairs alone, near to chance, with the paper's figures.
    """
    at, stages = _by_cell(result.rows), _stages(result.rows)
    places = range(len(stages))
    figure, axes = style.figure(2, len(IRRELEVANT), size=(7.0, 4.8), sharex=True, sharey="row")
    colours = dict(zip(PAPER, (style.VERMILION, style.SKY, style.GREEN, style.BLUE), strict=True))
    for (line, shown), (column, beta) in product(enumerate((LOOKS, {"test": LOOKS["test"]})), enumerate(IRRELEVANT)):
        ax = axes[line, column]
        ax.axhline(50, color="0.8", linewidth=0.8, zorder=0)
        for number, (d, colour) in enumerate(colours.items()):
            aside = [place + APART * (number - 1.5) for place in places]
            for pairs, look in shown.items():
                found = [at[d, "balanced", beta, pairs, stage] for stage in stages]
                spread = [entry["std"] or 0 for entry in found]
                ax.errorbar(aside, [e["mean"] for e in found], spread, fmt=look, color=colour, **SIZES)
            if len(shown) == 1:
                ax.plot(aside[1], PAPER[d][beta][0], "x", color=colour, markersize=6, zorder=3)
        ax.set_xticks(places, [f"{stage:,}" for stage in stages])
        ax.set_xlim(-0.25, len(stages) - 0.75)
    for column, beta in enumerate(IRRELEVANT):
        axes[0, column].set_title(f"β = {beta}")
        axes[1, column].set_xlabel("training tasks")
    axes[0, 0].set_ylabel("accuracy (%)")
    axes[1, 0].set_ylabel("on test pairs (%)")
    for d, colour in colours.items():
        axes[0, 0].plot([], [], color=colour, linewidth=3, label=f"d = {d}")
    for pairs, look in LOOKS.items():
        axes[0, 0].plot([], [], look, color="0.3", label=f"{pairs} pairs", **SIZES)
    axes[0, 0].plot([], [], "x", color="0.3", markersize=6, label="test pairs, paper")
    figure.legend(loc="outside lower center", ncols=7, frameon=False, columnspacing=0.9, handlelength=1.4)
    return figure


APART = 0.1  # of the sizes, side by side: accuracies of two of them are often the same
LOOKS = {"training": "o-", "test": "s--"}
SIZES: dict[str, Any] = {"markersize": 3.5, "linewidth": 1.2}

EXPERIMENT = Experiment(
    name="appendix-a",
    title="Prototypes on pairs of bits unseen in training",
    where="Table 6, App. A",
    question="Do prototypes that have learned XOR of some pairs of bits know anything of the XOR of pairs unseen in training?",
    jobs=jobs,
    rows=rows,
    text=text,
    table=table,
    draw=draw,
    errors="After ±, and as bars, the standard deviation over trainings; the paper's is a standard error.",
)
