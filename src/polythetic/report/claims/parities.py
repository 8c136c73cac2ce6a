"""§1–3 and App. C: what XOR and its like look like on the corners of a cube."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import comb, e, exp, sqrt

import numpy as np
from numpy.typing import NDArray

from polythetic.episodes.functions import evaluate_function, sign_vectors
from polythetic.report.evidence import Evidence
from polythetic.report.ledger import Claim, Point
from polythetic.report.numbers import listed, tidy
from polythetic.theory import boolean_inputs, parity

ALPHAS = (2, 3, 4)


def _distances(inputs: NDArray[np.int8]) -> NDArray[np.int64]:
    """Count the places in which each corner differs from each other."""
    return np.asarray((inputs[:, None] != inputs).sum(-1))


def _bits(signs: NDArray[np.int8]) -> NDArray[np.int8]:
    return (signs > 0).astype(np.int8)


def or_by_minimum(evidence: Evidence) -> Iterator[Point]:
    """Compare OR with the minimum of the sum and one, on all inputs."""
    signs = sign_vectors(2)
    same = np.minimum(_bits(signs).sum(1), 1) == _bits(evaluate_function("or", signs))
    yield Point(f"equal on {same.sum()} of {len(same)} inputs", bool(same.all()))


def cannot_occur(evidence: Evidence) -> Iterator[Point]:
    """List the corners of the cube that (x, y, XOR(x, y)) takes, and measure how far apart they are."""
    signs = sign_vectors(2)
    corners = _bits(np.column_stack([signs, evaluate_function("xor", signs)]))
    apart = {sqrt(float(places)) for places in _distances(corners)[np.triu_indices(len(corners), 1)]}
    shown = ", ".join(f"({x}, {y}, {z})" for x, y, z in corners)
    tetrahedron = len(apart) == 1
    words = f"{shown}, each √2 from the others" if apart == {sqrt(2)} else shown
    yield Point(words, tetrahedron and [1, 0, 0] not in corners.tolist())


def between_every_pair(evidence: Evidence) -> Iterator[Point]:
    """Count the pairs of corners that XOR puts apart: of neighbours, beside all other functions, and of all."""
    alpha = ALPHAS[1]
    inputs = boolean_inputs(alpha)
    pairs = np.array(list(combinations(range(len(inputs)), 2)))
    near = pairs[_distances(inputs)[tuple(pairs.T)] == 1]

    def apart(labels: NDArray[np.int8], which: NDArray[np.int64]) -> int:
        return int((labels[..., which[:, 0]] != labels[..., which[:, 1]]).sum())

    xor = parity(inputs, range(alpha))
    most = max(apart(labels, near) for labels in boolean_inputs(len(inputs)))  # every labelling of the corners
    yield Point(
        f"α = {alpha}: between {apart(xor, near)} of {len(near)} pairs of neighbours; no other function has more",
        apart(xor, near) == len(near) == most,
    )
    yield Point(f"between {apart(xor, pairs)} of all {len(pairs)} pairs", apart(xor, pairs) == len(pairs))


def neighbours(evidence: Evidence) -> Iterator[Point]:
    """Count the corners that are one step away."""
    counts = [set((_distances(boolean_inputs(alpha)) == 1).sum(1).tolist()) for alpha in ALPHAS]
    words = f"{listed((min(found) for found in counts), str)} for α = {listed(ALPHAS, str)}"
    yield Point(words, counts == [{alpha} for alpha in ALPHAS])


def at_a_distance(evidence: Evidence) -> Iterator[Point]:
    """Count the corners at each distance, and look at their classes."""
    alpha = ALPHAS[-1]
    inputs = boolean_inputs(alpha)
    places = _distances(inputs)
    counts = [set((places == delta).sum(1).tolist()) for delta in range(alpha + 1)]
    right = counts == [{comb(alpha, delta)} for delta in range(alpha + 1)]
    yield Point(f"α = {alpha}: {listed((min(found) for found in counts), str)} for δ = 0 to {alpha}", right)
    classes = parity(inputs, range(alpha))
    same = classes[:, None] == classes
    yield Point(
        "the class is the same where δ is even, another where it is odd", bool(((places % 2 == 0) == same).all())
    )


def positive_sign(evidence: Evidence) -> Iterator[Point]:
    """Add up what the corners of the cube contribute to a query that is one of them."""
    sums = []
    for alpha in ALPHAS:
        inputs = boolean_inputs(alpha)
        classes = parity(inputs, range(alpha))
        query = int(np.flatnonzero(classes > 0)[-1])  # any of the class +
        sums.append(sum(int(sign) * exp(int(dot)) for sign, dot in zip(classes, inputs @ inputs[query], strict=True)))
    right = all(abs(found / (e - 1 / e) ** alpha - 1) < 1e-9 for found, alpha in zip(sums, ALPHAS, strict=True))
    yield Point(
        f"the sum is {listed(sums, lambda x: tidy(x, 3))} for α = {listed(ALPHAS, str)}", right and min(sums) > 0
    )


CLAIMS = [
    Claim("“binary OR(x,y) evaluates as the unary MIN(x+y, 1)”", "§1", or_by_minimum),
    Claim(
        "“at least as complicated as those for any other …: there is one between every possible pair”",
        "§2",
        between_every_pair,
    ),
    Claim(
        "“at the corners of a tetrahedron”, “the hatched circle at (1,0,0) cannot occur”", "§3, Figure 3", cannot_occur
    ),
    Claim("“the number of immediate neighbours of each point grows as C(α, 1) = α”", "§3", neighbours),
    Claim(
        "“There are C(α, δ) strings … that differ … in δ positions … if δ is even the class is the same”",
        "App. C",
        at_a_distance,
    ),
    Claim("“class = … = sign((e − e⁻¹)^α) = +”", "App. C", positive_sign),
]
