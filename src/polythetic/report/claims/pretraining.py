"""App. G: an encoder that has learned to name all digits and colours."""

from __future__ import annotations

from polythetic.experiments.appendix_g import PRETRAINING
from polythetic.report.chance import ASKED, at_chance
from polythetic.report.evidence import Evidence, gap
from polythetic.report.ledger import Claim, Point, asking, by_variant
from polythetic.report.numbers import percentage
from polythetic.results import Row

READ_OUTS = ("softmax", "sigmoid")


def _solved(evidence: Evidence, variant: str, read_out: str, kind: str) -> tuple[Row, Row]:
    """Return the rows of prototypes and of attention."""
    prototypes, attention = (
        evidence.the("appendix-g", method, read_out=read_out, tasks=kind, variant=variant) for method in ("PN", "MN")
    )
    return prototypes, attention


def _after(entry: Row) -> str:
    """Say how much pre-training a row comes after."""
    size = PRETRAINING[entry["setting"]["variant"]].keywords["batch_size"]
    return f", after {entry['train_tasks']:,} batches of {size}"


@asking("no less than printed, to its last digit")
@by_variant
def named(evidence: Evidence, variant: str) -> Point:
    """Look up what is named rightly, in how many pictures."""
    rows = [
        evidence.the("appendix-g", metric="named rightly", what=what, variant=variant) for what in ("digits", "colours")
    ]
    met = [entry["mean"] + 2 * (entry["stderr"] or 0) + 0.05 >= entry["paper"] for entry in rows]
    words = " and ".join(f"{percentage(entry['mean'])} % of the {entry['setting']['what']}" for entry in rows)
    return Point(f"{words}, {rows[0]['tasks']:,} pictures", all(met), _after(rows[0]))


@by_variant
def advantage(evidence: Evidence, variant: str) -> list[Point]:
    """Compare the two on monothetic tasks."""
    points = []
    for read_out in READ_OUTS:
        prototypes, attention = _solved(evidence, variant, read_out, "monothetic")
        lead, error = gap(prototypes, attention)
        words = f"{read_out}: {percentage(prototypes['mean'])}, attention {percentage(attention['mean'])} %"
        points.append(Point(words, lead > error, _after(prototypes)))
    return points


@asking(ASKED)
@by_variant
def no_better(evidence: Evidence, variant: str) -> list[Point]:
    """Look how far prototypes are from chance on polythetic tasks."""
    points = []
    for read_out in READ_OUTS:
        entry = _solved(evidence, variant, read_out, "polythetic")[0]
        words = f"{read_out}: {percentage(entry['mean'])} %"
        points.append(Point(words, at_chance(entry), _after(entry)))
    return points


@asking("something lost, and more gained, errors aside")
@by_variant
def make_up(evidence: Evidence, variant: str) -> list[Point]:
    """Set what attention loses on monothetic tasks beside what it gains on polythetic ones."""
    points = []
    for read_out in READ_OUTS:
        both = [_solved(evidence, variant, read_out, kind) for kind in ("monothetic", "polythetic")]
        lost, gained = (gap(*pair)[0] for pair in both)
        words = f"{read_out}: loses {percentage(lost)} points, gains {percentage(-gained)}"
        points.append(Point(words, 0 < lost < -gained, _after(both[0][0])))
    return points


CLAIMS = [
    Claim(
        "“95.6% on the digit labels and 100% on the colour labels over 1600 validation examples”",
        "App. G, Table 7",
        named,
    ),
    Claim("“threshold classification has the advantage in monothetic tasks”", "App. G, Table 7", advantage),
    Claim("“but perform no better than chance for polythetic tasks”", "App. G, Table 7", no_better),
    Claim(
        "“weaker in the monothetic setting, but more than make up for this … in the polythetic setting”",
        "App. G, Table 7",
        make_up,
    ),
]
