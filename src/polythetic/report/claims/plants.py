"""§1: what is monothetic, and what polythetic."""

from __future__ import annotations

from collections.abc import Iterator

from polythetic.report.evidence import Evidence
from polythetic.report.ledger import Claim, Point


def _counts(evidence: Evidence, example: str, *metrics: str) -> list[int]:
    return [round(evidence.mean("figure1", "definition", metric=metric, example=example)) for metric in metrics]


def monothetic(evidence: Evidence) -> Iterator[Point]:
    """Count, where one feature decides, the values that suffice for a class."""
    (sufficient,) = _counts(evidence, "one", "sufficient")
    yield Point(f"where one feature decides: {sufficient} sufficient values for 3 classes", sufficient >= 3)


def polythetic(evidence: Evidence) -> Iterator[Point]:
    """Count, where none says anything alone, the values that suffice and those that are necessary."""
    counts = _counts(evidence, "none", "sufficient", "necessary")
    sufficient, necessary = (count or "none" for count in counts)
    yield Point(
        f"three combinations of two features a class: {sufficient} sufficient, {necessary} necessary", not any(counts)
    )


def pairs(evidence: Evidence) -> Iterator[Point]:
    """Count the pairs of classes that one feature tells apart, where each pair has its own."""
    told, sufficient = _counts(evidence, "pairs", "pairs told apart", "sufficient")
    yield Point(
        f"{told} of 3 pairs are told apart by a single feature; values that alone make a class: {sufficient or 'none'}",
        told == 3 and not sufficient,
    )


CLAIMS = [
    Claim(
        "“there is at least one necessary and sufficient attribute for class membership” (monothetic)", "§1", monothetic
    ),
    Claim(
        "“none of which are sufficient in isolation … and, potentially, none of which are necessary”", "§1", polythetic
    ),
    Claim("“we can distinguish A from B by the number of filaments, but not B from C”", "§1, Figure 1", pairs),
]
