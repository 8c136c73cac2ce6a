"""The picture of `discovery`: a line of maps for each method, a column for each α."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polythetic.experiments.discovery_rows import Place
from polythetic.report import style
from polythetic.results import Result, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = {  # by label, as the picture calls them
    "R": "R (ours)",
    "FS": "Algorithm 1",
    "MultiSURF, signed": "MultiSURF",
    "MultiSURF, absolute": "MultiSURF, absolute",
    "ReliefF, signed": "ReliefF",
    "ReliefF, absolute": "ReliefF, absolute",
    "ReliefF, k = 10, signed": "ReliefF, k = 10",
    "ReliefF, k = 10, absolute": "ReliefF, k = 10, absolute",
    "NCFS": "NCFS",
    "random forest": "random forest",
    "gradient boosting": "gradient boosting",
    "mutual information": "mutual information",
    "exhaustive": "exhaustive search",
}
NUMBERS = 7.5  # points: twenty in a line
MARKS = {"solved": "✓", "at chance": "–", "over a minute": "×", "too many sets": "×"}


def draw(result: Result) -> Figure:
    """Draw the share of active features found on bits without noise: over rows and features, by method and α."""
    at = {
        (entry["label"], Place.of(entry)): entry
        for entry in result.rows
        if entry["metric"] in ("active share", "not run") and Place.of(entry)[:2] == ("binary", 0)
    }
    places = [place for _, place in at]
    alphas, ns, ladder = (sorted({getattr(place, key) for place in places}) for key in ("alpha", "n", "rows"))
    labels = [label for label in SHOWN if any(label == there for there, _ in at)]
    size = (style.NUMBERS_WIDTH, 1.3 + len(labels) * (0.3 + 0.145 * len(ns)))
    figure, axes = style.figure(len(labels), len(alphas), size=size, sharex=True, sharey=True, squeeze=False)
    for line, label in zip(axes, labels, strict=True):
        for ax, alpha in zip(line, alphas, strict=True):
            cells = [[at.get((label, Place("binary", 0, alpha, n, rows))) for rows in ladder] for n in ns]
            image = _map(ax, cells)
            ax.set_xticks(range(len(ladder)), [str(rows) for rows in ladder])
            ax.set_yticks(range(len(ns)), [str(n) for n in ns])
        weight = "bold" if label == "R" else "normal"  # above the line, so that the maps have the whole width
        line[0].set_title(SHOWN[label], loc="left", pad=2, fontsize=style.NUMBERS, fontweight=weight)
    for ax, alpha in zip(axes[0], alphas, strict=True):
        ax.set_title(f"α = {alpha}", loc="right", pad=2, fontsize=style.NUMBERS)
    figure.get_layout_engine().set(w_pad=0.01, h_pad=0.02, wspace=0.01)  # type: ignore[union-attr, call-arg]
    figure.supxlabel(
        "rows of support (across), features n (up)\n"
        "✓ found with fewer rows    – at chance with fewer    × too many sets, or over a minute",
        fontsize=style.NUMBERS,
    )
    figure.colorbar(
        image, ax=axes, label="active features found (%)", location="bottom", shrink=0.6, aspect=40, pad=0.01
    )
    return figure


def _map(ax: Any, cells: list[list[Row | None]]) -> Any:
    """Draw a map with its figures written in; what was not run is grey, or the colour of all found."""
    values = np.array([[_value(entry) for entry in line] for line in cells])
    ax.set_facecolor("0.88")
    image = ax.imshow(values, vmin=0, vmax=100, cmap=style.SEQUENTIAL, origin="lower", aspect="auto")
    for i, line in enumerate(cells):
        for j, entry in enumerate(line):
            if entry is None:
                continue
            words = MARKS[entry["reason"]] if "reason" in entry else f"{entry['mean']:.0f}"
            dark = values[i, j] < 50
            ax.text(j, i, words, ha="center", va="center", color="white" if dark else "black", fontsize=NUMBERS)
    ax.tick_params(length=2, labelsize=7)
    return image


def _value(entry: Row | None) -> float:
    if entry is None or entry.get("reason", "solved") != "solved":
        return float("nan")
    return 100.0 if "reason" in entry else float(entry["mean"])
