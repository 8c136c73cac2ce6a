"""Figure 4: attention within a class of XOR₃, round by round; variants part company, noise evens out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from polythetic.episodes import BooleanTasks
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.experiments.settings import AUTHORS, selecting
from polythetic.jobs import Job
from polythetic.report import style
from polythetic.report.section import Table
from polythetic.results import Result, Row, row
from polythetic.selection import AttentionScorer, Trajectory
from polythetic.standardisation import Statistics

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROUNDS = (0, 5, 10, 25)
PAINTS = {"orange": style.ORANGE, "green": style.GREEN, "blue": style.BLUE}  # one for each active bit
SUITE = BooleanTasks(n=6, alpha=3, repetitions=8)


def trajectory(seed: int) -> tuple[Trajectory, Tensor, Tensor]:
    """Follow one task with the paper's temperature; returns also its active bits and the rows of class +."""
    episode = SUITE.batch(seed, 0, 1)
    support, labels, active = episode.support[0], episode.support_labels[0], episode.attributes["active"][0]
    paper = selecting(AUTHORS).scorer
    assert isinstance(paper, AttentionScorer)
    scorer = AttentionScorer(paper.temperature, max(ROUNDS), paper.similarity, "mad")
    followed = scorer.trajectory(Statistics.of(support, eps=1e-5).standardise(support), labels)
    rest = torch.tensor([bit for bit in range(SUITE.n) if bit not in active.tolist()])
    return followed, torch.cat([active.sort().values, rest]), (labels > 0).nonzero().squeeze(1)


def jobs(budget: Budget, seed: int) -> Cells:
    """Follow one task."""
    return {"task": Job("Figure 4", scores, {"seed": seed})}


def scores(seed: int) -> list[Row]:
    """Record the scores of active and irrelevant bits after each round shown."""
    followed, bits, _ = trajectory(seed)
    return [
        row("FS", {"n": 6, "alpha": 3, "R": rounds, "bit": int(bit), "active": place < 3}, "score", float(score))
        for rounds in ROUNDS
        for place, (bit, score) in enumerate(zip(bits, followed.scores[rounds][bits], strict=True))
    ]


def text(result: Result) -> list[str]:
    """Say how scores part."""
    last = {
        kind: np.mean(
            [e["mean"] for e in result.rows if e["setting"]["R"] == ROUNDS[-1] and e["setting"]["active"] == kind]
        )
        for kind in (True, False)
    }
    return [
        "One class of an XOR₃ task with three irrelevant bits, under self-attention (τ = 2). A disc is a row: its left "
        f"half shows the three active features, by colour: each that is on adds its own, {', '.join(PAINTS)}, and all three together "
        "are nearly white; its right half how large the irrelevant ones still are (dark: large); lines show attention; "
        "rows of a variant stand together. The four "
        "variants of the class separate into cliques, within which the irrelevant features slowly even out: "
        f"after {ROUNDS[-1]} rounds active features score {last[True]:.2f} on average and "
        f"irrelevant ones {last[False]:.2f} (mean absolute deviation, bars)."
    ]


def table(rows: list[Row]) -> Table:
    """List the scores, a line a number of rounds."""
    bits = [entry["setting"] for entry in rows if entry["setting"]["R"] == 0]
    header = ["rounds", *(f"bit {bit['bit']}{' (active)' if bit['active'] else ''}" for bit in bits)]
    body = [[str(r), *(f"{e['mean']:.2f}" for e in rows if e["setting"]["R"] == r)] for r in ROUNDS]
    return Table(header, body)


def draw(result: Result) -> Figure:
    """Draw the graph of class + at four moments, with the scores beneath."""
    followed, bits, members = trajectory(result.seed)
    variant = followed.features[0][members][:, bits[:3]] > 0
    order = members[(variant * torch.tensor([4, 2, 1])).sum(1).argsort(stable=True)]
    figure, axes = style.figure(2, len(ROUNDS), size=(7.2, 3.3), height_ratios=[3, 1])
    for graph, bars, rounds in zip(axes[0], axes[1], ROUNDS, strict=True):
        x = followed.features[rounds][order][:, bits].numpy()
        _draw_graph(graph, x, followed.attention[rounds][order][:, order].numpy())
        graph.set_title(f"{rounds} rounds")
        colours = [style.BLUE] * 3 + ["0.6"] * 3
        bars.bar(range(6), followed.scores[rounds][bits].numpy(), color=colours)
        bars.set(ylim=(0, 1.1), xticks=[1, 4], xticklabels=["active", "irrelevant"])
    axes[1, 0].set_ylabel("score")
    for bars in axes[1, 1:]:
        bars.set_yticklabels([])
    return figure


def _draw_graph(axes: Any, x: NDArray[np.float32], attention: NDArray[np.float32]) -> None:
    from matplotlib.colors import to_rgb
    from matplotlib.patches import Wedge

    paints = np.array([to_rgb(paint) for paint in PAINTS.values()])
    n = len(x)
    each = n // 4  # rows of a variant stand in a ring of their own
    ring, corner = 2 * np.pi * np.arange(n) / each, np.pi * (2 * (np.arange(n) // each) + 1) / 4
    place = np.column_stack([np.cos(corner) + 0.42 * np.cos(ring), np.sin(corner) + 0.42 * np.sin(ring)])
    for i in range(n):
        for j in range(i):
            weight = float(attention[i, j] + attention[j, i]) / 2
            axes.plot(*place[[i, j]].T, color="0.2", linewidth=8 * weight, alpha=min(1.0, 6 * weight), zorder=1)
    for (cx, cy), features in zip(place, x, strict=True):
        colour = np.clip(np.clip((features[:3] + 1) / 2, 0, 1) @ paints, 0, 1)
        grey = 1 - min(1.0, float(np.abs(features[3:]).mean()))
        axes.add_patch(Wedge((cx, cy), 0.115, 90, 270, facecolor=colour, edgecolor="black", linewidth=0.5, zorder=2))
        axes.add_patch(
            Wedge((cx, cy), 0.115, -90, 90, facecolor=(grey,) * 3, edgecolor="black", linewidth=0.5, zorder=2)
        )
    axes.set(xlim=(-1.3, 1.3), ylim=(-1.3, 1.3), aspect="equal")
    axes.axis("off")


EXPERIMENT = Experiment(
    name="figure4",
    title="Self-attention within a class of XOR₃",
    where="Figure 4, §4",
    question="How does self-attention within a class come to know which bits are active?",
    jobs=jobs,
    text=text,
    table=table,
    draw=draw,
)
