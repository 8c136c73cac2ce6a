"""§5, Figure 8: the share of polythetic tasks in training."""

from __future__ import annotations

from math import hypot

from polythetic.experiments.scored import many
from polythetic.report.chance import at_chance
from polythetic.report.effort import PAPER
from polythetic.report.evidence import Evidence, gap
from polythetic.report.leads import lead_of
from polythetic.report.ledger import Claim, Point, asking, by_variant
from polythetic.report.numbers import listed, percentage, signed
from polythetic.report.trained import trained
from polythetic.results import Row

KINDS = ("monothetic", "polythetic")
OURS, *OTHERS = METHODS = ("FS+MN", "PN", "MN")


def _mixes(evidence: Evidence, kind: str, variant: str) -> dict[str, dict[float, Row]]:
    """Return the rows of each method by the share of polythetic tasks."""
    found = {method: evidence.rows("figure8", method, tasks=kind, variant=variant) for method in METHODS}
    return {method: {entry["setting"]["proportion"]: entry for entry in rows} for method, rows in found.items()}


def _head(kind: str, found: dict[str, dict[float, Row]]) -> str:
    """Say after how little training this is, and that it is of few learners."""
    rows = [entry for rows in found.values() for entry in rows.values()]
    learners = many(max(entry["train_seeds"] for entry in rows), "learner")
    return f"{kind}{trained(rows)} (paper: {PAPER['figure8'].training}), {learners} a mix"


@by_variant
def at_all_proportions(evidence: Evidence, variant: str) -> list[Point]:
    """Compare FS+MN with the better of the others at each mix."""
    points = []
    for kind in KINDS:
        found = _mixes(evidence, kind, variant)
        cell = {"tasks": kind, "variant": variant}
        leads = {
            mix: [lead_of(evidence, "figure8", OURS, other, **cell, proportion=mix) for other in OTHERS]
            for mix in found[OURS]
        }
        least = (min(lead.points for lead in against) for against in leads.values())
        shown = f"{listed(least, signed)} points at {listed(leads, '{:.0%}'.format)}"
        behind = [lead.behind for against in leads.values() for lead in against]
        points.append(Point(f"{_head(kind, found)}: lead of {shown}", not any(behind)))
    return points


@asking("less than half of theirs; ± two standard errors, over tasks alone")
@by_variant
def less_affected(evidence: Evidence, variant: str) -> list[Point]:
    """Compare how far the mix moves each method; one that guesses at every mix cannot be moved, and is left out."""
    points = []
    for kind in KINDS:
        found = _mixes(evidence, kind, variant)
        ours, error = _moved(found[OURS])
        head = f"{_head(kind, found)}, from the worst mix to the best: {OURS} {percentage(ours)} ±{percentage(error)}"
        guessing = [other for other in OTHERS if all(map(at_chance, found[other].values()))]
        head += "".join(f"; {other}, at chance at every mix, left out" for other in guessing)
        for other in OTHERS:
            if other not in guessing:
                theirs, their_error = _moved(found[other])
                words = f"{other} {percentage(theirs)} ±{percentage(their_error)} points"
                far_less = 2 * ours - theirs < -hypot(2 * error, their_error)
                points.append(Point(f"{head}; {words}" if head else words, far_less))
                head = ""
    return points


def _moved(rows: dict[float, Row]) -> tuple[float, float]:
    """Return how far the best mix is from the worst, and two standard errors of that."""
    ordered = sorted(rows.values(), key=lambda entry: entry["mean"])
    return gap(ordered[-1], ordered[0])


CLAIMS = [
    Claim("“FS matches or outperforms the other models at all training proportions”", "Figure 8", at_all_proportions),
    Claim("“and is far less affected by the training mix”", "Figure 8", less_affected),
]
