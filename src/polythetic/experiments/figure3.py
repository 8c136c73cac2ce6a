"""Figure 3: XOR has no threshold in the plane, and one once it is a coordinate of its own; what that costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from polythetic.episodes import TWO_VARIABLE_FUNCTIONS, evaluate_function, sign_vectors
from polythetic.experiments import sequence_length
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment, Found
from polythetic.jobs import Job
from polythetic.report import style
from polythetic.results import Result, Row, row
from polythetic.theory import is_threshold

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CORNERS = sign_vectors(2)
LIFTED = np.column_stack([CORNERS, evaluate_function("xor", CORNERS)])
EMBEDDINGS = {"(x, y)": CORNERS, "(x, y, XOR(x, y))": LIFTED}


def jobs(budget: Budget, seed: int) -> Cells:
    """Count the functions with a threshold, left; train and measure, right."""
    return {"left": Job("Figure 3, thresholds", thresholds, {}), **sequence_length.jobs(budget, seed)}


def rows(found: Found) -> list[Row]:
    """List the counts, then the accuracies."""
    return [*found["left"], *sequence_length.rows(found)]


def thresholds() -> list[Row]:
    """Count, by linear programming, the two-variable functions with a threshold in each embedding."""
    made = []
    for name, features in EMBEDDINGS.items():
        outputs = [np.array(function) for function in TWO_VARIABLE_FUNCTIONS.values()]
        count = sum(is_threshold(labels, features.astype(float)) for labels in outputs)
        made.append(row("threshold", {"embedding": name}, "functions of 16", count))
    return made


def text(result: Result) -> list[str]:
    """Say the counts."""
    counts = [entry["mean"] for entry in result.rows if entry["method"] == "threshold"]
    return [
        f"(a) Of the 16 functions of two variables {counts[0]:.0f} have a threshold in (x, y); XOR and its negation do "
        f"not. (b) With the pseudo-variable XOR(x, y) as a third coordinate the corners are those of a tetrahedron, "
        f"and all {counts[1]:.0f} have one. Hatched corners cannot occur.",
        sequence_length.text(result.rows),
    ]


def draw(result: Result) -> Figure:
    """Draw the square, the tetrahedron in its cube, and accuracy over length."""
    figure, _ = style.figure(1, 1, size=(7.6, 4.6))
    figure.clear()
    grid = figure.add_gridspec(2, 2, width_ratios=[1, 1.9])
    _draw_square(figure.add_subplot(grid[0, 0]))
    _draw_cube(figure.add_subplot(grid[1, 0], projection="3d", computed_zorder=False))
    sequence_length.draw(figure.add_subplot(grid[:, 1]), result.rows)
    return figure


def _draw_square(square: Any) -> None:
    for (x, y), label in zip(CORNERS, LIFTED[:, 2], strict=True):
        square.plot(x, y, "o", markersize=16, color=style.POSITIVE if label > 0 else style.NEGATIVE)
        square.annotate("+" if label > 0 else "−", (x, y), ha="center", va="center", color="white", weight="bold")
    square.set(xlim=(-1.7, 1.7), ylim=(-1.7, 1.7), xticks=[-1, 1], yticks=[-1, 1], xlabel="x", ylabel="y")
    square.set_title("(a) in (x, y): no line separates")
    square.set_aspect("equal")


def _draw_cube(cube: Any) -> None:
    for a in range(4):
        for b in range(a):
            cube.plot(*zip(LIFTED[a], LIFTED[b], strict=True), color="0.6", linewidth=1, zorder=1)
    plane = np.array([[-1.3, -1.3], [1.3, 1.3]])
    cube.plot_surface(plane, plane.T, np.zeros((2, 2)), color=style.GREEN, alpha=0.25, zorder=2)
    for x, y, z in sign_vectors(3):
        if [x, y, z] in LIFTED.tolist():
            cube.scatter(x, y, z, s=130, color=style.POSITIVE if z > 0 else style.NEGATIVE, depthshade=False, zorder=3)
        else:
            cube.scatter(x, y, z, s=110, facecolors="white", edgecolors="0.5", hatch="/////", zorder=3)
    cube.set(xticks=[-1, 1], yticks=[-1, 1], zticks=[-1, 1], xlabel="x", ylabel="y", zlabel="XOR(x, y)")
    cube.set_title("(b) in (x, y, XOR(x, y)): a plane does")
    cube.view_init(elev=18, azim=-62)
    cube.set_box_aspect(None, zoom=0.8)  # room for the label of the third axis


EXPERIMENT = Experiment(
    name="figure3",
    title="A pseudo-variable makes XOR a threshold function; strings need more and more of them",
    where="Figure 3, §3",
    question="How many dimensions must an embedding have before a threshold can tell XOR, and what does that cost "
    "prototypes as the string grows?",
    jobs=jobs,
    rows=rows,
    text=text,
    draw=draw,
    errors="Bands are the standard deviation over trainings.",
)
