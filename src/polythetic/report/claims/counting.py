"""§1–3: how many functions there are, and what thresholds can make of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from math import comb

import numpy as np

from polythetic.report.evidence import Evidence
from polythetic.report.ledger import Claim, Point, asking, of_settings
from polythetic.report.numbers import listed, percentage
from polythetic.report.trained import trained
from polythetic.results import Row
from polythetic.theory import (
    boolean_inputs,
    count_boolean_functions,
    count_threshold_functions,
    parity,
    pseudo_variables,
    subsets,
)

SIZES = (1, 2, 3, 4)  # variables; counting at five takes seconds


@asking("under a tenth")
def outnumbered(evidence: Evidence) -> Iterator[Point]:
    """Count threshold functions among all functions."""
    n = SIZES[-1]
    some, every = count_threshold_functions(n), count_boolean_functions(n)
    yield Point(
        f"{some:,} of {every:,} functions of {n} variables are threshold functions",
        some < every / 10,
    )


def all_functions(evidence: Evidence) -> Iterator[Point]:
    """Count inputs and functions."""
    n = SIZES[-1]
    inputs, functions = len(boolean_inputs(n)), count_boolean_functions(n)
    yield Point(f"n = {n}: {inputs} inputs, {functions:,} functions", (inputs, functions) == (2**n, 2**2**n))


def bound(evidence: Evidence) -> Iterator[Point]:
    """Compare the number of threshold functions with its bound, for each n."""
    for n in SIZES:
        count = count_threshold_functions(n)
        yield Point(f"n = {n}: {count:,} against {2**n**2:,}", count <= 2**n**2)


@asking("falling with every n")
def vanishing(evidence: Evidence) -> Iterator[Point]:
    """Follow the share of threshold functions."""
    shares = [100 * count_threshold_functions(n) / count_boolean_functions(n) for n in SIZES]
    yield Point(f"{listed(shares)} % at n = {listed(SIZES, str)}", shares == sorted(shares, reverse=True))


def basis(evidence: Evidence) -> Iterator[Point]:
    """Find the rank of all parities as functions of all inputs."""
    n = SIZES[-1]
    inputs = boolean_inputs(n)
    chosen = [active for alpha in range(1, n + 1) for active in subsets(n, alpha).tolist()]
    functions = np.array([np.ones(len(inputs)), *(parity(inputs, active) for active in chosen)])
    rank = np.linalg.matrix_rank(functions)
    yield Point(f"n = {n}: {len(functions)} parities of rank {rank}", rank == len(functions) == 2**n)


def prototypes_on_planes(evidence: Evidence) -> Iterator[Point]:
    """Look at the functions of two variables that prototypes fail on, and at attention."""
    failed = [e["setting"]["function"] for e in evidence.rows("figure2", "PN") if e["mean"] < 100]
    yield Point(f"prototypes fail on {' and '.join(failed)} alone (50 %)", sorted(failed) == ["xnor", "xor"])
    attention = [e["mean"] for e in evidence.rows("figure2", "MN")]
    yield Point(f"attention: {min(attention):.0f} % on each of {len(attention)} functions", min(attention) == 100)


def third_dimension(evidence: Evidence) -> Iterator[Point]:
    """Count the functions that have a threshold solution with the pseudo-variable, and without."""
    without, with_it = (
        evidence.mean("figure3", "threshold", metric="functions of 16", embedding=name)
        for name in ("(x, y)", "(x, y, XOR(x, y))")
    )
    yield Point(f"{with_it:.0f} of 16; {without:.0f} without it", with_it == 16)


def how_many_products(evidence: Evidence) -> Iterator[Point]:
    """Count the pseudo-variables that the library makes."""
    for alpha in (2, 3):
        made = [pseudo_variables(np.ones((1, n)), alpha).shape[-1] for n in (10, 20)]
        right = made == [comb(n, alpha) for n in (10, 20)] and made[1] <= 20**alpha
        yield Point(f"α = {alpha}: {made[0]} for n = 10, {made[1]:,} for n = 20 (×{made[1] / made[0]:.1f})", right)


@asking("each at least twice the one before")
def exponential(evidence: Evidence) -> Iterator[Point]:
    """Let the number of active features grow."""
    needed = [comb(20, alpha) for alpha in SIZES]
    grows = all(after >= 2 * before for before, after in pairwise(needed))
    yield Point(f"C(n, α) at n = 20, α = 1 to 4: {listed(needed, str)} pseudo-variables", grows)


def linear(evidence: Evidence) -> Iterator[Point]:
    """Give attention the active features themselves, and nothing else."""
    found = evidence.rows("figure6", "MN", beta=0, design="balanced", variant="ours")
    lowest = min(entry["mean"] for entry in found)
    dimensions = found[0]["setting"]["n"]
    yield Point(f"XOR₄ in {dimensions} dimensions: {lowest:.0f} %", lowest == 100)


def _squared(evidence: Evidence) -> dict[int, Row]:
    rows = evidence.rows("figure3", "PN", design="balanced")
    most = max(entry["train_tasks"] for entry in rows)
    return {
        entry["setting"]["n"]: entry
        for entry in rows
        if entry["train_tasks"] == most and entry["setting"]["embedding"] == entry["setting"]["n"] ** 2
    }


@asking("at least 95 at n = 4, and falling after")
def quadratic(evidence: Evidence) -> Iterator[Point]:
    """Follow prototypes in n² dimensions as strings grow."""
    at = _squared(evidence)
    yield Point(f"d = n²{trained(at.values())}: {percentage(at[4]['mean'])} % at n = 4", at[4]["mean"] >= 95)
    yield Point(
        f"{listed(at[n]['mean'] for n in (8, 12, 20))} % at n = 8 / 12 / 20",
        at[8]["mean"] > at[12]["mean"] > at[20]["mean"],
    )


def forty_rows(evidence: Evidence) -> Iterator[Point]:
    """Look up how Figure 3 was made."""
    entry = _squared(evidence)[4]
    size = entry["setting"]["r"] * 2 ** entry["setting"]["alpha"]
    yield Point(f"ours: {entry['tasks']:,} tasks, |S| = {size}", (entry["tasks"], size) == (1000, 40))


CLAIMS = [
    Claim("“greatly outnumber monothetic classifications over a set of features”", "Abstract", outnumbered),
    Claim(
        "“require an embedding dimension that is exponential in the number of task-relevant features”",
        "Abstract",
        exponential,
    ),
    Claim("“able to solve these problems with a linear embedding dimension”", "Abstract, §3", linear),
    Claim(
        "“The number of binary inputs of length n is 2^n and the total number of Boolean functions is … 2^(2^n)”",
        "§1",
        all_functions,
    ),
    Claim("“the number of threshold functions grows only singly exponentially (≤ 2^(n²))”", "§1", bound),
    Claim("“monothetic classifications represent a vanishingly small proportion of the total”", "§1", vanishing),
    Claim("“The set of parity functions over n bits form a linearly independent basis”", "§2", basis),
    Claim(
        "“simple prototypes fail … the prototypes are equal … and there is no decision boundary”",
        "Figure 2",
        prototypes_on_planes,
    ),
    Claim(
        "“produce linear thresholds solutions for every 2-variable Boolean function”", "§3, Figure 3", third_dimension
    ),
    Claim("“the required number of pseudo-variables grows as C(n, α) ∼ O(n^α)”", "§3", how_many_products),
    Claim(
        "“a quadratic embedding is able to maintain performance, but for longer sequences … performance degrades”",
        "§3, Figure 3",
        quadratic,
    ),
    Claim("“Mean over 1000 tasks, |S| = 40”", "Figure 3", forty_rows, of_settings),
]
