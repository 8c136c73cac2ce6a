"""Figure 12: the method step by step on the paper's example, big cats and equids (App. H)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor

from polythetic.experiments.big_cats import ASKED, CLASSES, FEATURES, QUERIES, SCORER, SUPPORT, steps, walk
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.jobs import Job
from polythetic.report import style
from polythetic.results import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SHOWN = (0, 1, SCORER.repeats)  # rounds
HALF = len(SUPPORT) // 2


def jobs(budget: Budget, seed: int) -> Cells:
    """Compute the one example."""
    return {"walk": Job("Figure 12", steps, {})}


def text(result: Result) -> list[str]:
    """Walk through the picture."""
    score = {tuple(e["setting"].values()): e["mean"] for e in result.rows if e["metric"] == "score"}
    p = {(e["method"], e["setting"]["query"]): e["mean"] for e in result.rows if e["metric"] == "probability"}
    last = max(r for _, r, similarity in score if similarity == SCORER.similarity)

    def scores(r: int, similarity: str = SCORER.similarity) -> str:
        return ", ".join(f"{feature} {score[feature, r, similarity]:.2f}" for feature in FEATURES)

    def answers(method: str) -> str:
        return f"{p[method, 'zebra']:.0f} % equid, the leopard {p[method, 'leopard']:.0f} % big cat"

    ends = max(r for _, r, similarity in score if similarity == "dot")
    return [
        "Features are imagined, as the paper's are: general properties of cats and of equids, and patterns, which both may "
        "have. Of the support's cats only the tiger has stripes, of its equids only the Appaloosa has spots; the queries are "
        "a zebra and a leopard. Every number after the first panel is computed by the library.",
        "1: the features. 2: standardised over the support. 3: each class attends to itself, cosine at temperature 1: the "
        f"tiger's stripes dissolve among the cats, the Appaloosa's spots among the horses. 4: the scores, the standard "
        f"deviation of what is left: at first {scores(0)}; after {last} rounds {scores(last)}. 5: the features, "
        "multiplied by the scores. 6: whom each query attends to, without and with the scores. Without them stripes lead to "
        f"the tiger and spots to the Appaloosa, and the zebra is {answers('MN')}; with them the zebra is {answers('FS+MN')}.",
        "It takes a similarity that does not reward length. By dot products, at the library's default temperature, the rows "
        "with the strongest pattern are the longest, others of their class are drawn to them, and the patterns spread "
        f"instead of dissolving: {scores(ends, 'dot')}.",
    ]


def draw(result: Result) -> Figure:
    """Draw the six steps."""
    found = walk()
    figure, axes = style.figure(4, 2, size=(style.NUMBERS_WIDTH, 9.6))
    axes = axes.reshape(2, 4)  # the first four panels, then the others
    start, first, last = (found.followed.features[r] for r in SHOWN)
    _table(axes[0, 0], "1 features", torch.cat([found.support, found.query]), low=0, high=1)
    _table(axes[0, 1], "2 standardised", torch.cat([start, found.seen["MN"][1]]))
    _table(axes[0, 2], "3 after one round", first)
    _table(axes[0, 3], f"3 after {SHOWN[-1]} rounds", last)
    _bars(axes[1, 0], found.followed.scores)
    _table(axes[1, 1], "5 rescaled", torch.cat(found.seen["FS+MN"]))
    for ax, name, title in zip(axes[1, 2:], found.attention, ("6 without scores", "6 with scores"), strict=True):
        answers = zip(QUERIES, ASKED, 100 * found.right[name], strict=True)
        said = tuple(f"{animal}:\n{CLASSES[own]}\n{p:.0f} %" for animal, own, p in answers)
        _table(ax, title, 100 * found.attention[name].mT, low=0, high=100, columns=said, digits=0)
        ax.tick_params("x", rotation=0)
        ax.set_ylabel("attention paid to (%)", labelpad=0)
    return figure


def _table(
    ax: Any,
    title: str,
    values: Tensor,
    *,
    low: float = -2.5,
    high: float = 2.5,
    columns: tuple[str, ...] = FEATURES,
    digits: int = 1,
) -> None:
    """Write numbers on their colours: a line an animal, the support's classes and the queries apart."""
    signed = low < 0
    ax.imshow(values.numpy(), vmin=low, vmax=high, cmap=style.DIVERGING if signed else style.SEQUENTIAL, aspect="auto")
    for i, line in enumerate(values.tolist()):
        for j, value in enumerate(line):
            place = np.clip((value - low) / (high - low), 0, 1)
            dark = abs(place - 0.5) > 0.35 if signed else place < 0.5
            written = f"{value:.{digits}f}".replace("-0.0", "0.0").replace("-", "−")
            ax.text(j, i, written, ha="center", va="center", fontsize=style.NUMBERS, color="white" if dark else "black")
    for border in range(HALF, len(values), HALF):
        ax.axhline(border - 0.5, color="white", linewidth=3)
    ax.set_xticks(range(len(columns)), columns, rotation=40)
    ax.set_yticks(range(len(values)), [*SUPPORT, *(f"{animal}?" for animal in QUERIES)][: len(values)])
    ax.set_title(title)


def _bars(ax: Any, scores: Tensor) -> None:
    """Draw the scores after the rounds shown."""
    for k, (r, colour) in enumerate(zip(SHOWN, (style.SKY, style.ORANGE, style.BLUE), strict=True)):
        places = [j + 0.27 * (k - 1) for j in range(len(FEATURES))]
        ax.bar(places, scores[r].numpy(), width=0.27, color=colour, label=f"round {r}")
    ax.set_xticks(range(len(FEATURES)), FEATURES, rotation=40)
    ax.set(title="4 scores", ylabel="standard deviation", ylim=(0, 1.25))
    ax.legend(frameon=False, fontsize=7, loc="upper center")


EXPERIMENT = Experiment(
    name="figure12",
    title="The method step by step: big cats and equids",
    where="Figure 12, App. H",
    question="How does the selection keep a zebra's stripes from making it a tiger?",
    jobs=jobs,
    text=text,
    draw=draw,
)
