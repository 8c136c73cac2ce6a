"""§5, Figure 8: the share of polythetic tasks in training."""

from __future__ import annotations

from collections.abc import Iterator

from polythetic.report.evidence import Evidence, gap
from polythetic.report.ledger import Claim, Point, asking
from polythetic.report.numbers import listed, percentage, signed
from polythetic.report.trained import trained
from polythetic.results import Row

KINDS = ("monothetic", "polythetic")
METHODS = ("FS+MN", "PN", "MN")
CHANCE, NEAR = 50.0, 2.0


def _mixes(evidence: Evidence, kind: str) -> dict[str, dict[float, Row]]:
    """Return the rows of each method by the share of polythetic tasks."""
    found = {method: evidence.rows("figure8", method, tasks=kind, variant="ours") for method in METHODS}
    return {method: {entry["setting"]["proportion"]: entry for entry in rows} for method, rows in found.items()}


def _head(kind: str, found: dict[str, dict[float, Row]]) -> str:
    return kind + trained([entry for rows in found.values() for entry in rows.values()])


def at_all_proportions(evidence: Evidence) -> Iterator[Point]:
    """Compare FS+MN with the better of the others at each mix."""
    for kind in KINDS:
        found = _mixes(evidence, kind)
        ours, *rivals = found.values()
        leads = {
            mix: min((gap(entry, rival[mix]) for rival in rivals), key=lambda g: g[0]) for mix, entry in ours.items()
        }
        shown = f"{listed((lead for lead, _ in leads.values()), signed)} points at {listed(leads, '{:.0%}'.format)}"
        holds = all(lead >= -error for lead, error in leads.values())
        yield Point(f"{_head(kind, found)}: lead of {shown}", holds)


@asking("less than half of each other's")
def less_affected(evidence: Evidence) -> Iterator[Point]:
    """Compare how far the mix moves each method; one that guesses at every mix cannot be moved, and is left out."""
    for kind in KINDS:
        found = _mixes(evidence, kind)
        guesses = [
            method for method, rows in found.items() if method != "FS+MN" and all(map(_by_chance, rows.values()))
        ]
        moved = {}
        for method, rows in found.items():
            if method not in guesses:
                means = [entry["mean"] for entry in rows.values()]
                moved[method] = max(means) - min(means)
        words = ", ".join(f"{method} {percentage(points)}" for method, points in moved.items())
        words += " points" + "".join(f"; {method}, at chance at every mix, left out" for method in guesses)
        ours, *others = moved.values()
        yield Point(
            f"{_head(kind, found)}, from the worst mix to the best: {words}",
            bool(others) and 2 * ours < min(others),
        )


def _by_chance(entry: Row) -> bool:
    return bool(abs(entry["mean"] - CHANCE) <= NEAR)


CLAIMS = [
    Claim("“FS matches or outperforms the other models at all training proportions”", "Figure 8", at_all_proportions),
    Claim("“and is far less affected by the training mix”", "Figure 8", less_affected),
]
