"""Figures 5 and 11: vectors on the sphere, classed by XOR of the signs of x and y, converge under self-attention."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor

from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.jobs import Job
from polythetic.report import style
from polythetic.report.section import Table
from polythetic.results import Result, Row, row
from polythetic.selection import AttentionScorer, Trajectory
from polythetic.standardisation import Statistics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINTS = 120
TEMPERATURE = 0.5  # τ = 2, as for the paper's Boolean tasks
TICKS = (-1, 0, 1)
ACROSS = 3  # panels
SHORT, LONG = (0, 2, 4), (0, 1, 2, 3, 4, 6)


def trajectory(seed: int, rounds: int) -> tuple[Trajectory, Tensor]:
    """Draw points uniformly on the sphere and let each class attend to itself."""
    normal = np.random.default_rng(seed).standard_normal((POINTS, 3))
    x = torch.from_numpy(normal / np.linalg.norm(normal, axis=1, keepdims=True))
    labels = (x[:, 0] * x[:, 1] < 0).long()
    scorer = AttentionScorer(TEMPERATURE, rounds, "dot", "mad")
    return scorer.trajectory(Statistics.of(x, eps=1e-5).standardise(x), labels), labels


def jobs(budget: Budget, seed: int, *, rounds: Sequence[int], name: str) -> Cells:
    """Follow one set of points."""
    return {"points": Job(name, scores, {"rounds": list(rounds), "seed": seed})}


def scores(rounds: Sequence[int], seed: int) -> list[Row]:
    """Record the scores of x, y and z after each round shown."""
    followed, _ = trajectory(seed, max(rounds))
    return [
        row("FS", {"feature": feature, "R": r}, "score", float(score))
        for r in rounds
        for feature, score in zip("xyz", followed.scores[r], strict=True)
    ]


def table(rows: list[Row]) -> Table:
    """List the scores, a line a number of rounds."""
    rounds = dict.fromkeys(entry["setting"]["R"] for entry in rows)
    body = [[str(r), *(f"{e['mean']:.2f}" for e in rows if e["setting"]["R"] == r)] for r in rounds]
    return Table(["rounds", "x", "y", "z (irrelevant)"], body)


def text(result: Result) -> list[str]:
    """Say what happens to z."""
    z = [entry["mean"] for entry in result.rows if entry["setting"]["feature"] == "z"]
    r = result.rows[-1]["setting"]["R"]
    return [
        f"{POINTS} vectors drawn uniformly on the sphere, standardised; the class (colour) is the XOR of the signs "
        f"of x and y. Self-attention within the classes (τ = 2) gathers the vectors by quadrant of the xy-plane, while "
        f"the spread in z is washed out: its score (mean absolute deviation, above each column) falls from {z[0]:.2f} "
        f"to {z[-1]:.2f} in {r} rounds."
    ]


def draw(result: Result, *, rounds: Sequence[int]) -> Figure:
    """Draw the vectors in space, above, and from the z-axis, below; three numbers of rounds side by side."""
    followed, labels = trajectory(result.seed, max(rounds))
    lines = len(rounds) // ACROSS
    width, height = 2.0 * ACROSS, 4.1  # of a line, in inches
    # Without a layout: before matplotlib 3.11 it gives axes in space no room.
    figure, _ = style.figure(size=(width, height * lines), layout=None)
    figure.clear()
    parts = figure.subfigures(lines, 1, squeeze=False).ravel()
    for part in parts:
        part.subplots_adjust(0.5 / width, 0.45 / height, 1 - 0.2 / width, 1 - 0.4 / height, 0.2, 0.1)
    colours = [style.POSITIVE if label else style.NEGATIVE for label in labels]
    for number, r in enumerate(rounds):
        x, y, z = followed.features[r].numpy().T
        scores = ", ".join(f"{score:.2f}" for score in followed.scores[r])
        line, column = divmod(number, ACROSS)
        space = parts[line].add_subplot(2, ACROSS, column + 1, projection="3d")
        space.scatter(x, y, z, c=colours, s=6, depthshade=False)
        space.set(xlim=(-1.8, 1.8), ylim=(-1.8, 1.8), zlim=(-1.8, 1.8), xticks=TICKS, yticks=TICKS, zticks=TICKS)
        space.set(xlabel="x", ylabel="y", zlabel="z")
        for axis in (space.xaxis, space.yaxis, space.zaxis):  # close to their axes: the panels are small
            axis.set_tick_params(labelsize=7, pad=-4)
            axis.labelpad = -10
        space.set_title(f"{r} round{'s' * (r != 1)}\n[{scores}]", fontsize=8)
        plane = parts[line].add_subplot(2, ACROSS, ACROSS + column + 1)
        plane.axhline(0, color="0.8", linewidth=0.7, zorder=0)
        plane.axvline(0, color="0.8", linewidth=0.7, zorder=0)
        plane.scatter(x, y, c=colours, s=6)
        plane.set(xlim=(-2, 2), ylim=(-2, 2), aspect="equal", xlabel="x", xticks=TICKS, yticks=TICKS)
        if column == 0:
            plane.set_ylabel("y")
        else:
            plane.set_yticklabels([])
    return figure


def _experiment(name: str, where: str, rounds: Sequence[int], question: str) -> Experiment:
    return Experiment(
        name=name,
        title="Vectors converging under self-attention" + (", in more rounds" if rounds is LONG else ""),
        where=where,
        question=question,
        jobs=partial(jobs, rounds=rounds, name=where.split(",")[0]),
        text=text,
        table=table,
        draw=partial(draw, rounds=rounds),
    )


FIGURE5 = _experiment(
    "figure5",
    "Figure 5, §4",
    SHORT,
    "Does self-attention wash an irrelevant feature out of vectors that are not binary?",
)
FIGURE11 = _experiment(
    "figure11",
    "Figure 11, App. E",
    LONG,
    "Round by round, how soon is the irrelevant feature gone, and do the others stay?",
)
