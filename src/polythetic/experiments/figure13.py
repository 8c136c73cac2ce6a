"""Figure 13: a whole XOR₂ task, as App. I shows one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polythetic.episodes import BooleanTasks, Episode, evaluate_function
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.jobs import Job
from polythetic.report import style
from polythetic.results import Result, Row, row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUITE = BooleanTasks(n=5, alpha=2, repetitions=1)


def task(seed: int) -> Episode:
    """Draw the task."""
    return SUITE.batch(seed, 0, 1)


def jobs(budget: Budget, seed: int) -> Cells:
    """Check one task."""
    return {"task": Job("Figure 13", labels_right, {"seed": seed})}


def labels_right(seed: int) -> list[Row]:
    """Check that every label is the XOR of the active bits."""
    episode = task(seed)
    active = episode.attributes["active"][0].tolist()
    rows = []
    for part, x, y in (
        ("support", episode.support[0], episode.support_labels[0]),
        ("query", episode.query[0], episode.query_labels[0]),
    ):
        right = evaluate_function("xor", x[:, active].numpy().astype("int8")) == y.numpy()
        rows.append(
            row("XOR", {"part": part, "active": sorted(active)}, "accuracy", 100 * float(right.mean()), tasks=1)
        )
    return rows


def text(result: Result) -> list[str]:
    """Name the active bits."""
    first, second = (bit + 1 for bit in result.rows[0]["setting"]["active"])
    return [
        f"An XOR₂ task with α = 2 active bits (number {first} and {second}, coloured), β = 3 noise bits and r = 1 "
        "repetition of each variant; the label is the XOR of the active bits, + being true."
    ]


def draw(result: Result) -> Figure:
    """Write the task out."""
    episode = task(result.seed)
    active = set(episode.attributes["active"][0].tolist())
    figure, axes = style.figure(1, 2, size=(4.6, 1.7))
    for ax, title, x, y in (
        (axes[0], "Support set", episode.support[0], episode.support_labels[0]),
        (axes[1], "Query set", episode.query[0], episode.query_labels[0]),
    ):
        for i, (bits, label) in enumerate(zip(x, y, strict=True)):
            for j, bit in enumerate(bits):
                look = {"color": style.VERMILION, "weight": "bold"} if j in active else {"color": "0.35"}
                ax.text(j, -i, "+" if bit > 0 else "−", ha="center", va="center", fontsize=13, **look)
            ax.text(5.2, -i, "→", ha="center", va="center")
            ax.text(6.2, -i, "+" if label > 0 else "−", ha="center", va="center", fontsize=13, weight="bold")
        ax.set(xlim=(-0.6, 6.8), ylim=(-3.6, 0.6))
        ax.set_title(title)
        ax.axis("off")
    return figure


EXPERIMENT = Experiment(
    name="figure13",
    title="A binary strings task, written out",
    where="Figure 13, App. I",
    question="What does a binary strings task look like, and is every label the XOR of the active bits?",
    jobs=jobs,
    text=text,
    draw=draw,
)
