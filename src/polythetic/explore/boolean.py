"""Boolean: a function of a few bits among others that do not matter, and what each part of the method makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from polythetic.explore.boolean_code import boolean_lines
from polythetic.explore.boolean_view import ANSWER, ATTENTION, TASK, BooleanView, draw
from polythetic.explore.prediction import foretold
from polythetic.explore.remembered import depends_on
from polythetic.progress import Progress
from polythetic.threads import one_thread

if TYPE_CHECKING:
    from torch import Tensor

    from polythetic.pipeline import Method

MOST_EDGES = 1200  # of attention in one round, the strongest: as many as 100 rows in four rings have within them
FAINTEST = 0.01  # attention that is drawn
MAP = 25  # points on a side of the decision map
REACH = 2.0  # of the map from the middle; bits are −1 and 1
DIGITS = 4
SEEN = 2  # digits of what is shown as a shade or a thickness


def boolean(view: BooleanView, progress: Progress) -> Mapping[str, Any]:
    """Say what the page shows."""
    with one_thread():
        drawn = draw(view)
        progress.start("self-attention", 1)
        moments = _moments(view)
        refined = None
        if view.scorer == "R":
            progress.start("refining scores", 1)
            refined = _rounded(_refined(view))
        progress.start("answering", 1)
        answers = _answers_with_attention(view) if view.scorer == "FS" else _answers(view)
        progress.start("theory", 1)
        theory = _theory(view)
    return {
        "rows": len(drawn.labels),
        "features": drawn.support.shape[1],
        "bits": view.bits,
        "axes": view.axes,
        "labels": drawn.labels.tolist(),
        "variants": (drawn.support[:, : view.bits] > 0).int().tolist(),
        "rounds": moments,
        "auto_temperature": _rounded(_auto_temperature(view)),
        "refined": refined,
        "reach": REACH,
        "corners": drawn.support[:, :2].int().tolist(),
        **answers,
        "theory": theory,
        "code": boolean_lines(view, theory),
    }


@depends_on(*TASK, *ATTENTION)
def _moments(view: BooleanView) -> list[dict[str, Any]]:
    """What is drawn of each round: where rows are, their colours, how large the rest is, attention, scores."""
    from polythetic.selection import score_trajectory

    drawn = draw(view)
    followed = score_trajectory(
        drawn.support, drawn.labels, temperature=view.temperature, repeats=view.rounds, similarity=view.similarity
    )
    rest = followed.features[..., view.bits :].abs()
    parts = {
        "vectors": _rounded(followed.features[..., view.axes]),
        "colours": _rounded(followed.features[..., : min(3, view.bits)], SEEN),
        "others": _rounded(rest.mean(-1) if rest.shape[-1] else rest.sum(-1), SEEN),
        "edges": _edges(followed.attention),
        "to_itself": _rounded(followed.attention.diagonal(dim1=-2, dim2=-1).mean(-1), SEEN + 1),
        "scores": _rounded(followed.scores),
    }
    return [dict(zip(parts, moment, strict=True)) for moment in zip(*parts.values(), strict=True)]


@depends_on(*TASK, "similarity")
def _auto_temperature(view: BooleanView) -> Tensor:
    """What "auto" stands for in self-attention."""
    from polythetic.attention import auto_temperature
    from polythetic.pipeline import Selection
    from polythetic.selection import SHARPNESS
    from polythetic.standardisation import Statistics

    support = draw(view).support
    standardised = Statistics.of(support, eps=Selection().eps).standardise(support)
    return auto_temperature(standardised, similarity=view.similarity, sharpness=SHARPNESS).squeeze()


def _edges(attention: Tensor) -> list[list[list[float]]]:
    """List the strongest attention between two rows, both ways together, of each round: rows, other rows, weights."""
    import torch

    n = attention.shape[-1]
    weight = torch.tril((attention + attention.mT) / 2, diagonal=-1).flatten(1)
    strongest = weight.topk(min(MOST_EDGES, n * (n - 1) // 2))
    drawn = (strongest.values >= FAINTEST).sum(1).tolist()  # they are in order
    places, weights = strongest.indices, _rounded(strongest.values, SEEN + 1)
    parts = zip(drawn, (places // n).tolist(), (places % n).tolist(), weights, strict=True)
    return [[row[:kept], other[:kept], w[:kept]] for kept, row, other, w in parts]


@depends_on(*TASK)
def _refined(view: BooleanView) -> Tensor:
    """The scores R gives: they take the longest, and no slider changes them."""
    return _scores(replace(view, scorer="R"))


def _scores(view: BooleanView) -> Tensor:
    from polythetic.pipeline import Selection

    drawn, selection = draw(view), view.method.selection
    assert isinstance(selection, Selection)
    return selection.scores(drawn.support, drawn.labels, drawn.query)


def _answered(view: BooleanView) -> dict[str, Any]:
    """How many queries are answered rightly, the decision map, and what "auto" stands for in the classifier."""
    import torch

    from polythetic.attention import auto_temperature
    from polythetic.classifiers.options import SHARPNESS
    from polythetic.pipeline import Selection
    from polythetic.selection import GivenScorer

    drawn, method = draw(view), view.method
    if isinstance(method.selection, Selection):  # scores are found once, for the queries and the map
        scores = _refined(view) if view.scorer == "R" else _scores(view)
        method = replace(method, selection=replace(method.selection, scorer=GivenScorer(scores)))
    with torch.no_grad():
        best = method(drawn.support, drawn.labels, drawn.query).argmax(1)  # 0: false, 1: true
    confidence = decision_map(method, drawn.support, drawn.labels)
    chosen = drawn.support
    if method.selection is not None:
        chosen, _ = method.selection(drawn.support, drawn.labels, drawn.query)
    T = auto_temperature(chosen, similarity=view.classifier_similarity, sharpness=SHARPNESS)
    right = best == (drawn.truth > 0)
    share = float(right.double().mean())
    return {
        "auto_classifier_temperature": _rounded(T.squeeze()),
        "map": None if confidence is None else _rounded(confidence, SEEN + 1),
        "accuracy": {
            "right": int(right.sum()),
            "of": len(right),
            "percent": 100 * share,
            "stderr": 100 * (share * (1 - share) / len(right)) ** 0.5,
        },
    }


_answers = depends_on(*TASK, *ANSWER)(_answered)
_answers_with_attention = depends_on(*TASK, *ATTENTION, *ANSWER)(_answered)


@depends_on(*TASK, *ANSWER)
def _theory(view: BooleanView) -> dict[str, Any]:
    return foretold(view, draw(view))


def decision_map(method: Method, support: Tensor, labels: Tensor) -> Tensor | None:
    """Return p(true) over the first two features, the others 0, from the bottom left, line by line; None for one."""
    import torch

    if support.shape[1] < 2:
        return None
    ticks = torch.linspace(-REACH, REACH, MAP)
    points = torch.zeros(MAP * MAP, support.shape[1])
    points[:, 0], points[:, 1] = ticks.repeat(MAP), ticks.repeat_interleave(MAP)
    with torch.no_grad():
        p: Tensor = method(support, labels, points)[:, 1].exp()
    return p.reshape(MAP, MAP)


def _rounded(values: Tensor, digits: int = DIGITS) -> Any:
    return (values.double() * 10**digits).round().div(10**digits).tolist()
