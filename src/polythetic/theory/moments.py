"""Mean and variance of an attention classifier's output on XOR_α with irrelevant features (§3, App. C)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from polythetic.theory._arguments import SCALES, check_probability, check_similarity, check_sizes, check_tau


@dataclass(frozen=True)
class Moments:
    """Mean and variance of an output, kept as logarithms so that ratios survive where they overflow.

    Attributes:
        log_mean: log μ; the mean is positive.
        log_variance: log σ², −inf where the output does not vary.

    >>> far = attention_moments(4, 2000)
    >>> far.variance, far.misclassification
    (inf, 0.5)
    >>> attention_moments(4, 0).misclassification  # nothing irrelevant, nothing wrong
    0.0
    """

    log_mean: float
    log_variance: float

    @property
    def mean(self) -> float:
        """μ; inf or 0 where it leaves the range of a float."""
        return _exp(self.log_mean)

    @property
    def variance(self) -> float:
        """σ²; inf or 0 where it leaves the range of a float."""
        return _exp(self.log_variance)

    @property
    def variation(self) -> float:
        """The coefficient of variation σ/μ (§3)."""
        return _exp(self.log_variance / 2 - self.log_mean)

    @property
    def misclassification(self) -> float:
        """P(output < 0) were the output normal: Φ(−μ/σ).

        Rough where a few large terms make the output: at α=4, β=3, r=2, p=½ this is 0.328, the rate 0.437.
        """
        return float(ndtr(-_exp(self.log_mean - self.log_variance / 2)))


def attention_moments(
    alpha: int,
    beta: int,
    *,
    repetitions: int = 1,
    p: float = 0.5,
    similarity: str = "dot",
    tau: float = 1.0,
    encoding: str = "signs",
) -> Moments:
    """Return the exact moments of Σᵢ ±exp(τ·similarity(query, supportᵢ)) for a query of the positive class.

    The support holds each of the 2^α variants of the active features r times; every irrelevant
    feature, the query's too, is 1 with probability p. With u = e^s, p̄ = p² + (1−p)² and q̄ = 1 − p̄,

        c₁ = pu + (1−p)u⁻¹     c₂ = (1−p)u + pu⁻¹     (what a feature of the query can expect of a support's)
        c = pc₁ + (1−p)c₂ = p̄u + q̄u⁻¹     m₂ = pc₁² + (1−p)c₂²     d = p̄u² + q̄u⁻²
        μ  = e^k  · r (u − u⁻¹)^α c^β
        σ² = e^2k · [ r (u² + u⁻²)^α (d^β − m₂^β) + r² (u − u⁻¹)^2α (m₂^β − c^2β) ]

    where τ·similarity = s⟨q, x⟩ + k on ±1 vectors:

        dot        signs   s = τ      k = 0           euclidean  signs   s = 2τ     k = −2τn
        cosine     signs   s = τ/n    k = 0           laplace    signs   s = τ      k = −τn
                                                      either     bits    s = τ/2    k = −τn/2

    The paper's variance (§3, Eq. 5) is the case m₂ = c², true for p ∈ {0, ½, 1}: otherwise the
    supports' terms are correlated, because all of them meet the same query. See `printed_moments`.
    A softmax divides the sum by something positive: it keeps its sign, not its moments.

    Args:
        alpha: Active features, of which the class is the parity (α).
        beta: Irrelevant features (β); n = α + β.
        repetitions: Times that each variant of the active features is in the support (r).
        p: Probability that an irrelevant feature is 1 rather than −1 (or 0).
        similarity: "dot", "cosine", "euclidean" (negative squared distance) or "laplace" (negative L1).
        tau: Inverse temperature (τ).
        encoding: "signs" for features in {−1, 1}, "bits" for {0, 1}.

    >>> exact = attention_moments(2, 3, repetitions=5, p=0.8)
    >>> round(exact.mean, 1), round(exact.variance)
    (209.9, 27917)
    >>> round(attention_moments(2, 3, similarity="cosine").variation, 3)
    4.648
    """
    check_sizes(alpha, beta, repetitions)
    check_probability(p)
    check_tau(tau)
    check_similarity(similarity, encoding)
    n, r = alpha + beta, repetitions
    s, k = (tau * scale for scale in SCALES[similarity, encoding](n))

    # A factor u (or u²) is taken out of every bracket, and put back in `top`, so that none overflows.
    top = k + s * n  # log weight of a support equal to the query
    v = math.exp(-2 * s)  # u⁻²: what one disagreement multiplies a weight by
    one_minus_v = -math.expm1(-2 * s)
    p_bar, q_bar = p**2 + (1 - p) ** 2, 2 * p * (1 - p)
    c = p_bar + q_bar * v
    d = p_bar + q_bar * v**2
    d_minus_m2 = p * (1 - p) * one_minus_v**2  # the variance of a term given the query, in one feature
    m2_minus_c2 = d_minus_m2 * (2 * p - 1) ** 2  # the variance of what the query can expect
    m2 = c**2 + m2_minus_c2

    log_mean = top + math.log(r) + alpha * math.log(one_minus_v) + beta * math.log(c)
    log_own = math.log(r) + alpha * math.log(1 + v**2) + log_power_gap(d, d_minus_m2, beta)
    log_shared = 2 * math.log(r) + 2 * alpha * math.log(one_minus_v) + log_power_gap(m2, m2_minus_c2, beta)
    return Moments(log_mean, 2 * top + float(np.logaddexp(log_own, log_shared)))


def variation_per_active_feature(tau: float = 1.0) -> float:
    """Return √(u² + u⁻²)/(u − u⁻¹) with u = e^τ: what each active feature multiplies σ/μ by (§3, Eq. 6).

    The paper gives about 3.2 for τ = 1, which is the term without its root.

    >>> round(variation_per_active_feature(), 3)
    1.167
    >>> round((math.exp(2) + math.exp(-2)) / (math.exp(1) - math.exp(-1)), 3)
    3.201
    """
    check_tau(tau)
    v = math.exp(-2 * tau)
    return math.sqrt(1 + v**2) / -math.expm1(-2 * tau)


def log_power_gap(large: float, gap: float, power: int) -> float:
    """Return log(large^power − (large − gap)^power), which does not cancel where the gap is small.

    >>> round(math.exp(log_power_gap(3.0, 1.0, 4)), 9)  # 3⁴ − 2⁴
    65.0
    >>> log_power_gap(3.0, 0.0, 4)
    -inf
    """
    ratio = -math.expm1(power * math.log1p(-gap / large))
    return power * math.log(large) + math.log(ratio) if ratio > 0 else -math.inf


def _exp(log: float) -> float:
    return math.exp(log) if log < 709 else math.inf
