"""§5 and App. G, J: polythetic MNIST."""

from __future__ import annotations

from collections.abc import Iterator

from polythetic.report.evidence import Evidence, gap
from polythetic.report.ledger import Claim, Point, by_variant
from polythetic.report.numbers import listed, percentage
from polythetic.results import Row

DATASETS = ("clean", "colourless", "full")
KINDS = ("monothetic", "polythetic")
CHANCE, NEAR = 50.0, 2.0


def _column(evidence: Evidence, method: str, kind: str, variant: str) -> dict[str, Row]:
    cells = {dataset: {"dataset": dataset, "tasks": kind, "variant": variant} for dataset in DATASETS}
    return {dataset: evidence.the("table2", method, **cell) for dataset, cell in cells.items()}


def _means(rows: dict[str, Row]) -> str:
    return f"{listed(entry['mean'] for entry in rows.values())} % ({' / '.join(rows)})"


def _ahead(first: dict[str, Row], second: dict[str, Row]) -> bool:
    return all(difference > error for difference, error in (gap(first[key], second[key]) for key in first))


@by_variant
def prototypes_excel(evidence: Evidence, variant: str) -> Point:
    """Compare PN with MN on monothetic tasks."""
    prototypes, attention = (_column(evidence, name, "monothetic", variant) for name in ("PN", "MN"))
    words = f"PN {_means(prototypes)}, MN {listed(e['mean'] for e in attention.values())} %"
    return Point(words, _ahead(prototypes, attention))


@by_variant
def prototypes_guess(evidence: Evidence, variant: str) -> Point:
    """Look how far PN is from chance on polythetic tasks."""
    found = _column(evidence, "PN", "polythetic", variant)
    return Point(_means(found), all(abs(entry["mean"] - CHANCE) <= NEAR for entry in found.values()))


@by_variant
def attention_is_sensitive(evidence: Evidence, variant: str) -> Point:
    """See what irrelevant digits cost MN on monothetic tasks."""
    found = _column(evidence, "MN", "monothetic", variant)
    clean = found.pop("clean")
    lost = {dataset: -gap(entry, clean)[0] for dataset, entry in found.items()}
    words = f"beside clean it loses {listed(lost.values())} points on {' / '.join(lost)} (monothetic)"
    return Point(words, all(loss > gap(found[dataset], clean)[1] for dataset, loss in lost.items()))


@by_variant
def both_kinds(evidence: Evidence, variant: str) -> Point:
    """See whether one learner does both kinds of tasks, where the paper's does."""
    found = {kind: _column(evidence, "FS+MN", kind, variant) for kind in KINDS}
    lowest = min(found[kind][dataset]["mean"] for kind in KINDS for dataset in ("clean", "colourless"))
    words = ", ".join(f"{kind} {listed(e['mean'] for e in column.values())}" for kind, column in found.items())
    return Point(f"{words} % ({' / '.join(DATASETS)})", lowest >= 90)


@by_variant
def best_on_polythetic(evidence: Evidence, variant: str) -> Point:
    """Compare FS+MN with the better of the others."""
    found = {name: _column(evidence, name, "polythetic", variant) for name in ("FS+MN", "MN", "PN")}
    leads = [min(gap(found["FS+MN"][d], found[other][d])[0] for other in ("MN", "PN")) for d in DATASETS]
    holds = all(_ahead(found["FS+MN"], found[other]) for other in ("MN", "PN"))
    return Point(f"ahead by {listed(leads)} points ({' / '.join(DATASETS)})", holds)


def _mixes(evidence: Evidence, method: str, kind: str) -> dict[float, Row]:
    rows = evidence.rows("figure8", method, tasks=kind, variant="ours")
    return {entry["setting"]["proportion"]: entry for entry in rows}


def at_all_proportions(evidence: Evidence) -> Iterator[Point]:
    """Compare FS+MN with the better of the others at each mix."""
    for kind in KINDS:
        ours = _mixes(evidence, "FS+MN", kind)
        rivals = [_mixes(evidence, name, kind) for name in ("PN", "MN")]
        leads = {
            mix: min((gap(entry, rival[mix]) for rival in rivals), key=lambda g: g[0]) for mix, entry in ours.items()
        }
        words = (
            f"{kind}: lead of {listed(lead for lead, _ in leads.values())} points at {listed(leads, '{:.0%}'.format)}"
        )
        yield Point(words, all(lead >= -error for lead, error in leads.values()))


def less_affected(evidence: Evidence) -> Iterator[Point]:
    """Compare how far the mix moves each method."""
    for kind in KINDS:
        moved = {}
        for method in ("FS+MN", "PN", "MN"):
            means = [entry["mean"] for entry in _mixes(evidence, method, kind).values()]
            moved[method] = max(means) - min(means)
        words = ", ".join(f"{method} {percentage(points)}" for method, points in moved.items())
        yield Point(
            f"{kind}, from the worst mix to the best: {words} points",
            2 * moved["FS+MN"] < min(moved["PN"], moved["MN"]),
        )


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
        "“FS can simultaneously detect salient features and perform polythetic classifications”",
        "§5, Table 2",
        both_kinds,
    ),
    Claim(
        "(bold figures: FS+MN is best on polythetic tasks, clean, colourless and full)", "Table 2", best_on_polythetic
    ),
    Claim("“FS matches or outperforms the other models at all training proportions”", "Figure 8", at_all_proportions),
    Claim("“and is far less affected by the training mix”", "Figure 8", less_affected),
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
