"""Voters: several ways in which labelled rows answer for a new one, each trusted as far as it foresees the rows.

A *view* says how far features count: as the scorer found (R, or Algorithm 1), all alike, or in their own units. On each
view three *forms* of vote are tried: attention, kernel ridge regression, linear ridge regression. All are one formula:
what a row has in common with the query times what the row has to say, G(q, x) B. Who votes, and how much it counts, is
in ``settling``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# Chosen on tables other than those reported (`python -m benchmarks.voters`).
DOUBT = 0.02  # of every answer: the share that is spread over all classes
AT_ONCE = 2**21  # numbers in a matrix of affinities

FORMS = ("attention", "kernel", "linear")


@dataclass(frozen=True)
class Voter:
    """A view, a form, and what was settled by leaving one row out."""

    form: str
    scales: Array  # [F] of the view
    width: float
    coefficients: Array  # [n, K] what each row has to say of each class; its average over classes is 0
    steepness: float
    weight: float = 1.0


def affinity(form: str, query: Array, rows: Array, width: float) -> Array:
    """What each query has in common with each row: shares of attention, or a kernel with a constant added for the bias.

    >>> affinity("attention", np.zeros((1, 1)), np.array([[0.0], [9.0]]), width=1.0).round(3)
    array([[1., 0.]])
    """
    if form == "linear":
        return query @ rows.T + 1
    return _from_distances(form, squared_distances(query, rows), width)


def _from_distances(form: str, distances: Array, width: float) -> Array:
    if form == "kernel":
        return np.exp(-width * distances) + 1
    return softmax(-width * distances)


def probabilities(form: str, votes: Array, steepness: float) -> Array:
    """Turn votes [q, K] into probabilities, with some doubt left."""
    K = votes.shape[-1]
    sure = votes + 1 / K if form == "attention" else softmax(steepness * votes)
    return (1 - DOUBT) * sure + DOUBT / K


def squared_distances(a: Array, b: Array) -> Array:
    """Return [rows of a, rows of b], none below zero."""
    squares = (a * a).sum(1)[:, None] + (b * b).sum(1)[None]
    return np.maximum(squares - 2 * (a @ b.T), 0)


def softmax(x: Array) -> Array:
    """Normalise the exponentials of each row."""
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def affinities(voters: list[Voter], z: Array, query: Array) -> Iterator[tuple[Voter, Array]]:
    """Yield each voter with what each query has in common with each row [q, n]; voters of a view share distances."""
    seen: dict[bytes, tuple[Array, Array, Array]] = {}
    for voter in voters:
        view = voter.scales.tobytes()
        if view not in seen:
            asked, rows = query * voter.scales, z * voter.scales
            seen[view] = asked, rows, squared_distances(asked, rows)
        asked, rows, distances = seen[view]
        if voter.form == "linear":
            yield voter, affinity("linear", asked, rows, voter.width)
        else:
            yield voter, _from_distances(voter.form, distances, voter.width)


def answer(voters: list[Voter], z: Array, query: Array) -> Array:
    """Return the mixture's probabilities [q, K]; of many queries some at a time."""
    at_once = max(1, AT_ONCE // len(z))
    parts = [_answer(voters, z, query[start : start + at_once]) for start in range(0, len(query), at_once)]
    return np.concatenate(parts)


def _answer(voters: list[Voter], z: Array, query: Array) -> Array:
    made: Any = sum(
        voter.weight * probabilities(voter.form, G @ voter.coefficients, voter.steepness)
        for voter, G in affinities(voters, z, query)
    )
    return made / made.sum(-1, keepdims=True)


def contributions(voters: list[Voter], z: Array, query: Array, codes: NDArray[np.int64]) -> Array:
    """Return how far each row speaks for (or against) a class of each query [q, n]; the absolute values add up to 1.

    Each voter has as much to say as it is trusted. The constant in a kernel is left out: it lets rows speak that have
    nothing in common with the query.
    """
    total: Any = 0
    for voter, G in affinities(voters, z, query):
        said = (G - (voter.form != "attention")) * voter.coefficients[:, codes].T
        total = total + voter.weight * _shares(said)
    return _shares(total)


def _shares(said: Array) -> Array:
    return said / np.maximum(np.abs(said).sum(-1, keepdims=True), 1e-300)
