"""Settling: how each voter looks at the rows, and how far it is trusted, by leaving one row out.

Width, penalty and steepness are those that make the labelled rows most likely, each from all the others; then the
voters are mixed likewise, by expectation maximisation. Patterns such as XOR are left to the scored view, ordinary
tables to whichever serves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.estimators.voters import FORMS, Array, Voter, affinity, probabilities, softmax, squared_distances
from polythetic.memory import ensure_room

# Chosen on tables other than those reported (`python -m benchmarks.voters`).
ATTENTION_WIDTHS = tuple(np.geomspace(0.3, 100, 12))  # in units of the median squared distance
KERNEL_WIDTHS = (0.125, 0.25, 0.5, 1.0, 2.0)  # in squared distances of a view whose scales have length 1
PENALTIES = tuple(np.geomspace(0.03, 30, 7))
STEEPNESS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0)
BENEFIT = 1.0  # rows' worth of trust that each voter has before any has spoken
ROUNDS = 200  # of expectation maximisation
MOST_WIDTH_ROWS = 800  # that widths of kernels are tried on: each takes the eigenvectors of n × n numbers
MOST_KERNEL_ROWS = 2000  # beyond, solving for n × n numbers takes too long
MOST_ASKED = 2000  # rows that are foreseen from the others, at most


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
    >>> from polythetic.estimators.voters import answer
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
    for width in _kernel_widths(z, Y, scales) if form == "kernel" else (1.0,):
        values, U = _spectrum(form, x, width)
        for penalty in PENALTIES:
            # Beyond the columns of U, K is zero, and G⁻¹ is 1 / λ.
            inverse = 1 / (values + penalty) - 1 / penalty
            B = y / penalty + U @ (inverse[:, None] * (U.T @ y))
            votes = y[asked] - B[asked] / (1 / penalty + (U[asked] ** 2) @ inverse)[:, None]
            for steepness in STEEPNESS:
                yield Settled(Voter(form, scales, width, B, steepness), probabilities(form, votes, steepness))


def _kernel_widths(z: Array, Y: Array, scales: Array) -> tuple[float, ...]:
    """Return the widths to try: all of them, or, of many rows, the one that is best on some of them."""
    n = len(z)
    if n <= MOST_WIDTH_ROWS:
        return KERNEL_WIDTHS
    some = np.sort(np.random.default_rng(0).permutation(n)[:MOST_WIDTH_ROWS])  # by chance: classes may take turns
    tried = _ridge("kernel", z[some], Y[some], scales, np.arange(len(some)))
    return (max(tried, key=lambda found: _log_likelihood(found.foreseen, Y[some].argmax(1))).voter.width,)


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
