"""Figures 2 and 9: what prototypes and attention make of the plane, for Boolean functions of two variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from polythetic.classifiers import Matching, Prototypes
from polythetic.episodes import TWO_VARIABLE_FUNCTIONS, evaluate_function, sign_vectors
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.jobs import Job
from polythetic.pipeline import Classifier, Method
from polythetic.report import style
from polythetic.report.section import Table
from polythetic.results import Result, Row, row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = ("x", "and", "or", "x and not y", "xor")
TEMPERATURES = (2.0, 1.0, 0.5, 0.25, 0.1)
CLASSIFIERS: dict[str, Classifier] = {
    "PN": Prototypes(temperature=1.0),
    "MN": Matching("dot", temperature=1.0),  # the paper's
}


def confidence(classifier: Classifier, function: str, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the probability of class + at each point, from a support of the four corners."""
    corners = sign_vectors(2)
    labels = evaluate_function(function, corners)
    log_p = Method(classifier)(corners.astype(float), labels.astype(int), points.reshape(-1, 2))
    return np.exp(log_p[:, 1]).reshape(points.shape[:-1])


def boundary(x: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Height of the boundary of AND(x, y) under attention, as App. B derives it: −T/2 · ln tanh(x / T).

    >>> float(boundary(np.array([0.5]), 1.0)[0].round(4))
    0.386
    """
    return -temperature / 2 * np.log(np.tanh(x / temperature))


def _plane() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    ticks = np.linspace(-2, 2, 161)
    return ticks, np.stack(np.meshgrid(ticks, ticks), -1)


def _draw_plane(axes: Any, classifier: Classifier, function: str) -> Any:
    ticks, points = _plane()
    p = confidence(classifier, function, points)
    image = axes.imshow(p, extent=(-2, 2, -2, 2), origin="lower", cmap=style.DIVERGING, vmin=0, vmax=1)
    if np.ptp(p) > 1e-6:  # equal prototypes draw no boundary
        axes.contour(ticks, ticks, p, levels=[0.5], colors="black", linewidths=1)
    corners = sign_vectors(2)
    for (x, y), label in zip(corners, evaluate_function(function, corners), strict=True):
        axes.plot(x, y, "o" if label > 0 else "s", color="white", markeredgecolor="black", markersize=5)
    axes.set_xticks([-1, 1])
    axes.set_yticks([-1, 1])
    return image


def jobs_functions(budget: Budget, seed: int) -> Cells:
    """Try every function; nothing is drawn."""
    return {"functions": Job("Figure 2", corners_right, {})}


def corners_right() -> list[Row]:
    """Count the corners each classifier gets right, for the fourteen functions with two classes."""
    corners = sign_vectors(2)
    functions = [name for name, outputs in TWO_VARIABLE_FUNCTIONS.items() if len(set(outputs)) == 2]
    rows = []
    for function in functions:
        truth = evaluate_function(function, corners)
        for name, classifier in CLASSIFIERS.items():
            p = confidence(classifier, function, corners.astype(float))
            # A tie is half right: that is what a coin would make of it.
            right = np.where(np.abs(p - 0.5) < 1e-6, 0.5, (p > 0.5) == (truth > 0))
            rows.append(row(name, {"function": function}, "accuracy", 100 * float(right.mean()), tasks=1))
    return rows


def table_functions(rows: list[Row]) -> Table:
    """List corners right, a column a function."""
    functions = list(dict.fromkeys(entry["setting"]["function"] for entry in rows))
    at = {(entry["method"], entry["setting"]["function"]): f"{entry['mean']:.0f}" for entry in rows}
    names = {"PN": "prototypes", "MN": "attention"}
    return Table(["function", *names.values()], [[f, *(at[method, f] for method in names)] for f in functions])


def text_functions(result: Result) -> list[str]:
    """Say who fails where."""
    failed = {
        method: [
            entry["setting"]["function"] for entry in result.rows if entry["method"] == method and entry["mean"] < 100
        ]
        for method in CLASSIFIERS
    }
    lost = " and ".join(name.upper() for name in failed["PN"])
    return [
        "Confidence (colour) and decision boundary (line) of prototypes, above, and dot-product attention at "
        "temperature 1, below, given the four corners as support (circles: true, squares: false). "
        f"Prototypes get all four corners right but for {lost}, whose two class means are the same point; attention "
        f"fails {len(failed['MN'])} of the fourteen functions that have two classes."
    ]


def draw_functions(result: Result) -> Figure:
    """Draw Figure 2."""
    figure, axes = style.figure(2, len(SHOWN), size=(7.2, 3.3), sharex=True, sharey=True)
    for line, (name, classifier) in zip(axes, CLASSIFIERS.items(), strict=True):
        for ax, function in zip(line, SHOWN, strict=True):
            image = _draw_plane(ax, classifier, function)
            if name == "PN":
                ax.set_title(function.upper().replace("X", "x").replace("Y", "y").replace("xOR", "XOR"))
        line[0].set_ylabel({"PN": "prototypes\ny", "MN": "attention\ny"}[name])
    for ax in axes[-1]:
        ax.set_xlabel("x")
    figure.colorbar(image, ax=axes, label="p(true)", shrink=0.9, ticks=[0, 0.5, 1])
    return figure


def jobs_temperatures(budget: Budget, seed: int) -> Cells:
    """Try every temperature; nothing is drawn."""
    return {"temperatures": Job("Figure 9", boundary_errors, {})}


def boundary_errors() -> list[Row]:
    """Find the boundary of AND by bisection and compare it with the derived one."""
    rows = []
    for temperature in TEMPERATURES:
        x = np.linspace(0.1, 2, 96)
        x = x[(boundary(x, temperature) < 2) & (boundary(x, temperature) > 1e-9)]
        low, high = np.zeros_like(x), np.full_like(x, 2.0)
        for _ in range(50):
            middle = (low + high) / 2
            p = confidence(Matching("dot", temperature), "and", np.stack([x, middle], -1))
            low, high = np.where(p < 0.5, middle, low), np.where(p < 0.5, high, middle)
        error = float(np.abs(low - boundary(x, temperature)).max())
        rows.append(row("MN", {"function": "and", "T": temperature}, "largest boundary error", error, points=len(x)))
    return rows


def text_temperatures(result: Result) -> list[str]:
    """Say how well theory and computation agree."""
    worst = max(entry["mean"] for entry in result.rows)
    return [
        "Attention on AND(x, y) as the temperature T falls: the confidence hardens and the boundary closes in on the "
        "axes. Solid: computed; dashed: derived, y = −T/2 · ln tanh(x/T) (App. B, whose third-last line has its "
        f"fraction upside down; the last is right). They differ by at most {worst:.1g}."
    ]


def draw_temperatures(result: Result) -> Figure:
    """Draw Figure 9."""
    figure, axes = style.figure(1, len(TEMPERATURES), size=(7.2, 2.0), sharey=True)
    x = np.linspace(1e-3, 2, 400)
    for ax, temperature in zip(axes, TEMPERATURES, strict=True):
        image = _draw_plane(ax, Matching("dot", temperature), "and")
        y = boundary(x, temperature)
        ax.plot(x[y < 2], y[y < 2], "--", color=style.SKY, linewidth=2)
        ax.set(title=f"T = {temperature:g}", xlabel="x", xlim=(-2, 2), ylim=(-2, 2))
    axes[0].set_ylabel("y")
    figure.colorbar(image, ax=axes, label="p(true)", shrink=0.9, ticks=[0, 0.5, 1])
    return figure


FIGURE2 = Experiment(
    name="figure2",
    title="Prototypes and attention on functions of two variables",
    where="Figure 2, §3",
    question="Which Boolean functions of two variables can prototypes, and which can attention, tell from their corners?",
    jobs=jobs_functions,
    text=text_functions,
    table=table_functions,
    draw=draw_functions,
)
FIGURE9 = Experiment(
    name="figure9",
    title="Attention on AND as the temperature falls",
    where="Figure 9, App. B",
    question="Is attention's decision boundary the one that the paper derives, at every temperature?",
    jobs=jobs_temperatures,
    text=text_temperatures,
    draw=draw_temperatures,
)
