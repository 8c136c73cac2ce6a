"""The moments as the paper prints them, errors and all, to be set beside the exact ones."""

from __future__ import annotations

import math
from collections.abc import Callable

from polythetic.errors import InputError
from polythetic.theory._arguments import check_probability, check_sizes
from polythetic.theory.moments import Moments, log_power_gap

# Per (similarity, source): the exponent of e in the active features' brackets, the log of the factor
# "introduced" to the mean (twice that to the variance), and the exponent of e in the mean's β bracket.
_PRINTED: dict[tuple[str, str], Callable[[int], tuple[float, float, int]]] = {
    ("dot", "text"): lambda alpha: (1.0, 0.0, 1),
    ("dot", "appendix"): lambda alpha: (1.0, 0.0, 2),
    ("cosine", "appendix"): lambda alpha: (1 / alpha, 0.0, 2),
    ("euclidean", "appendix"): lambda alpha: (1.0, -1.0 * alpha, 2),
    ("laplace", "appendix"): lambda alpha: (1.0, -1.0 * alpha, 2),
}


def printed_moments(
    alpha: int,
    beta: int,
    *,
    repetitions: int = 1,
    p: float = 0.5,
    similarity: str = "dot",
    source: str = "text",
) -> Moments:
    """Return the moments that the paper prints (§3, Eqs. 4–5; App. C, C.1), which are not the exact ones.

    Use `attention_moments` for the truth. What is printed, and what is wrong with it:

    - dot, text:  μ = r(e − e⁻¹)^α c^β is right. σ² = r(e² + e⁻²)^α (d^β − c^2β) takes the supports' terms
      for independent, but they share one query: right only for p ∈ {0, ½, 1} or β = 0, otherwise
      too small if r > ((e² + e⁻²)/(e − e⁻¹)²)^α = 1.362^α and too large if r is less.
    - dot, appendix:  the same variance; the mean has (p̄e² + q̄e⁻²)^β, the second moment's base, for c^β.
      (The appendix also defines p̄ with a minus, p² − (1−p)²; its next equality, used here, is right.)
    - cosine, appendix:  the appendix's dot with e^(1/α) for e in the active brackets only. The similarity
      divides by n, not by α, and the irrelevant features' e has to be e^(1/n) too.
    - euclidean and laplace, appendix (0/1 features):  the appendix's dot times e^−α (e^−2α). The irrelevant
      features are left unscaled, and dividing by e^α leaves a disagreement's cost at 2 where it is 1.

    >>> from polythetic.theory.moments import attention_moments
    >>> setting = {"repetitions": 5, "p": 0.8}
    >>> round(printed_moments(2, 3, **setting).variance), round(attention_moments(2, 3, **setting).variance)
    (20492, 27917)

    The appendix's means, printed against exact:

    >>> round(printed_moments(2, 3, **setting, source="appendix").mean), round(
    ...     attention_moments(2, 3, **setting).mean)
    (3595, 210)
    >>> round(printed_moments(2, 3, **setting, similarity="cosine", source="appendix").mean), round(
    ...     attention_moments(2, 3, **setting, similarity="cosine").mean, 2)
    (707, 1.06)
    >>> round(printed_moments(2, 3, **setting, similarity="euclidean", source="appendix").mean), round(
    ...     attention_moments(2, 3, **setting, similarity="euclidean", encoding="bits").mean, 2)
    (487, 1.01)

    Args:
        alpha: Active features (α).
        beta: Irrelevant features (β).
        repetitions: Times that each variant of the active features is in the support (r).
        p: Probability that an irrelevant feature is 1.
        similarity: "dot", "cosine", "euclidean" or "laplace".
        source: "text" for §3, which has the dot product only, or "appendix".
    """
    check_sizes(alpha, beta, repetitions)
    check_probability(p)
    if (similarity, source) not in _PRINTED:
        known = "; ".join(f"{name} in the {where}" for name, where in _PRINTED)
        raise InputError("similarity, source", f"{similarity}, {source}", f"what the paper prints: {known}")
    exponent, shift, mean_exponent = _PRINTED[similarity, source](alpha)
    r, e = repetitions, math.e

    p_bar = p**2 + (1 - p) ** 2
    q_bar = 1 - p_bar
    d = p_bar * e**2 + q_bar * e**-2
    d_minus_c2 = p_bar * q_bar * (e - 1 / e) ** 2
    mean_base = p_bar * e**mean_exponent + q_bar * e**-mean_exponent

    log_mean = shift + math.log(r) + alpha * math.log(e**exponent - e**-exponent) + beta * math.log(mean_base)
    log_variance = (
        2 * shift
        + math.log(r)
        + alpha * math.log(e ** (2 * exponent) + e ** (-2 * exponent))
        + log_power_gap(d, d_minus_c2, beta)
    )
    return Moments(log_mean, log_variance)
