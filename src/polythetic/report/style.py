"""How pictures look: legible at column width, and told apart by the colour-blind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's palette: https://jfly.uni-koeln.de/color/
ORANGE, SKY, GREEN, BLUE, VERMILION = "#E69F00", "#56B4E9", "#009E73", "#0072B2", "#D55E00"
NEGATIVE, POSITIVE = ORANGE, BLUE  # the two classes
DIVERGING = "PuOr"  # orange for class −, purple for class +; safe for the colour-blind
SEQUENTIAL = "viridis"

# Pictures with numbers written in: at a column's width, 3.25 inches, these letters are still of 5 points.
NUMBERS_WIDTH, NUMBERS = 5.2, 8.0  # inches; points

RC: dict[Any, Any] = {
    "axes.labelsize": 9,
    "axes.titlesize": 9,
    "font.size": 9,
    "legend.fontsize": 8,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "pdf.fonttype": 42,  # letters stay letters
    "figure.dpi": 100,
    "savefig.dpi": 160,
}


def figure(
    rows: int = 1,
    columns: int = 1,
    *,
    size: tuple[float, float],
    layout: Literal["constrained"] | None = "constrained",
    **options: Any,
) -> tuple[Figure, Any]:
    """Make a figure, which no window will show, and its axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    made = Figure(figsize=size, layout=layout)
    FigureCanvasAgg(made)
    return made, made.subplots(rows, columns, **options)


def heat_map(axes: Any, values: Any, x: Sequence[object], y: Sequence[object], *, low: float, high: float) -> Any:
    """Draw a map with its figures written in, dark on light and light on dark."""
    image = axes.imshow(values, vmin=low, vmax=high, cmap=SEQUENTIAL, origin="lower", aspect="auto")
    for i, line in enumerate(values):
        for j, value in enumerate(line):
            colour = "white" if value < (low + high) / 2 else "black"
            axes.text(j, i, f"{value:.0f}", ha="center", va="center", color=colour, fontsize=NUMBERS)
    axes.set_xticks(range(len(x)), [str(v) for v in x])
    axes.set_yticks(range(len(y)), [str(v) for v in y])
    return image
