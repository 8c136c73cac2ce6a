"""The paper's illustration of the method, big cats and equids (App. H), computed."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from polythetic.attention import auto_temperature, log_attention
from polythetic.classifiers import Matching
from polythetic.pipeline import Method, Selection
from polythetic.results import Row, row
from polythetic.selection import AttentionScorer, Trajectory, UniformScorer, score_trajectory

FEATURES = ("cat", "stripes", "spots", "equid")
CLASSES = ("big cats", "equids")
# Imagined, as the paper's are: how much of each feature an animal shows, from 0 to 1.
SUPPORT = {
    "lion": (0.9, 0.1, 0.0, 0.1),
    "puma": (0.8, 0.0, 0.1, 0.2),
    "panther": (0.9, 0.0, 0.0, 0.1),
    "tiger": (1.0, 0.9, 0.0, 0.0),
    "horse": (0.1, 0.0, 0.1, 0.9),
    "donkey": (0.2, 0.1, 0.0, 0.8),
    "mule": (0.1, 0.0, 0.0, 0.9),
    "Appaloosa": (0.1, 0.0, 0.9, 1.0),  # a spotted horse
}
LABELS = (0, 0, 0, 0, 1, 1, 1, 1)
QUERIES = {"zebra": (0.2, 1.0, 0.0, 0.7), "leopard": (0.7, 0.0, 1.0, 0.2)}
ASKED = (1, 0)  # their classes

# The authors' scores on pictures; features are multiplied by them, as the appendix has it.
SCORER = AttentionScorer(temperature=1.0, repeats=5, similarity="cosine", dispersion="std")
EPS = 0.1
MATCHING = Matching()
SELECTIONS = {  # MN's scores all features alike: it differs by the selection alone
    "MN": Selection(UniformScorer(), rescale="raw", eps=EPS),
    "FS+MN": Selection(SCORER, rescale="raw", eps=EPS),
}


class Walk(NamedTuple):
    """The example, computed."""

    support: Tensor  # [8, 4]
    query: Tensor  # [2, 4]
    followed: Trajectory  # the support from round to round
    seen: dict[str, tuple[Tensor, Tensor]]  # by method: support and queries as its classifier has them
    attention: dict[str, Tensor]  # by method: what each query pays to each animal, [2, 8]
    right: dict[str, Tensor]  # by method: the probability of each query's own class


def walk() -> Walk:
    """Follow the example from the features to the answers.

    >>> [round(float(p), 2) for p in walk().right["FS+MN"]]
    [1.0, 1.0]
    """
    support, query = (torch.tensor(list(animals.values())) for animals in (SUPPORT, QUERIES))
    labels = torch.tensor(LABELS)
    followed = _followed(support, labels, SCORER, EPS)
    seen = {name: selection(support, labels, query) for name, selection in SELECTIONS.items()}
    attention = {
        name: log_attention(
            q,
            s,
            similarity=MATCHING.similarity,
            temperature=auto_temperature(s, similarity=MATCHING.similarity, sharpness=MATCHING.sharpness),
        ).exp()
        for name, (s, q) in seen.items()
    }
    own = torch.tensor(ASKED)[:, None]
    right = {
        name: Method(MATCHING, selection)(support, labels, query).exp().gather(1, own)[:, 0]
        for name, selection in SELECTIONS.items()
    }
    return Walk(support, query, followed, seen, attention, right)


def _followed(support: Tensor, labels: Tensor, scorer: AttentionScorer, eps: float) -> Trajectory:
    return score_trajectory(
        support,
        labels,
        temperature=scorer.temperature,
        repeats=scorer.repeats,
        similarity=scorer.similarity,
        dispersion=scorer.dispersion,
        eps=eps,
    )


def steps() -> list[Row]:
    """Record the scores after every round and the answers; and the scores by dot products, the library's default."""
    found = walk()
    by_dot = score_trajectory(found.support, torch.tensor(LABELS))
    scored = [
        row("FS", {"feature": feature, "round": r, "similarity": similarity}, "score", float(score), tasks=1)
        for similarity, followed in ((SCORER.similarity, found.followed), ("dot", by_dot))
        for r, scores in enumerate(followed.scores)
        for feature, score in zip(FEATURES, scores, strict=True)
    ]
    return scored + [
        row(name, {"query": animal, "class": CLASSES[own]}, "probability", 100 * float(p), tasks=1)
        for name, right in found.right.items()
        for animal, own, p in zip(QUERIES, ASKED, right, strict=True)
    ]
