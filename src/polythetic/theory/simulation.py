"""The attention classifier's output on XOR_α, drawn rather than derived: what the formulas are held to."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import whole_number
from polythetic.errors import InputError, TooLargeError
from polythetic.theory._arguments import (
    check_probability,
    check_similarity,
    check_sizes,
    check_tau,
)
from polythetic.theory.boolean import boolean_inputs

Floats = NDArray[np.float64]

_BATCH_NUMBERS = 2**19  # numbers in a batch's supports: 4 MB, and a few such arrays live at once
_TASK_NUMBERS = 2**27  # numbers in one task's support: 1 GB
_LARGEST_LOG_WEIGHT = 150.0  # the fourth power of a sum of such weights is still a float

# Queries (tasks, 1, n) against supports (tasks, rows, n), both in the encoding: (tasks, rows).
_SIMILARITIES: dict[str, Callable[[Floats, Floats], Floats]] = {
    "dot": lambda q, x: np.asarray((q * x).sum(-1)),
    "cosine": lambda q, x: np.asarray((q * x).sum(-1) / (_norm(q) * _norm(x))),
    "euclidean": lambda q, x: np.asarray(-((q - x) ** 2).sum(-1)),
    "laplace": lambda q, x: np.asarray(-np.abs(q - x).sum(-1)),
}
_ENCODE: dict[str, Callable[[Floats], Floats]] = {"signs": lambda x: x, "bits": lambda x: (x + 1) / 2}


def _norm(x: Floats) -> Floats:
    return np.asarray(np.sqrt((x**2).sum(-1)))


@dataclass(frozen=True)
class Simulation:
    """Estimates from independent trials, each with its Monte-Carlo standard error.

    Attributes:
        trials: Tasks drawn, one query each.
        mean: Mean of the outputs.
        mean_stderr: √(variance / trials).
        variance: Their unbiased variance.
        variance_stderr: From the fourth central moment; too small itself where a rare tail was not drawn.
        misclassification: Share of the outputs below 0, those equal to 0 counted as half.
        misclassification_stderr: Its standard error.
    """

    trials: int
    mean: float
    mean_stderr: float
    variance: float
    variance_stderr: float
    misclassification: float
    misclassification_stderr: float


def simulate_attention(
    alpha: int,
    beta: int,
    *,
    repetitions: int = 1,
    p: float = 0.5,
    similarity: str = "dot",
    tau: float = 1.0,
    encoding: str = "signs",
    normalised: bool = False,
    trials: int = 10_000,
    seed: int = 0,
    tasks_per_batch: int | None = None,
) -> Simulation:
    """Draw supports and queries of §3's model and sum ±exp(τ·similarity(query, support)) over each support.

    A trial is a new support (each of the 2^α variants of the active features r times, irrelevant
    features independently 1 with probability p) and one query of the positive class, its variant
    drawn evenly. The arguments up to `encoding` are those of `attention_moments`.

    Args:
        alpha: Active features (α).
        beta: Irrelevant features (β).
        repetitions: Times that each variant is in the support (r).
        p: Probability that an irrelevant feature is 1.
        similarity: "dot", "cosine", "euclidean" (negative squared distance) or "laplace" (negative L1).
        tau: Inverse temperature (τ).
        encoding: "signs" for features in {−1, 1}, "bits" for {0, 1}.
        normalised: Divide each sum by that of the weights, as a softmax does: the output, from −1 to 1. It has the
            sum's sign, and moments of its own.
        trials: Tasks to draw, at least 2.
        seed: Seed of the generator.
        tasks_per_batch: Tasks held in memory at once; by default as many as take a few megabytes.
            The result does not depend on it.

    >>> drawn = simulate_attention(4, 3, repetitions=2, trials=20_000)
    >>> round(drawn.misclassification, 2), drawn.misclassification_stderr < 0.004
    (0.44, True)
    """
    check_sizes(alpha, beta, repetitions)
    check_probability(p)
    check_tau(tau)
    check_similarity(similarity, encoding)
    whole_number("trials", trials, least=2)
    numbers = repetitions * 2**alpha * (alpha + beta)
    if numbers > _TASK_NUMBERS:
        raise TooLargeError(f"one support would hold {numbers} numbers: lower alpha, beta or repetitions")
    if tasks_per_batch is None:
        tasks_per_batch = max(1, _BATCH_NUMBERS // numbers)
    whole_number("tasks_per_batch", tasks_per_batch, least=1)

    variants = boolean_inputs(alpha).astype(np.float64)  # (2^α, α)
    labels = variants.prod(-1)
    positive = variants[labels > 0]
    variants, labels = np.repeat(variants, repetitions, axis=0), np.repeat(labels, repetitions)
    # Two streams, each read task by task, so that the batches' size changes nothing.
    noise_stream, query_stream = np.random.default_rng(seed).spawn(2)

    outputs = np.empty(trials)
    for start in range(0, trials, tasks_per_batch):
        tasks = min(tasks_per_batch, trials - start)
        noise = np.where(noise_stream.random((tasks, 1 + len(labels), beta)) < p, 1.0, -1.0)
        query = positive[(query_stream.random(tasks) * len(positive)).astype(np.intp)]  # (tasks, α)
        active = np.concatenate([query[:, None], np.broadcast_to(variants, (tasks, *variants.shape))], axis=1)
        x = _ENCODE[encoding](np.concatenate([active, noise], axis=-1))  # (tasks, 1 + |S|, n)
        logits = tau * _SIMILARITIES[similarity](x[:, :1], x[:, 1:])  # (tasks, |S|)
        if not normalised and logits.max() > _LARGEST_LOG_WEIGHT:
            raise InputError("tau", tau, f"tau * similarity of at most {_LARGEST_LOG_WEIGHT:g}")
        outputs[start : start + tasks] = _signed_sum(labels, logits, normalised)
    return _summarise(outputs)


def _signed_sum(labels: Floats, logits: Floats, normalised: bool) -> Floats:
    top = logits.max(-1, keepdims=True)
    weights = np.exp(logits - top)
    total, size = (labels * weights).sum(-1), weights.sum(-1)
    # Terms that cancel exactly leave their rounding behind, whose sign would be counted.
    rounding = len(labels) * np.finfo(np.float64).eps * size
    return np.asarray(
        np.where(np.abs(total) <= rounding, 0.0, total / size if normalised else total * np.exp(top[:, 0]))
    )


def _summarise(outputs: Floats) -> Simulation:
    trials = len(outputs)
    mean, variance = outputs.mean(), outputs.var(ddof=1)
    fourth = ((outputs - mean) ** 4).mean()
    wrong = (1 - np.sign(outputs)) / 2
    return Simulation(
        trials=trials,
        mean=float(mean),
        mean_stderr=math.sqrt(variance / trials),
        variance=float(variance),
        variance_stderr=math.sqrt(max(fourth - variance**2 * (trials - 3) / (trials - 1), 0.0) / trials),
        misclassification=float(wrong.mean()),
        misclassification_stderr=float(wrong.std(ddof=1) / math.sqrt(trials)),
    )
