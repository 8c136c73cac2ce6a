"""Tables 4 and 5 as pictures: what every method gains over attention, and on how many tasks selection wins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from polythetic.experiments.hierarchy_words import column
from polythetic.report import style
from polythetic.results import Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Column: TypeAlias = tuple[int, int]  # C, G
At: TypeAlias = Mapping[str, Mapping[Column, Row]]  # rows by label and column

BASE = {"FS+MN, authors'": "MN, authors'"}  # what a method is held against, if not MN
GAINING = {  # how each is drawn
    "PN": (style.GREEN, "s", style.GREEN),
    "FS+MN": (style.BLUE, "o", style.BLUE),
    "FS+MN, authors'": (style.BLUE, "o", "white"),
    "MN, standardised": (style.ORANGE, "D", style.ORANGE),
    "SimpleShot": ("0.3", "^", "0.3"),
    "logistic regression": ("0.3", "v", "0.3"),
    "R+MN": (style.SKY, "P", style.SKY),
}
GAP = 0.5  # between the columns of the table, in bars
OUTCOMES = {"wins": style.BLUE, "ties": "0.85", "losses": style.ORANGE}


def gains(at: At, printed: Mapping[str, Mapping[Column, tuple[float, float]]]) -> Figure:
    """Draw a panel a column of the table: points above attention, with the paper's differences as crosses."""
    cells = list(at["MN"])
    figure, axes = style.figure(1, len(cells), size=(style.NUMBERS_WIDTH, 2.9), sharex=True, sharey=True)
    for ax, cell in zip(axes, cells, strict=True):
        ax.axvline(0, color="0.8", linewidth=0.8, zorder=0)
        for y, (label, (colour, marker, face)) in enumerate(GAINING.items()):
            entry, base = at[label][cell], at[BASE.get(label, "MN")][cell]
            ax.plot(entry["mean"] - base["mean"], y, marker, color=colour, markerfacecolor=face, markersize=5)
            if label in printed:
                ax.plot(printed[label][cell][0] - printed["MN"][cell][0], y, "x", color="black")
        ax.set_title(column(*cell))
        ax.margins(x=0.12)
    axes[0].set_yticks(range(len(GAINING)), list(GAINING))
    axes[0].invert_yaxis()
    figure.supxlabel("points above MN; authors': above theirs (×: the paper's)", fontsize=style.RC["axes.labelsize"])
    return figure


def duels(rows: list[Row], opponents: Mapping[str, Mapping[Column, tuple[int, int, int]]]) -> Figure:
    """Draw a panel an opponent: of the tasks of each column, those won, tied and lost by the paper's FS+MN and ours."""
    cells = list(dict.fromkeys((entry["setting"]["C"], entry["setting"]["G"]) for entry in rows))
    figure, axes = style.figure(1, len(opponents), size=(style.NUMBERS_WIDTH, 3.6), sharey=True)
    for ax, (other, printed) in zip(axes, opponents.items(), strict=True):
        names: dict[float, str] = {}  # by height
        for number, cell in enumerate(cells):
            won, lost, tied = printed[cell]
            shown: dict[str, Mapping[str, Any]] = {
                f"{column(*cell)}, paper": {"wins": won, "ties": tied, "losses": lost}
            }
            for entry in rows:
                here = (entry["setting"]["C"], entry["setting"]["G"]) == cell
                if here and entry["metric"] == "wins" and entry["setting"]["against"] == other:
                    shown["ours" if entry["setting"]["variant"] == "ours" else "authors' settings"] = entry
            for name, counts in shown.items():
                y = len(names) + GAP * number
                _bar(ax, y, counts)
                names[y] = name
        ax.set(title=f"FS+MN against {other}", xlabel="tasks (%)", xlim=(0, 100))
        ax.set_yticks(list(names), list(names.values()))
    axes[0].invert_yaxis()
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=3, frameon=False)
    return figure


def _bar(ax: Any, y: float, counts: Mapping[str, Any]) -> None:
    """Stack the outcomes, in per cent."""
    left, total = 0.0, sum(counts[outcome] for outcome in OUTCOMES)
    for outcome, colour in OUTCOMES.items():
        width = 100 * counts[outcome] / total
        ax.barh(y, width, 0.8, left, color=colour, label=outcome if y == 0 else None)
        left += width
