"""Voters: several ways in which labelled rows answer for a new one, each trusted as far as it foresees the rows.

A *view* says how far features count: as the scorer found (R, or Algorithm 1), all alike, or in their own units. On each
view three *forms* of vote are tried: attention, kernel ridge regression, linear ridge regression. All are one formula:
what a row has in common with the query times what the row has to say, G(q, x) B. Width, penalty and steepness are those
that make the labelled rows most likely, each from all the others; then the voters are mixed likewise, by expectation
maximisation. Patterns such as XOR are left to the first view, ordinary tables to whichever serves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.memory import ensure_room

Array = NDArray[np.float64]

# Chosen on tables other than those reported (`python -m benchmarks.voters`).
ATTENTION_WIDTHS = tuple(np.geomspace(0.3, 100, 12))  # in units of the median squared distance
KERNEL_WIDTHS = (0.125, 0.25, 0.5, 1.0, 2.0)  # in squared distances of a view whose scales have length 1
PENALTIES = tuple(np.geomspace(0.03, 30, 7))
STEEPNESS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
DOUBT = 0.02  # of every answer: the share that is spread over all classes
BENEFIT = 1.0  # rows' worth of trust that each voter has before any has spoken
ROUNDS = 200  # of expectation maximisation
MOST_KERNEL_ROWS = 2000  # beyond, solving for n × n numbers takes too long
MOST_ASKED = 2000  # rows that are foreseen from the others, at most
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


class Settled(NamedTuple):
    """A voter, and what it says of each row that it is asked for, from the others."""

    voter: Voter
    foreseen: Array  # [asked, K]


class Panel(NamedTuple):
    """Voters, and what they say together of each row that they are asked for, from the others."""

    voters: list[Voter]
    asked: NDArray[np.int64]
    foreseen: Array  # [asked, K]


def settle(z: Array, codes: NDArray[np.int64], views: Mapping[str, Array], forms: tuple[str, ...] = FORMS) -> Panel:
    """Settle a voter for every view and form, and mix them.

    Args:
        z: standardised rows [n, F].
        codes: the class of each, from 0.
        views: scales [F] by name; those alike are tried once.
        forms: of votes.

    >>> square = np.array([[-1.0, -1], [-1, 1], [1, -1], [1, 1]]).repeat(3, 0)
    >>> xor = np.array([0, 1, 1, 0]).repeat(3)
    >>> panel = settle(square, xor, {"flat": np.ones(2)})
    >>> answer(panel.voters, square, square).argmax(1).tolist()
    [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0]
    """
    n = len(z)
    ensure_room(6 * 8 * n * min(n, MOST_ASKED), f"{n} rows, each foreseen from the others", "give fewer rows")
    Y = np.eye(int(codes.max()) + 1)[codes]
    asked = np.arange(n) if n <= MOST_ASKED else np.linspace(0, n - 1, MOST_ASKED).astype(int)
    forms = forms if n <= MOST_KERNEL_ROWS else tuple(form for form in forms if form != "kernel")
    settled = []
    for scales in _different(views):
        unit = scales / max(float(np.sqrt((scales * scales).sum())), 1e-12)
        for form in forms:
            candidates = _attention(z, Y, unit, asked) if form == "attention" else _ridge(form, z, Y, unit, asked)
            settled.append(max(candidates, key=lambda found: _log_likelihood(found.foreseen, codes[asked])))
    weights = mixed([found.foreseen for found in settled], codes[asked])
    voters = [replace(found.voter, weight=float(w)) for found, w in zip(settled, weights, strict=True)]
    together: Any = sum(w * found.foreseen for found, w in zip(settled, weights, strict=True))
    return Panel(voters, asked, together)


def _different(views: Mapping[str, Array]) -> list[Array]:
    kept: list[Array] = []
    for scales in views.values():
        if not any(np.allclose(scales / max(scales.max(), 1e-12), k / max(k.max(), 1e-12)) for k in kept):
            kept.append(scales)
    return kept


def _attention(z: Array, Y: Array, scales: Array, asked: NDArray[np.int64]) -> Iterator[Settled]:
    D = squared_distances(z[asked] * scales, z * scales)
    others = np.ones(D.shape, dtype=bool)
    others[np.arange(len(asked)), asked] = False
    typical = max(float(np.median(D[others])), 1e-12)
    D = np.where(others, D, np.inf)
    B = Y - 1 / Y.shape[1]
    for width in ATTENTION_WIDTHS:
        voter = Voter("attention", scales, width / typical, B, 1.0)
        yield Settled(voter, probabilities("attention", softmax(-voter.width * D) @ B, 1.0))


def _ridge(form: str, z: Array, Y: Array, scales: Array, asked: NDArray[np.int64]) -> Iterator[Settled]:
    """Leave each row out in closed form: the residual of y_i is B_i / G⁻¹_ii, with G = K + λI and B = G⁻¹ y."""
    x = z * scales
    y = Y - 1 / Y.shape[1]
    for width in KERNEL_WIDTHS if form == "kernel" else (1.0,):
        values, U = _spectrum(form, x, width)
        for penalty in PENALTIES:
            # Beyond the columns of U, K is zero, and G⁻¹ is 1 / λ.
            inverse = 1 / (values + penalty) - 1 / penalty
            B = y / penalty + U @ (inverse[:, None] * (U.T @ y))
            votes = y[asked] - B[asked] / (1 / penalty + (U[asked] ** 2) @ inverse)[:, None]
            for steepness in STEEPNESS:
                yield Settled(Voter(form, scales, width, B, steepness), probabilities(form, votes, steepness))


def _spectrum(form: str, x: Array, width: float) -> tuple[Array, Array]:
    """Return eigenvalues of K that are not zero, and their vectors; of a linear one without making it."""
    if form == "linear":
        U, roots, _ = np.linalg.svd(np.column_stack([x, np.ones(len(x))]), full_matrices=False)
        return roots**2, U
    values, U = np.linalg.eigh(affinity(form, x, x, width))
    return np.maximum(values, 0), U


def _log_likelihood(foreseen: Array, codes: NDArray[np.int64]) -> float:
    return float(np.log(foreseen[np.arange(len(codes)), codes]).mean())


def mixed(foreseen: list[Array], codes: NDArray[np.int64]) -> Array:
    """Return the weights under which a mixture of voters makes the rows most likely, none of them quite 0.

    >>> right, blind = np.array([[0.9, 0.1], [0.1, 0.9]]).repeat(20, 0), np.full((40, 2), 0.5)
    >>> mixed([right, blind], np.array([0, 1]).repeat(20)).round(2)
    array([0.95, 0.05])
    """
    P = np.stack([p[np.arange(len(codes)), codes] for p in foreseen])  # [voters, rows]
    weights = np.full(len(P), 1 / len(P))
    for _ in range(ROUNDS):
        share = weights[:, None] * P
        share /= share.sum(0)
        weights = (share.sum(1) + BENEFIT) / (P.shape[1] + BENEFIT * len(P))
    return weights


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
