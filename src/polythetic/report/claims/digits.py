"""§5 and App. F, J: polythetic MNIST."""

from __future__ import annotations

from collections.abc import Iterator

from polythetic.report.chance import ASKED, at_chance
from polythetic.report.evidence import Evidence, gap
from polythetic.report.leads import Lead, lead_of
from polythetic.report.ledger import Claim, Point, asking, by_variant
from polythetic.report.numbers import listed, percentage, signed
from polythetic.report.trained import trained
from polythetic.results import Row

DATASETS = ("clean", "colourless", "full")
KINDS = ("monothetic", "polythetic")
SENSITIVE = 5.0  # points, about half of what the paper's own figures lose
ENOUGH = 90.0  # per cent, of a learner that does both kinds of tasks


def _column(evidence: Evidence, method: str, kind: str, variant: str) -> dict[str, Row]:
    cells = {dataset: {"dataset": dataset, "tasks": kind, "variant": variant} for dataset in DATASETS}
    return {dataset: evidence.the("table2", method, **cell) for dataset, cell in cells.items()}


def _means(rows: dict[str, Row]) -> str:
    return f"{listed(entry['mean'] for entry in rows.values())} % ({' / '.join(rows)})"


def _trained(*columns: dict[str, Row]) -> str:
    return trained([entry for column in columns for entry in column.values()])


def _leads(evidence: Evidence, first: str, second: str, kind: str, variant: str) -> dict[str, Lead]:
    return {d: lead_of(evidence, "table2", first, second, dataset=d, tasks=kind, variant=variant) for d in DATASETS}


@asking("ahead of MN on all three")
@by_variant
def prototypes_excel(evidence: Evidence, variant: str) -> Point:
    """Compare PN with MN on monothetic tasks."""
    prototypes, attention = (_column(evidence, name, "monothetic", variant) for name in ("PN", "MN"))
    words = f"PN {_means(prototypes)}, MN {listed(e['mean'] for e in attention.values())} %"
    ahead = [lead.ahead for lead in _leads(evidence, "PN", "MN", "monothetic", variant).values()]
    return Point(words, all(ahead), _trained(prototypes, attention))


@asking(ASKED)
@by_variant
def prototypes_guess(evidence: Evidence, variant: str) -> Point:
    """Look how far PN is from chance on polythetic tasks."""
    found = _column(evidence, "PN", "polythetic", variant)
    return Point(f"{_means(found)}", all(map(at_chance, found.values())), _trained(found))


@asking(f"at least {SENSITIVE:.0f} on either, and clearly; the paper's own lose 9.9 / 9.5")
@by_variant
def attention_is_sensitive(evidence: Evidence, variant: str) -> Point:
    """See what irrelevant digits cost MN on monothetic tasks."""
    found = _column(evidence, "MN", "monothetic", variant)
    clean = found.pop("clean")
    lost = {dataset: -gap(entry, clean)[0] for dataset, entry in found.items()}
    words = f"beside clean it loses {listed(lost.values())} points on {' / '.join(lost)} (monothetic)"
    worse = [loss >= SENSITIVE and loss > gap(found[dataset], clean)[1] for dataset, loss in lost.items()]
    return Point(words, all(worse), _trained({"clean": clean, **found}))


@asking(f"at least {ENOUGH:.0f} on clean and colourless")
@by_variant
def both_kinds(evidence: Evidence, variant: str) -> Point:
    """See whether one learner does both kinds of tasks, where the paper's does."""
    found = {kind: _column(evidence, "FS+MN", kind, variant) for kind in KINDS}
    lowest = min(found[kind][dataset]["mean"] for kind in KINDS for dataset in ("clean", "colourless"))
    words = ", ".join(f"{kind} {listed(e['mean'] for e in column.values())}" for kind, column in found.items())
    words += f" % ({' / '.join(DATASETS)})"
    return Point(words, lowest >= ENOUGH, trained(found["monothetic"].values()))


@by_variant
def best_on_polythetic(evidence: Evidence, variant: str) -> Point:
    """Compare FS+MN with the better of the others."""
    found = {name: _column(evidence, name, "polythetic", variant) for name in ("FS+MN", "MN", "PN")}
    rivals = [_leads(evidence, "FS+MN", other, "polythetic", variant) for other in ("MN", "PN")]
    leads = [min((rival[dataset] for rival in rivals), key=lambda lead: lead.points) for dataset in DATASETS]
    shown = " / ".join(f"{signed(lead.points)} ±{percentage(lead.error)}" for lead in leads)
    words = f"leads by {shown} points ({' / '.join(DATASETS)}; ± two standard errors"
    tests = [lead.p for lead in leads if lead.p is not None]
    words += f", p ≤ {max(tests):.2g}" if tests else ""
    by_test = [d for d, lead in zip(DATASETS, leads, strict=True) if lead.ahead and lead.points <= lead.error]
    words += f"; {' and '.join(by_test)} by the test of the tasks alone, not by the mean)" if by_test else ")"
    return Point(words, all(lead.ahead for rival in rivals for lead in rival.values()), _trained(*found.values()))


def composition(experiment: str, evidence: Evidence) -> Iterator[Point]:
    """Compare the counts in a generated task with the paper's."""
    rows = [entry for entry in evidence.rows(experiment, metric=None) if entry["paper"] is not None]
    (everything,) = [entry for entry in rows if entry["setting"]["class"] == "all"]
    same = sum(entry["mean"] == entry["paper"] for entry in rows)
    yield Point(f"{everything['mean']:.0f} examples; {same} of {len(rows)} counts agree", same == len(rows))


def support_of_96(evidence: Evidence) -> Iterator[Point]:
    """Count the support."""
    return composition("table8", evidence)


def queries_of_32(evidence: Evidence) -> Iterator[Point]:
    """Count the queries."""
    return composition("table9", evidence)


CLAIMS = [
    Claim("“Protonets excel at identifying monothetic features”", "§5, Table 2", prototypes_excel),
    Claim("“but have a close to random performance on polythetic tasks”", "§5, Table 2", prototypes_guess),
    Claim(
        "“matching networks … are highly sensitive to task-irrelevant features”", "§5, Table 2", attention_is_sensitive
    ),
    Claim(
        "“(FS) can simultaneously detect salient features and perform polythetic classifications”",
        "§5, Table 2",
        both_kinds,
    ),
    Claim(
        "(bold figures: FS+MN is best on polythetic tasks, clean, colourless and full)", "Table 2", best_on_polythetic
    ),
    Claim(
        "“the support set has 96 samples (2 classes, 2 groups per class, and 24 … examples per group)”",
        "App. F, Table 8",
        support_of_96,
    ),
    Claim(
        "“The query set consists of 32 samples (2 classes, 2 groups per class, and 8 … examples per group)”",
        "App. F, Table 9",
        queries_of_32,
    ),
]
