"""App. C.1: attention by other similarities than the dot product."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

import torch

from polythetic.report.claims.attention import NEAR, off
from polythetic.report.evidence import Evidence
from polythetic.report.ledger import Check, Claim, Point, asking
from polythetic.report.numbers import listed, tidy
from polythetic.similarity import similarity_named
from polythetic.theory import attention_moments, boolean_inputs

ALPHA = 4
ENCODINGS = {"cosine": "signs", "euclidean": "bits"}


def printed(similarity: str, metric: str) -> Check:
    """Compare a printed moment with simulation, case by case."""

    @asking(f"within {NEAR} standard errors")
    def check(evidence: Evidence) -> Iterator[Point]:
        for entry in evidence.rows("theory", "simulation", metric=metric, similarity=similarity):
            s = entry["setting"]
            found = f"{tidy(entry['mean'], 2)} simulated, {tidy(entry['paper'], 3)} printed"
            yield Point(f"α = {s['alpha']}, p = {s['p']}: {found}", off(entry) <= NEAR)

    return check


def overall_picture(similarity: str) -> Check:
    """See whether variation grows with α, exponentially with β, and falls with r, as by dot products (p = ½)."""

    def variation(alpha: int = 2, beta: int = 3, r: int = 5) -> float:
        encoding = ENCODINGS[similarity]
        return attention_moments(alpha, beta, repetitions=r, similarity=similarity, encoding=encoding).variation

    @asking("rising with every α, falling with every r; by as much at β = 80 as at 20, or nine tenths of it")
    def check(evidence: Evidence) -> Iterator[Point]:
        by_alpha, by_r = [variation(alpha=alpha) for alpha in (1, 2, 3, 4)], [variation(r=r) for r in (1, 10, 100)]
        words = f"σ/μ is {listed(by_alpha, _short)} for α = 1 to 4, {listed(by_r, _short)} for r = 1 / 10 / 100"
        yield Point(words, _rising(by_alpha) and _rising(by_r[::-1]))
        early, late = (variation(beta=beta + 1) / variation(beta=beta) for beta in (20, 80))
        words = f"an irrelevant bit more makes it {early:.2f} times as large at β = 20, {late:.2f} times at 80"
        yield Point(words, late - 1 > 0.9 * (early - 1))

    return check


def _rising(values: list[float]) -> bool:
    return all(after > before for before, after in pairwise(values))


def _short(value: float) -> str:
    return tidy(value, 2)


def _to_first(similarity: str, encode: Callable[[torch.Tensor], torch.Tensor], n: int = ALPHA) -> list[float]:
    """Return the similarity of a string to itself, and to those that differ in its first 1, 2 … α bits."""
    strings = torch.ones(ALPHA + 1, n, dtype=torch.float64)
    strings[:, :ALPHA][torch.ones(ALPHA + 1, ALPHA).tril(-1) > 0] = -1
    strings = encode(strings)
    found: list[float] = similarity_named(similarity).pairwise(strings[:1], strings, None)[0].tolist()
    return found


def angular(evidence: Evidence) -> Iterator[Point]:
    """Compute both similarities at each distance; the cosine also where irrelevant bits stand beside."""
    deltas = range(ALPHA + 1)
    dot, cosine = (_to_first(name, lambda x: x) for name in ("dot", "cosine"))
    shown = f"{listed(dot, '{:.0f}'.format)} and {listed(cosine)}".replace("-", "−")
    right = torch.allclose(
        torch.tensor([dot, cosine]),
        torch.tensor([[ALPHA - 2 * d for d in deltas], [1 - 2 * d / ALPHA for d in deltas]]).float(),
    )
    yield Point(f"α = {ALPHA}, no other bits, δ = 0 to {ALPHA}: {shown}", bool(right))
    beside = _to_first("cosine", lambda x: x, n=2 * ALPHA)
    step = beside[0] - beside[1]
    words = f"beside β = {ALPHA} others a difference takes {step:.2f} off the cosine, not 2/α = {2 / ALPHA:.2f}"
    yield Point(words, abs(step - 2 / ALPHA) < 1e-9)


def same_as_l1(evidence: Evidence) -> Iterator[Point]:
    """Compare squared Euclidean distance and L1 on all pairs of strings of zeros and ones."""
    strings = torch.from_numpy(boolean_inputs(ALPHA)).double().add(1).div(2)
    squared, absolute = (similarity_named(name).pairwise(strings, strings, None) for name in ("euclidean", "laplace"))
    furthest = float((squared - absolute).abs().max())
    yield Point(f"they differ by at most {furthest:.1g} on {squared.numel()} pairs of strings", furthest < 1e-9)
    values = _to_first("euclidean", lambda x: (x + 1) / 2)
    words = listed(values, "{:.0f}".format).replace("-", "−")
    yield Point(f"{words} for δ = 0 to {ALPHA}", all(abs(value + delta) < 1e-9 for delta, value in enumerate(values)))


CLAIMS = [
    Claim("“f_dot(δ) = α − 2δ, f_cos(δ) = 1 − 2δ/α”", "App. C.1", angular),
    Claim(
        "“cosine-similarity introduces a factor of exp(1/α) to the mean”",
        "App. C.1",
        printed("cosine", "mean"),
    ),
    Claim("“and exp(2/α) to the variance” (cosine)", "App. C.1", printed("cosine", "variance")),
    Claim("“and the overall picture doesn't change” (cosine)", "App. C.1", overall_picture("cosine")),
    Claim(
        "“coincides with the ‘Laplace attention’ L1 norm in this encoding”, “f_L2(δ) = −(√δ)² = −δ”",
        "App. C.1",
        same_as_l1,
    ),
    Claim(
        "“squared Euclidean distance … introducing a factor of exp(−α) to the mean”",
        "App. C.1",
        printed("euclidean", "mean"),
    ),
    Claim("“and exp(−2α) to the variance” (Euclidean)", "App. C.1", printed("euclidean", "variance")),
    Claim("“which also doesn't change the overall picture” (Euclidean)", "App. C.1", overall_picture("euclidean")),
]
