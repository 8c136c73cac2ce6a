"""Algorithm 1: score each feature by the dispersion that survives self-attention within the classes (§4).

Relevant features hold patterns that recur within a class: rows that share one attend to each other and keep
it. Whatever varies freely around such a pattern is averaged away. So: standardise over the whole support,
let every class attend to itself R times, and see how far each feature is still spread out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.arguments import one_of, whole_number
from polythetic.attention import Temperature, attend, auto_temperature, check_temperature, log_attention
from polythetic.checks import as_task, like
from polythetic.dispersion import DISPERSIONS, dispersion_of
from polythetic.grouping import Places, group_by_class, in_order
from polythetic.memory import ensure_room
from polythetic.similarity import similarity_named
from polythetic.standardisation import Statistics, check_eps

# Chosen on i.i.d. supports by benchmarks/defaults.py; see score_features. One round is as good on average; two, the
# least the authors use, are better where balanced supports and the mean absolute deviation are.
SHARPNESS = 10.0
REPEATS = 2


@runtime_checkable
class Scorer(Protocol):
    """Anything that scores features: standardised support and labels to scores, one a feature, none negative."""

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks F"]:
        """Score the features."""
        ...


@runtime_checkable
class SpreadScorer(Protocol):
    """A scorer that also asks how far each feature was spread out before it was standardised."""

    @property
    def asks_spread(self) -> bool:
        """True; tells it from others."""
        ...

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        spread: Float[Tensor, "*tasks F"] | None = None,
    ) -> Float[Tensor, "*tasks F"]:
        """Score the features."""
        ...


@dataclass(frozen=True)
class AttentionScorer:
    """Algorithm 1 from its second line on, for standardised features; ``score_features`` adds the first.

    >>> AttentionScorer(repeats=-1)
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: repeats = -1: expected a whole number of at least 0 (rounds of self-attention)
    """

    temperature: Temperature = "auto"
    repeats: int = REPEATS
    similarity: str = "dot"
    dispersion: str = "std"
    sharpness: float = SHARPNESS

    def __post_init__(self) -> None:
        similarity_named(self.similarity)
        check_temperature(self.temperature)
        whole_number("repeats", self.repeats, least=0, meaning="rounds of self-attention")
        one_of("dispersion", self.dispersion, DISPERSIONS)

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks F"]:
        """Score the features of a standardised support."""
        parts = group_by_class(labels, mask).by_size()
        T = self._temperature(support, mask)
        Xs = [part.split(support) for part in parts]  # [*tasks, K, M, F] each
        for _ in range(self.repeats):
            Xs = [
                attend(X, X, X, similarity=self.similarity, temperature=T, mask=part.keys)
                for X, part in zip(Xs, parts, strict=True)
            ]
        return dispersion_of(Xs, parts, self.dispersion)

    def trajectory(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Trajectory:
        """Return the features, the attention and the scores before the first round and after each one."""
        parts = group_by_class(labels, mask).by_size()
        n, moments = support.shape[-2], self.repeats + 1
        places = sum(part.present.numel() for part in parts)
        ensure_room(
            2 * (moments * labels.numel() + places) * n * support.element_size(),
            f"the attention of {n} rows to each other at {moments} moments",
            "give fewer tasks, rows or rounds, or ask for the scores alone",
        )
        T = self._temperature(support, mask)
        Xs = [part.split(support) for part in parts]
        features, attention, scores = [], [], []
        for round_ in range(self.repeats + 1):
            weights = [
                log_attention(X, X, similarity=self.similarity, temperature=T, mask=part.keys).exp()
                for X, part in zip(Xs, parts, strict=True)
            ]
            features.append(in_order(Xs, parts, n))
            attention.append(in_order([_to_rows(w, p, n) for w, p in zip(weights, parts, strict=True)], parts, n))
            scores.append(dispersion_of(Xs, parts, self.dispersion))
            if round_ < self.repeats:
                Xs = [w @ X for w, X in zip(weights, Xs, strict=True)]
        return Trajectory(torch.stack(features), torch.stack(attention), torch.stack(scores))

    def _temperature(self, support: Tensor, mask: Tensor | None) -> float | Tensor:
        if self.temperature != "auto":
            return float(self.temperature)
        T = auto_temperature(support, similarity=self.similarity, sharpness=self.sharpness, mask=mask)
        return T[..., None, :, :]  # [*tasks, 1, 1, 1]: the same for every class


class Trajectory(NamedTuple):
    """What Algorithm 1 passes through: entry r is the state after r rounds. Tensors, or NumPy arrays."""

    features: Any  # [rounds, *tasks, n, F]
    attention: Any  # [rounds, *tasks, n, n]; zero between rows of different classes
    scores: Any  # [rounds, *tasks, F]


def _to_rows(weights: Tensor, part: Places, n: int) -> Tensor:
    """Spread attention to the places of a class [*tasks, K, M, M] over the rows that stand there [*tasks, K, M, n]."""
    there = weights * part.present[..., None, :]
    return weights.new_zeros(*weights.shape[:-1], n).scatter_add(-1, part.rows[..., None, :].expand_as(there), there)


@dataclass(frozen=True)
class UniformScorer:
    """Every feature scores 1: what is left of a method when nothing is selected."""

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks F"]:
        """Score every feature 1."""
        return torch.ones_like(support[..., 0, :])


@dataclass(frozen=True)
class GivenScorer:
    """Scores that were found before: for one more method on the same tasks."""

    scores: Tensor

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks F"]:
        """Return them."""
        return self.scores


def score_features(
    support: Any,
    labels: Any,
    *,
    temperature: Temperature = "auto",
    repeats: int = REPEATS,
    similarity: str = "dot",
    dispersion: str = "std",
    eps: float | np.floating[Any] = 1e-7,
    mask: Any = None,
) -> Any:
    """Score every feature of a support by Algorithm 1; the larger, the more it matters to the classes.

    Relevant features need not say anything alone: in the example below neither of the two does.

    Args:
        support: rows of features, ``[n, F]`` or ``[*tasks, n, F]``; NumPy or torch (then differentiable).
        labels: an integer a row; any integers.
        temperature: of the self-attention. A number is the paper's T = 1 / τ. ``"auto"`` is F / 10 on F features
            that are not constant (for the dot product; relative to the typical similarity for the others).
        repeats: R, the rounds of self-attention.
        similarity: ``"dot"``, ``"cosine"``, ``"euclidean"`` (negative squared) or ``"laplace"`` (negative L1).
        dispersion: ``"std"``, ``"mad"`` (mean absolute deviation) or ``"mav"`` (mean absolute value in each class,
            summed over the classes: what the authors use on images).
        eps: the ε of the standardisation (x − μ) / (σ + ε).
        mask: False for rows that are padding.

    The defaults were chosen on i.i.d. Boolean tasks (``results/benchmarks/defaults.json``; mean accuracy of FS+MN over
    eleven kinds of XOR task, per cent). Sharpness 6 / 8 / 10 / 12: 83.2 / 95.5 / 96.8 / 95.8 with two rounds; at 10,
    one round or three are as good (96.9, 96.7). Standard deviation 96.8, mean absolute deviation 83.8. The same
    setting serves one active bit of 5,000 (60 rows) and two of 1,000 (2,000 rows): 100 % each.

    >>> import numpy as np
    >>> x = np.random.default_rng(0).choice([-1.0, 1.0], (40, 6))
    >>> y = (x[:, 1] * x[:, 4] > 0).astype(int)  # the class is the XOR of features 1 and 4
    >>> np.argsort(score_features(x, y))[-2:]
    array([1, 4])
    """
    scorer = AttentionScorer(temperature, repeats, similarity, dispersion)
    z, task_labels, task_mask = _standardised(support, labels, mask, eps)
    return like(support, scorer(z, task_labels, task_mask))


def score_trajectory(
    support: Any,
    labels: Any,
    *,
    temperature: Temperature = "auto",
    repeats: int = REPEATS,
    similarity: str = "dot",
    dispersion: str = "std",
    eps: float | np.floating[Any] = 1e-7,
    mask: Any = None,
) -> Trajectory:
    """Follow ``score_features``, whose arguments these are: features, attention and scores after every round.

    >>> import numpy as np
    >>> x = np.random.default_rng(0).choice([-1.0, 1.0], (40, 6))
    >>> followed = score_trajectory(x, (x[:, 1] * x[:, 4] > 0).astype(int), repeats=3)
    >>> followed.features.shape, followed.attention.shape, followed.scores.shape
    ((4, 40, 6), (4, 40, 40), (4, 6))
    """
    scorer = AttentionScorer(temperature, repeats, similarity, dispersion)
    followed = scorer.trajectory(*_standardised(support, labels, mask, eps))
    return Trajectory(*(like(support, part) for part in followed))


def _standardised(support: Any, labels: Any, mask: Any, eps: Any) -> tuple[Tensor, Tensor, Tensor | None]:
    """The first line of Algorithm 1."""
    task = as_task(support, labels, mask=mask)
    statistics = Statistics.of(task.support, task.mask, eps=check_eps(eps))
    return statistics.standardise(task.support), task.labels, task.mask
