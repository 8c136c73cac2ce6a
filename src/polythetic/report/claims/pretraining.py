"""App. G: an encoder that has learned to name all digits and colours."""

from __future__ import annotations

from collections.abc import Iterator

from polythetic.report.evidence import VARIANTS, Evidence, NoRowError, gap
from polythetic.report.ledger import Claim, Point, by_variant
from polythetic.report.numbers import percentage
from polythetic.results import Row

READ_OUTS = ("softmax", "sigmoid")
CHANCE, NEAR = 50.0, 2.0


def _solved(evidence: Evidence, variant: str, read_out: str, kind: str) -> tuple[Row, Row]:
    """Return the rows of prototypes and of attention."""
    prototypes, attention = (
        evidence.the("appendix-g", method, read_out=read_out, tasks=kind, variant=variant) for method in ("PN", "MN")
    )
    return prototypes, attention


@by_variant
def named(evidence: Evidence, variant: str) -> Point:
    """Look up what is named rightly, in how many pictures."""
    rows = [
        evidence.the("appendix-g", metric="named rightly", what=what, variant=variant) for what in ("digits", "colours")
    ]
    met = [entry["mean"] + 2 * (entry["stderr"] or 0) + 0.05 >= entry["paper"] for entry in rows]
    words = " and ".join(f"{percentage(entry['mean'])} % of the {entry['setting']['what']}" for entry in rows)
    return Point(f"{words}, {rows[0]['tasks']:,} pictures", all(met))


def advantage(evidence: Evidence) -> Iterator[Point]:
    """Compare the two on monothetic tasks."""
    for variant, read_out, name in _each(evidence):
        prototypes, attention = _solved(evidence, variant, read_out, "monothetic")
        lead, error = gap(prototypes, attention)
        words = f"{name}: {percentage(prototypes['mean'])}, attention {percentage(attention['mean'])} %"
        yield Point(words, lead > error)


def no_better(evidence: Evidence) -> Iterator[Point]:
    """Look how far prototypes are from chance on polythetic tasks."""
    for variant, read_out, name in _each(evidence):
        mean = _solved(evidence, variant, read_out, "polythetic")[0]["mean"]
        yield Point(f"{name}: {percentage(mean)} %", abs(mean - CHANCE) <= NEAR)


def make_up(evidence: Evidence) -> Iterator[Point]:
    """Set what attention loses on monothetic tasks beside what it gains on polythetic ones."""
    for variant, read_out, name in _each(evidence):
        lost, gained = (
            abs(gap(*_solved(evidence, variant, read_out, kind))[0]) for kind in ("monothetic", "polythetic")
        )
        yield Point(f"{name}: loses {percentage(lost)} points, gains {percentage(gained)}", gained > lost)


def _each(evidence: Evidence) -> Iterator[tuple[str, str, str]]:
    """Yield variant, read-out and a name for the two, of those that there are rows for."""
    there = 0
    for variant, words in VARIANTS.items():
        for read_out in READ_OUTS:
            try:
                _solved(evidence, variant, read_out, "polythetic")
            except NoRowError:
                continue
            there += 1
            yield variant, read_out, f"{words}, {read_out}"
    if not there:
        raise NoRowError("neither read-out")


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
