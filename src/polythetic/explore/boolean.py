"""Boolean: a function of a few bits among others that do not matter, and what each part of the method makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from polythetic.explore.boolean_view import BooleanView, Drawn, draw
from polythetic.explore.code import boolean_lines
from polythetic.explore.prediction import foretold
from polythetic.progress import Progress

if TYPE_CHECKING:
    from torch import Tensor

    from polythetic.pipeline import Method
    from polythetic.selection import Trajectory

MOST_EDGES = 300  # of attention in one picture, the strongest
FAINTEST = 0.01  # attention that is drawn
MAP = 33  # points on a side of the decision map
REACH = 2.0  # of the map from the middle; bits are −1 and 1
DIGITS = 4


def boolean(view: BooleanView, progress: Progress) -> Mapping[str, Any]:
    """Say what the page shows."""
    import torch

    from polythetic.selection import GivenScorer, score_trajectory

    drawn = draw(view)
    progress.start("self-attention", 3)
    followed = score_trajectory(
        drawn.support, drawn.labels, temperature=view.temperature, repeats=view.rounds, similarity=view.similarity
    )
    progress.advance()
    method, refined = view.method, None
    with torch.no_grad():
        if method.selection is not None and view.scorer == "R":
            scores = method.selection.scores(drawn.support, drawn.labels, drawn.query)
            method = replace(method, selection=replace(method.selection, scorer=GivenScorer(scores)))  # found once
            refined = _rounded(scores)
        progress.advance()
        right = method.predict(drawn.support, drawn.labels, drawn.query) == drawn.truth
        confidence = _map(method, drawn)
    progress.advance()
    share = float(right.double().mean())
    return {
        "rows": len(drawn.labels),
        "features": drawn.support.shape[1],
        "bits": view.bits,
        "axes": view.axes,
        "labels": drawn.labels.tolist(),
        "variants": (drawn.support[:, : view.bits] > 0).int().tolist(),
        "rounds": _moments(followed, view),
        "refined": refined,
        "map": confidence,
        "reach": REACH,
        "corners": drawn.support[:, :2].int().tolist(),
        "accuracy": {
            "right": int(right.sum()),
            "of": len(right),
            "percent": 100 * share,
            "stderr": 100 * (share * (1 - share) / len(right)) ** 0.5,
        },
        "theory": foretold(view, drawn),
        "code": boolean_lines(view),
    }


def _moments(followed: Trajectory, view: BooleanView) -> list[dict[str, Any]]:
    """What is drawn of each round: where rows are, their colours, how large the rest is, attention, scores."""
    rest = followed.features[..., view.bits :].abs()
    others = rest.mean(-1) if rest.shape[-1] else rest.sum(-1)
    return [
        {
            "vectors": _rounded(features[:, view.axes]),
            "colours": _rounded(features[:, : min(3, view.bits)]),
            "others": _rounded(size),
            "edges": _edges(attention),
            "scores": _rounded(scores),
        }
        for features, size, attention, scores in zip(
            followed.features, others, followed.attention, followed.scores, strict=True
        )
    ]


def _edges(attention: Tensor) -> list[list[float]]:
    """List the strongest attention between two rows, both ways together: first row, second row, weight."""
    import torch

    weight = torch.tril((attention + attention.T) / 2, diagonal=-1).flatten()
    strongest = weight.topk(min(MOST_EDGES, len(weight)))
    n = len(attention)
    return [
        [i // n, i % n, round(w, DIGITS)]
        for i, w in zip(strongest.indices.tolist(), strongest.values.tolist(), strict=True)
        if w >= FAINTEST
    ]


def _map(method: Method, drawn: Drawn) -> list[list[float]] | None:
    """Return p(true) over the first two features, the others 0, from the bottom left, line by line."""
    import torch

    if drawn.support.shape[1] < 2:
        return None
    ticks = torch.linspace(-REACH, REACH, MAP)
    points = torch.zeros(MAP * MAP, drawn.support.shape[1])
    points[:, 0], points[:, 1] = ticks.repeat(MAP), ticks.repeat_interleave(MAP)
    p = method(drawn.support, drawn.labels, points)[:, 1].exp()
    return _rounded(p.reshape(MAP, MAP))


def _rounded(values: Tensor) -> Any:
    return (values.double() * 10**DIGITS).round().div(10**DIGITS).tolist()
