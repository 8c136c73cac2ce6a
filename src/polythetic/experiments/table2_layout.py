"""Table 2 to look at: the table and a picture, from the rows."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import TYPE_CHECKING, Any, TypeAlias

from polythetic.experiments.digit_learners import (
    DATASETS,
    KINDS,
    LOOKS,
    METHODS,
    OTHER_STATISTICS,
    STARRED,
    UNSELECTED,
    UNSELECTED_STARRED,
)
from polythetic.report import style
from polythetic.report.effort import PAPER as PAPER_EFFORT
from polythetic.report.section import Table
from polythetic.results import Result, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

At: TypeAlias = dict[tuple[str, str, str, str], Row]  # by label, variant, dataset and kind of tasks

VARIANTS = {"ours": "ours", "authors": "authors'"}
ON_THEIRS = "ours, on the encoder trained with the authors' settings"  # for the authors have no R and no D
COLUMNS = tuple(product(DATASETS, KINDS))
PAPER_LESSONS = {"clean": 10_000, "colourless": 10_000, "full": 100_000}  # App. F
NONE = "–"  # a figure that there is not
HEADS_OF_OURS = {  # in the picture: place beside the three of the paper's, marker, colour and size
    "R+MN*": (0.32, "P", style.SKY, 6),
    "D+MN*": (0.42, "*", style.VERMILION, 8),
}
FURTHER = {
    **{f"{name}*": f"{name}*" for name in STARRED},
    UNSELECTED_STARRED: UNSELECTED_STARRED,
    UNSELECTED: f"{UNSELECTED}, on FS+MN's encoder",
}


def by_cell(rows: list[Row], metric: str) -> At:
    """Look rows up by what is asked of them."""
    keys = ("variant", "dataset", "tasks")
    return {(e["label"], *(e["setting"][key] for key in keys)): e for e in rows if e["metric"] == metric}


def settings_of(label: str, variant: str) -> str:
    """Say whose settings a line has; of heads that are ours alone, whose the encoder's training has.

    >>> settings_of("FS+MN*", "authors"), settings_of("R+MN*", "authors")
    ("authors'", "ours, on the encoder trained with the authors' settings")
    """
    return ON_THEIRS if variant == "authors" and label.startswith(("R+", "D+")) else VARIANTS[variant]


def table(rows: list[Row]) -> Table:
    """Lay the accuracies out as the paper does; its line above ours, ours above that with the authors' settings."""
    at = by_cell(rows, "accuracy")

    def line(name: str, label: str, variant: str) -> list[str]:
        found = [at.get((label, variant, *column)) for column in COLUMNS]
        first = found[:: len(KINDS)]  # of each dataset; a line's two kinds of tasks are as many
        tasks, lessons = (_each(f"{e[key]:,}" if e else NONE for e in first) for key in ("tasks", "train_tasks"))
        figures = (_figure(e["mean"], e["stderr"]) if e else NONE for e in found)
        return [name, settings_of(label, variant), tasks, lessons, *figures]

    body = []
    for method in METHODS:
        printed = [at[method, "ours", *column] for column in COLUMNS]
        lessons = _each(f"{count:,}" for count in PAPER_LESSONS.values())
        figures = (_figure(entry["paper"], entry["paper_stderr"]) for entry in printed)
        body.append([method, "paper", PAPER_EFFORT["table2"].tasks, lessons, *figures])
        body += [line(method, method, variant) for variant in VARIANTS]
    body += [line(name, label, variant) for label, name in FURTHER.items() for variant in VARIANTS]
    body += [line(label, label, variant) for variant, label in OTHER_STATISTICS.items()]
    return Table(["", "settings", "tasks", "trained on", *(f"{dataset}, {kind}" for dataset, kind in COLUMNS)], body)


def _each(counts: Iterable[str]) -> str:
    """Write the counts of the datasets side by side, or one for all if they are alike."""
    every = list(counts)
    return every[0] if len(set(every)) == 1 else " / ".join(every)


def _figure(mean: float, error: float | None) -> str:
    return f"{mean:.1f}" if error is None else f"{mean:.1f} ±{error:.1f}"


def draw(result: Result) -> Figure:
    """Draw a panel a kind of tasks: by dataset, each method as the paper, we and the authors' settings have it."""
    at = by_cell(result.rows, "accuracy")
    figure, axes = style.figure(1, len(KINDS), size=(7.4, 3.0), sharey=True)
    for ax, kind in zip(axes, KINDS, strict=True):
        ax.axhline(50, color="0.8", linewidth=0.8, zorder=0)
        for place, dataset in enumerate(DATASETS):
            ax.axvline(place + 0.5, color="0.9", linewidth=0.8, zorder=0)
            for beside, method in zip((-0.37, -0.13, 0.11), METHODS, strict=True):
                ours, authors = (at[method, variant, dataset, kind] for variant in VARIANTS)
                _points(ax, place + beside, method, ours, authors)
            for label, (beside, marker, colour, size) in HEADS_OF_OURS.items():
                if entry := at.get((label, "ours", dataset, kind)):
                    ax.plot(place + beside, entry["mean"], marker, color=colour, markersize=size)
        ax.set_xticks(range(len(DATASETS)), DATASETS)
        ax.set(title=f"{kind} tasks", xlim=(-0.5, len(DATASETS) - 0.5))
    axes[0].set(ylabel="accuracy (%)")
    axes[0].set_ylim(top=101)
    for method, (colour, marker) in LOOKS.items():
        axes[0].plot([], [], marker, color=colour, label=method)
    for label, (_, marker, colour, size) in HEADS_OF_OURS.items():
        axes[0].plot([], [], marker, color=colour, markersize=size, label=f"{label}, ours", linestyle="none")
    for marker, face, label in (("x", "0.3", "paper"), ("o", "0.3", "ours"), ("o", "white", "authors' settings")):
        axes[0].plot([], [], marker, color="0.3", markerfacecolor=face, label=label)
    figure.legend(loc="outside lower center", ncols=8, frameon=False, columnspacing=1.0, handletextpad=0.3)
    return figure


def _points(ax: Any, x: float, method: str, ours: Row, authors: Row) -> None:
    """Put the paper's cross, our dot and the hollow one side by side, with standard errors."""
    colour, marker = LOOKS[method]
    look: dict[str, Any] = {"fmt": marker, "color": colour, "linewidth": 1.2, "markersize": 4.5}
    ax.plot(x - 0.085, ours["paper"], "x", color=colour, markersize=5.5, markeredgewidth=1.5)
    ax.errorbar(x, ours["mean"], ours["stderr"] or 0, **look)
    ax.errorbar(x + 0.085, authors["mean"], authors["stderr"] or 0, markerfacecolor="white", **look)
