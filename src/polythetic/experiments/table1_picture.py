"""Table 1 as a picture: who solves XOR of which size, on supports of either kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from polythetic.experiments.prototypes import label, trained_for
from polythetic.experiments.settings import DESIGNS
from polythetic.report import style
from polythetic.report.numbers import xor
from polythetic.results import Result, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Mark(NamedTuple):
    """How a line of the table is drawn."""

    label: str
    marker: str
    colour: str
    face: str  # the colour of its inside
    paper: bool = False  # the paper's figures, and not ours


WIDEST = "PN, n²"  # of the embeddings; rows say after how many training tasks
MARKS = {
    "PN, n²": Mark(WIDEST, "s", style.GREEN, style.GREEN),
    "PN, n², paper": Mark(WIDEST, "x", style.GREEN, style.GREEN, paper=True),
    "MN": Mark("MN", "D", style.ORANGE, style.ORANGE),
    "FS+MN": Mark("FS+MN", "o", style.BLUE, style.BLUE),
    "FS+MN, authors'": Mark("FS+MN, authors'", "o", style.BLUE, "white"),
    "FS+MN, paper": Mark("FS+MN", "x", style.BLUE, style.BLUE, paper=True),
    "R+MN": Mark("R+MN", "P", style.SKY, style.SKY),
}
STEP = 0.115  # from a mark to the next


def draw(result: Result) -> Figure:
    """Draw a panel a design of supports: a place for each of the paper's cells, the methods side by side."""
    rows = [entry for entry in result.rows if entry["metric"] == "accuracy"]
    at = {(entry["label"], entry["setting"]["design"], *_cell(entry)): entry for entry in rows}
    labels = {WIDEST: label("n²", trained_for(rows)[0])}  # as many tasks as the paper's figures fit, the fewest
    cells = list(dict.fromkeys(_cell(entry) for entry in rows if entry["paper"] is not None))
    figure, axes = style.figure(len(DESIGNS), 1, size=(style.NUMBERS_WIDTH, 4.6), sharex=True, sharey=True)
    for ax, (design, name) in zip(axes, DESIGNS.items(), strict=True):
        ax.axhline(50, color="0.8", linewidth=0.8, zorder=0)
        for place, (shown, mark) in enumerate(MARKS.items()):
            beside = STEP * (place - (len(MARKS) - 1) / 2)
            found = [_point(at[labels.get(mark.label, mark.label), design, *cell], mark) for cell in cells]
            points = [(x + beside, *point) for x, point in enumerate(found) if point is not None]
            ax.errorbar(
                *(zip(*points, strict=True) if points else ([], [], [])),
                fmt=mark.marker,
                color=mark.colour,
                markerfacecolor=mark.face,
                markersize=4.5,
                linewidth=1,
                label=shown,
            )
        for x in range(1, len(cells)):
            ax.axvline(x - 0.5, color="0.9", linewidth=0.8, zorder=0)
        ax.set(title=f"{name} supports", ylabel="accuracy (%)", xlim=(-0.5, len(cells) - 0.5))
    axes[-1].set_xticks(range(len(cells)), [f"n = {n}\n{xor(alpha)}" for n, alpha in cells])
    figure.legend(*axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=4, frameon=False)
    return figure


def _cell(entry: Row) -> tuple[int, int]:
    return entry["setting"]["n"], entry["setting"]["alpha"]


def _point(entry: Row, mark: Mark) -> tuple[float, float] | None:
    """Return a mean and its standard error; nothing where the paper has none."""
    mean, error = ("paper", "paper_stderr") if mark.paper else ("mean", "stderr")
    return None if entry[mean] is None else (entry[mean], entry[error] or 0)
