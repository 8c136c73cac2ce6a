"""Table 3 as people see it: the paper's lines above ours above those with the authors' settings, and a picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from polythetic.experiments.table2_layout import settings_of
from polythetic.experiments.table3_lines import KINDS, OURS, PAPER, ROUNDS, Tasks, decomposed, unselected_on
from polythetic.learners.heads import SIMILARITIES, VARIANTS
from polythetic.report import style
from polythetic.report.effort import PAPER as PAPER_EFFORT
from polythetic.report.section import Table
from polythetic.results import Result, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Lines: TypeAlias = dict[tuple[str, str, Tasks], Row]  # by label, variant and tasks

CHARACTERS, ALPHABETS, WITH_REPLACEMENT = KINDS
COLUMNS = {CHARACTERS: "characters", ALPHABETS: "alphabets", WITH_REPLACEMENT: "alphabets, with replacement"}


def by_line(rows: list[Row], metric: str = "accuracy") -> Lines:
    """Find rows by label, variant and tasks."""
    return {
        (e["label"], e["setting"]["variant"], Tasks(e["setting"]["tasks"], e["setting"]["replacement"])): e
        for e in rows
        if e["metric"] == metric
    }


def table(rows: list[Row]) -> Table:
    """Lay the accuracies out as the paper does, then ours, then the decomposition, five figures a cell."""
    at = by_line(rows)
    body = []
    for method in (*PAPER, *OURS):
        if method in PAPER:
            papers = [PAPER[method][kind.tasks] for kind in KINDS]
            body.append(
                [method, "paper", *PAPER_EFFORT["table3"], *(f"{mean:.1f} ±{error:.1f}" for mean, error in papers)]
            )
        for variant in VARIANTS:
            if (method, variant, CHARACTERS) in at:
                found = [at[method, variant, kind] for kind in KINDS]
                figures = [f"{entry['mean']:.1f} ±{entry['stderr']:.1f}" for entry in found]
                body.append([method, settings_of(method, variant), *_effort(found[0]), *figures])
    for encoder in ("PN", "FS+MN"):
        for variant in VARIANTS:
            for similarity in SIMILARITIES:
                plain, *selected = decomposed(encoder, variant, similarity)
                names = [plain, unselected_on(encoder, similarity), *selected]
                figures = [" | ".join(f"{at[name, variant, kind]['mean']:.1f}" for name in names) for kind in KINDS]
                rounds = " | ".join(map(str, ROUNDS))
                what = f"{encoder} encoder, {similarity}: MN | standardised | FS+MN, R = {rounds}"
                body.append(
                    [
                        what,
                        settings_of(encoder, variant),
                        *_effort(at[names[0], variant, CHARACTERS]),
                        *figures,
                    ]
                )
    return Table(["", "settings", "tasks", "trained on", *COLUMNS.values()], body)


def _effort(entry: Row) -> tuple[str, str]:
    """Say how many tasks a line is of, and from how many it was learned."""
    seeds = entry["train_seeds"]
    return f"{entry['tasks']:,}", f"{entry['train_tasks']:,}" + (f" ×{seeds}" if seeds > 1 else "")


class Mark(NamedTuple):
    """How lines of a kind are drawn."""

    what: str
    variant: str
    kinds: tuple[Tasks, ...]  # that it is drawn for
    offset: float  # below the middle of its line, so that marks do not hide each other
    look: dict[str, Any]


BLUE: dict[str, Any] = {"color": style.BLUE, "markersize": 5.5, "linestyle": "none"}
RED: dict[str, Any] = {"color": style.VERMILION, "markersize": 4.5, "linestyle": "none"}
HOLLOW = {"markerfacecolor": "white"}
MARKS = [
    Mark("ours", "ours", (CHARACTERS, ALPHABETS), -0.2, BLUE | {"marker": "o"}),
    Mark("ours, with replacement", "ours", (WITH_REPLACEMENT,), 0.0, BLUE | {"marker": "o"} | HOLLOW),
    Mark("authors' settings", "authors", (CHARACTERS,), 0.2, RED | {"marker": "s"}),
    Mark("authors' settings, with replacement", "authors", (WITH_REPLACEMENT,), 0.2, RED | {"marker": "s"} | HOLLOW),
]


def draw(result: Result) -> Figure:
    """Draw accuracy by method, a panel for characters and one for alphabets, with the paper's as crosses."""
    at = by_line(result.rows)
    figure, axes = style.figure(1, 2, size=(6.4, 3.6), sharey=True)
    for ax, tasks in zip(axes, ("characters", "alphabets"), strict=True):
        for place, method in enumerate((*PAPER, *OURS)):
            for mark in MARKS:
                for kind in mark.kinds:
                    entry = at.get((method, mark.variant, kind)) if kind.tasks == tasks else None
                    if entry is not None:
                        ax.errorbar(entry["mean"], place + mark.offset, xerr=entry["stderr"] or 0, **mark.look)
            if method in PAPER:
                ax.plot(PAPER[method][tasks][0], place, "x", color="black", markersize=6, zorder=3)
        ax.axhline(4.5, color="0.8", linewidth=0.8, zorder=0)  # below: on the frozen encoder
        ax.grid(axis="x", color="0.92", linewidth=0.6)
        ax.set_axisbelow(True)
        ax.locator_params(axis="x", nbins=6, steps=[1, 2, 5, 10])
        ax.set(title=tasks, xlabel="accuracy (%)")
    axes[1].set_xlabel("accuracy (%)\nauthors' settings: with replacement alone,\nwithout it in the table")
    axes[0].set_yticks(range(len(PAPER) + len(OURS)), [*PAPER, *OURS])
    axes[0].invert_yaxis()
    for mark in MARKS:
        axes[0].plot([], [], label=mark.what, **mark.look)
    axes[0].plot([], [], "x", color="black", markersize=6, label="paper")
    figure.legend(loc="outside lower center", ncols=3, frameon=False, columnspacing=1.2, handletextpad=0.3)
    return figure
