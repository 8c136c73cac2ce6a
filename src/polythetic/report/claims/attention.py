"""§3, App. B and C: the output of attention on XOR, and where its boundary lies."""

from __future__ import annotations

from collections.abc import Iterator

import torch

from polythetic.classifiers import Matching
from polythetic.errors import InputError
from polythetic.pipeline import Method
from polythetic.report.evidence import Evidence
from polythetic.report.ledger import Claim, Point, asking
from polythetic.report.numbers import listed, percentage, tidy
from polythetic.results import Row
from polythetic.theory import attention_moments, printed_moments, variation_per_active_feature

SHARES = [percent / 100 for percent in range(101)]
NEAR = 4  # standard errors: of the many that are compared, some will be three away by chance


def off(entry: Row) -> float:
    """Return how many standard errors simulation and print are apart."""
    return abs(float(entry["mean"] - entry["paper"])) / float(entry["stderr"])


def _simulated(evidence: Evidence, metric: str, similarity: str) -> list[Row]:
    return evidence.rows("theory", "simulation", metric=metric, similarity=similarity)


@asking(f"at most {NEAR}")
def printed_mean(evidence: Evidence) -> Iterator[Point]:
    """Compare the printed mean with simulation."""
    furthest = max(map(off, _simulated(evidence, "mean", "dot")))
    yield Point(f"simulation differs by at most {furthest:.1f} standard errors", furthest <= NEAR)


@asking("above nothing")
def positive(evidence: Evidence) -> Iterator[Point]:
    """Look for a mean below nothing."""
    lowest = min(entry["mean"] for entry in evidence.rows("theory", "simulation", metric="mean"))
    yield Point(f"the lowest of all simulated means is {tidy(lowest, 2)}", lowest > 0)


@asking(f"within {NEAR} standard errors")
def printed_variance(evidence: Evidence) -> Iterator[Point]:
    """Compare the printed variance with simulation, p by p."""
    for entry in _simulated(evidence, "variance", "dot"):
        words = f"p = {entry['setting']['p']}: {tidy(entry['mean'])} simulated, {tidy(entry['paper'])} printed"
        yield Point(words, off(entry) <= NEAR)


@asking("3.2 when rounded")
def misprint(evidence: Evidence) -> Iterator[Point]:
    """Compute the term."""
    term = variation_per_active_feature()
    yield Point(f"√(e² + e⁻²)/(e − e⁻¹) = {term:.3f}", round(term, 1) == 3.2)


@asking("more with each")
def more_active(evidence: Evidence) -> Iterator[Point]:
    """See what an active feature does to the variation, and to the rate of errors."""
    term = variation_per_active_feature()
    yield Point(f"by {term:.3f} for each", term > 1)
    alphas = (2, 3, 4)
    rates = [evidence.mean("theory", metric="misclassification", alpha=alpha, beta=3) for alpha in alphas]
    yield Point(f"misclassified at β = 3, α = 2 / 3 / 4: {listed(rates)} %", rates == sorted(rates))


def empty(evidence: Evidence) -> Iterator[Point]:
    """Ask attention for an answer from no rows at all."""
    rows, query = torch.empty(0, 3), torch.ones(1, 3)
    try:
        Method(Matching("dot", temperature=1.0)).predict(rows, torch.empty(0, dtype=torch.long), query)
    except InputError as error:
        yield Point(f"ours refuses: {error}", True)
    else:
        yield Point("ours answers all the same", False)


@asking("by 10")
def repetitions(evidence: Evidence) -> Iterator[Point]:
    """Take a hundred times the repetitions: the variation should fall to a tenth."""
    for p in (0.5, 0.8):
        few, many = (attention_moments(2, 3, repetitions=r, p=p).variation for r in (1, 100))
        yield Point(f"p = {p}: 100 times r divides σ/μ by {percentage(few / many)}", abs(few / many - 10) < 0.05)


@asking("at least 99")
def look_up(evidence: Evidence) -> Iterator[Point]:
    """Take a support that is likely to hold every string."""
    found = evidence.mean("figure6", "MN", beta=1, r=10, design="balanced", variant="ours")
    yield Point(f"MN on XOR₄, r = 10 and β = 1: {percentage(found)} %", found >= 99)


@asking("above 1 inside")
def positive_term(evidence: Evidence) -> Iterator[Point]:
    """Find d/c² for many p, from the printed variation of one active and one irrelevant bit."""
    of = {p: (printed_moments(1, 1, p=p).variation / variation_per_active_feature()) ** 2 + 1 for p in SHARES}
    inside = [ratio for p, ratio in of.items() if 0 < p < 1]
    words = (
        f"d/c² is {min(inside):.2f} to {max(inside):.2f} for p = 0.01 to 0.99; at p = 0 and 1, where no bit varies, "
    )
    yield Point(f"{words}it is {of[0.0]:.2f}", min(inside) > 1)


@asking("more with each")
def more_irrelevant(evidence: Evidence) -> Iterator[Point]:
    """See what an irrelevant feature does to the variation, and to the rate of errors."""
    before, after = (attention_moments(2, beta, repetitions=5).variation for beta in (20, 21))
    yield Point(f"σ/μ grows by {after / before:.3f} with each (p = ½)", after > before)
    for alpha in (2, 3, 4):
        found = sorted(
            evidence.rows("theory", metric="misclassification", alpha=alpha), key=lambda e: e["setting"]["beta"]
        )
        rates = [entry["mean"] for entry in found]
        last = found[-1]["setting"]["beta"]
        words = f"α = {alpha}: {percentage(rates[0])} to {percentage(rates[-1])} % misclassified, β = 0 to {last}"
        yield Point(words, rates == sorted(rates))


@asking("at most 1e-09")
def boundary(evidence: Evidence) -> Iterator[Point]:
    """Compare the derived boundary with the classifier's."""
    worst = max(entry["mean"] for entry in evidence.rows("figure9", metric="largest boundary error"))
    yield Point(f"the classifier's boundary is at most {worst:.0e} away, at any temperature", worst < 1e-9)


def appendix_mean(evidence: Evidence) -> Iterator[Point]:
    """Compute the appendix's mean beside the exact one."""
    case = {"repetitions": 5, "p": 0.8}
    printed, exact = printed_moments(2, 3, **case, source="appendix").mean, attention_moments(2, 3, **case).mean  # type: ignore[arg-type]
    words = f"{tidy(printed)} where it is {tidy(exact)} (α = 2, β = 3, r = 5, p = 0.8; asked: within 1 %)"
    yield Point(words, abs(printed / exact - 1) < 0.01)


def agreement(evidence: Evidence) -> Iterator[Point]:
    """Compute p̄ in both ways printed."""
    ps = (0.0, 0.5, 1.0)
    minus, other = [p**2 - (1 - p) ** 2 for p in ps], [2 * p**2 - 2 * p + 1 for p in ps]
    yield Point(f"p² − (1 − p)² is {listed(minus).replace('-', '−')} at p = 0 / ½ / 1", minus == other)
    yield Point(f"2p² − 2p + 1 is {listed(other)}", other == [1.0, 0.5, 1.0])


CLAIMS = [
    Claim("“μ = r(e − e⁻¹)^α (p̄e + q̄e⁻¹)^β”", "§3, Eq. 4", printed_mean),
    Claim("“The mean is positive, as desired”", "§3", positive),
    Claim("“σ² = r(e² + e⁻²)^α [(p̄e² + q̄e⁻²)^β − (p̄e + q̄e⁻¹)^2β]”", "§3, Eq. 5", printed_variance),
    Claim(
        "“an empty support set, r=0, provides no basis on which to make predictions”",
        "§3",
        empty,
    ),
    Claim(
        "“increasing the number of repetitions, r, reduces the relative variability” (as 1/√r)",
        "§3, Eq. 6",
        repetitions,
    ),
    Claim(
        "“r ≫ 2^β, the support set is likely to span the input domain reducing classification to look-up”",
        "§3",
        look_up,
    ),
    Claim("“The term raised to α is approximately 3.2”", "§3", misprint),
    Claim("“and so the variability increases with the number of active elements”", "§3", more_active),
    Claim("“d > c² and so the rightmost term is positive”", "§3", positive_term),
    Claim(
        "“grows exponentially in β, meaning that misclassification increases with the number of irrelevant features”",
        "§3",
        more_irrelevant,
    ),
    Claim("“y = −(1/2β) ln(tanh(βx))”, the boundary of AND", "App. B, Figure 9", boundary),
    Claim("“p̄ = p² − (1 − p)² = 2p² − 2p + 1 … (p, p̄) = {(0, 1), (0.5, 0.5), (1, 1)}”", "App. C", agreement),
    Claim("“E = r(p̄e² + q̄e⁻²)^β (e − e⁻¹)^α”", "App. C", appendix_mean),
]
