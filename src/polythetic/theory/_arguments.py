"""What the theory's functions take, checked in one place: sizes, probabilities, similarities, encodings."""

from __future__ import annotations

import math
from collections.abc import Callable

from polythetic.arguments import whole_number
from polythetic.errors import InputError

# tau * similarity(q, x) = s * <q, x> + k for every pair of the 2^n vectors written in ±1.
# Both s and k are proportional to tau; a row gives (s / tau, k / tau) from the number of features n.
# A disagreement costs 1 in 0/1 and, in ±1, 2 in L1 and 4 in squared Euclidean distance,
# and the number of disagreements is (n - <q, x>) / 2.
SCALES: dict[tuple[str, str], Callable[[int], tuple[float, float]]] = {
    ("dot", "signs"): lambda n: (1.0, 0.0),
    ("cosine", "signs"): lambda n: (1.0 / n, 0.0),
    ("euclidean", "signs"): lambda n: (2.0, -2.0 * n),
    ("laplace", "signs"): lambda n: (1.0, -1.0 * n),
    ("euclidean", "bits"): lambda n: (0.5, -0.5 * n),
    ("laplace", "bits"): lambda n: (0.5, -0.5 * n),
}


def check_sizes(alpha: int, beta: int, repetitions: int) -> None:
    """Raise unless there is an active feature and a support, and the irrelevant features can be counted."""
    whole_number("alpha", alpha, least=1)
    whole_number("beta", beta, least=0)
    whole_number("repetitions", repetitions, least=1)


def check_probability(p: float) -> None:
    """Raise unless `p` is a probability."""
    if not 0 <= p <= 1:
        raise InputError("p", p, "a probability, from 0 to 1")


def check_tau(tau: float) -> None:
    """Raise unless `tau` is an inverse temperature."""
    if not (tau > 0 and math.isfinite(tau)):
        raise InputError("tau", tau, "a finite number above 0")


def check_similarity(similarity: str, encoding: str) -> None:
    """Raise unless the similarity is known and says the same of (0, 0) as of (1, 1) in this encoding."""
    similarities, encodings = (sorted({key[i] for key in SCALES}) for i in (0, 1))
    if similarity not in similarities:
        raise InputError("similarity", similarity, f"one of {', '.join(similarities)}")
    if encoding not in encodings:
        raise InputError("encoding", encoding, f"one of {', '.join(encodings)}")
    if (similarity, encoding) not in SCALES:
        raise InputError("encoding", encoding, f"signs with {similarity}, as 0·0 is not 1·1 (App. C.1)")
