"""Errata of the theory (§3, App. B, App. C)."""

from __future__ import annotations

import math
from typing import Any

from polythetic.report.evidence import Evidence
from polythetic.report.findings import Finding
from polythetic.report.numbers import percentage, tidy
from polythetic.theory import attention_moments, printed_moments, simulate_attention, variation_per_active_feature

CASE: dict[str, Any] = {"repetitions": 5, "p": 0.8}
SAID = "α = 2, β = 3, r = 5, p = 0.8"
DRAWS = 20_000


def mean_of_the_appendix(evidence: Evidence) -> str:
    """Compute the mean as both places print it."""
    exact, text = attention_moments(2, 3, **CASE).mean, printed_moments(2, 3, **CASE).mean
    appendix = printed_moments(2, 3, **CASE, source="appendix").mean
    return f"At {SAID} the mean is {tidy(exact)}: {tidy(text)} by §3, {tidy(appendix)} by App. C."


def p_bar(evidence: Evidence) -> str:
    """Compute p̄ with the minus and without."""
    p = CASE["p"]
    right, printed = p**2 + (1 - p) ** 2, p**2 - (1 - p) ** 2
    return f"At p = {p} the first gives {printed:.2f}, the second {2 * p**2 - 2 * p + 1:.2f}; it is {right:.2f}."


def about_three(evidence: Evidence) -> str:
    """Compute the term with its root and without."""
    without = (math.e**2 + math.e**-2) / (math.e - 1 / math.e)
    return f"It is {variation_per_active_feature():.3f}; {without:.1f} is what is left if the root is forgotten."


def boundary(evidence: Evidence) -> str:
    """Put a point of the derived boundary into the line before it, as printed and turned over."""
    x = 1.0
    y = -0.5 * math.log(math.tanh(x))
    ratio = (math.cosh(y) + math.sinh(y)) / (math.cosh(y) - math.sinh(y))
    return (
        f"At x = 1 (β = 1) the boundary is at y = {y:.3f}, where tanh x = {math.tanh(x):.3f}; the fraction as printed "
        f"is {ratio:.3f}, turned over {1 / ratio:.3f}."
    )


def other_similarities(evidence: Evidence) -> str:
    """Compute the means for the cosine and for squared distance, printed and exact."""
    parts = []
    for name, words in (("cosine", "the cosine"), ("euclidean", "squared distance")):
        encoding = "bits" if name == "euclidean" else "signs"
        exact = attention_moments(2, 3, **CASE, similarity=name, encoding=encoding).mean
        printed = printed_moments(2, 3, **CASE, similarity=name, source="appendix").mean
        parts.append(f"for {words} {tidy(printed, 3)} is printed where the mean is {tidy(exact, 3)}")
    return f"At {SAID}, {' and '.join(parts)}."


def softmax(evidence: Evidence) -> str:
    """Draw the sum and the softmax output of the same supports and queries."""
    total, output = (
        simulate_attention(2, 3, **CASE, normalised=normalised, trials=DRAWS) for normalised in (False, True)
    )
    relative = [drawn.variance**0.5 / drawn.mean for drawn in (total, output)]
    return (
        f"At {SAID}, {DRAWS:,} draws: the sum has mean {tidy(total.mean)} and variance {tidy(total.variance, 3)}, the "
        f"softmax output {tidy(output.mean, 3)} and {tidy(output.variance, 3)}. σ/μ, by which §3 argues, is "
        f"{relative[0]:.2f} of the sum, {relative[1]:.2f} of the output. Errors are the same: "
        f"{percentage(100 * total.misclassification)} and {percentage(100 * output.misclassification)} %."
    )


def normal(evidence: Evidence) -> str:
    """Find where the normal approximation is worst, and simulate fewer repetitions, where it is worse."""
    rates = evidence.rows("theory", "simulation", metric="misclassification")
    worst = max(rates, key=lambda entry: abs(entry["mean"] - entry["normal"]))
    s = worst["setting"]
    few: dict[str, Any] = {"alpha": 4, "beta": 3, "repetitions": 2}
    simulated = simulate_attention(**few, trials=DRAWS).misclassification
    approximate = attention_moments(**few).misclassification
    return (
        f"At r = {s['r']} it is off by up to {percentage(abs(worst['mean'] - worst['normal']))} points: at "
        f"α = {s['alpha']}, β = {s['beta']} the simulated rate is {percentage(worst['mean'])} %, the normal one "
        f"{percentage(worst['normal'])} %. With fewer repetitions it is worse: at α = 4, β = 3, r = 2 "
        f"{percentage(100 * simulated)} % and {percentage(100 * approximate)} %."
    )


def variance(evidence: Evidence) -> str:
    """Set the printed variance beside the exact one and the simulated one."""
    exact, printed = attention_moments(2, 3, **CASE).variance, printed_moments(2, 3, **CASE).variance
    simulated = evidence.the("theory", metric="variance", similarity="dot", alpha=2, beta=3, r=5, p=CASE["p"])
    return (
        f"At {SAID}: {tidy(printed)} printed, {tidy(exact)} exact, {tidy(simulated['mean'])} "
        f"±{tidy(simulated['stderr'], 2)} simulated."
    )


FINDINGS = [
    Finding(
        "The appendix's mean has the wrong base",
        "App. C prints the mean with (p̄e² + q̄e⁻²)^β, the base of the second moment. The (p̄e + q̄e⁻¹)^β of §3 is right.",
        mean_of_the_appendix,
    ),
    Finding(
        "p̄ is printed with a minus",
        "App. C defines p̄ as p² − (1 − p)² and, in the same line, as 2p² − 2p + 1. The second is right.",
        p_bar,
    ),
    Finding(
        "“Approximately 3.2” is not 3.2",
        "§3 says so of √(e² + e⁻²)/(e − e⁻¹), which is what each active feature multiplies the variation by.",
        about_three,
    ),
    Finding(
        "A fraction of App. B is upside down",
        "In the third-last line of the derivation of the boundary of AND; the lines after it are right.",
        boundary,
    ),
    Finding(
        "Cosine and Euclidean formulas leave β unscaled",
        "App. C.1 rescales the active features alone, and by α where the similarity divides by n. With u = e^s for e, "
        "and a factor e^k, one formula holds for all similarities.",
        other_similarities,
    ),
    Finding(
        "The variance is exact only at p = ½",
        "Eq. 5 takes the contributions of the support for independent; they meet one and the same query. Exact for "
        "every p: σ² = r(e² + e⁻²)^α (d^β − m₂^β) + r²(e − e⁻¹)^2α (m₂^β − c^2β).",
        variance,
    ),
    Finding(
        "The moments are not those of the output",
        "All moments of §3 and App. C are of the sum Σ ± exp(·). The classifier puts out its softmax, the sum divided "
        "by that of the weights, which has its sign and not its moments.",
        softmax,
    ),
    Finding(
        "The output is not normal",
        "A few large terms make the most of the sum; a rate of errors that is read off its moments as if it were "
        "normal is rough.",
        normal,
    ),
]
