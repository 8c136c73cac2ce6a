"""The figures that Tables 2, 3 and 4 print in bold, the highest of their columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from polythetic.report.claims.omniglot import TASKS, row_of, told_apart
from polythetic.report.claims.tiered import on_their_data, on_what
from polythetic.report.evidence import Evidence, NoRowError
from polythetic.report.ledger import Claim, Point, asking, by_variant
from polythetic.report.numbers import percentage
from polythetic.results import Row

MONOTHETIC = {"clean": "PN", "colourless": "FS+MN", "full": "PN"}
OMNIGLOT = {"characters": ("PN", "IMP"), "alphabets": ("IMP", "FS+MN*", "FS+NN*")}
OTHERS = ("PN", "MN", "FS+MN", "IMP", "MAML", "MN*", "NN*", "FS+MN*", "FS+NN*")
TIERED = {(C, G): "PN" if (C, G) == (8, 5) else "FS+MN" for G in (5, 10) for C in (2, 4, 8)}


_highest = asking("the highest mean, errors aside")


def above(column: str, rows: Mapping[str, Row], bold: Collection[str]) -> list[Point]:
    """Set each bold method beside the best of those that are not; one without a row is left out.

    >>> rows = {name: {"mean": mean} for name, mean in {"PN": 94.5, "MN": 70.1, "FS+MN": 75.0}.items()}
    >>> above("full", rows, ["PN"])
    [Point(words='full: PN 94.5, next FS+MN 75.0', holds=True, after='')]
    >>> [point.words for point in above("full", rows, ["FS+MN", "MN"])]
    ['full: FS+MN 75.0, but PN 94.5', 'MN 70.1']
    """
    rival, best = max(((name, row["mean"]) for name, row in rows.items() if name not in bold), key=lambda pair: pair[1])
    points: list[Point] = []
    for name in bold:
        if name in rows:
            mean, words = rows[name]["mean"], f"{name} {percentage(rows[name]['mean'])}"
            beside = f"{'next' if mean >= best else 'but'} {rival} {percentage(best)}"
            points.append(Point(words if points else f"{column}: {words}, {beside}", mean >= best))
    return points


@_highest
@by_variant
def monothetic(evidence: Evidence, variant: str) -> list[Point]:
    """Look at the monothetic columns of Table 2."""
    points: list[Point] = []
    rows: list[Row] = []
    for dataset, best in MONOTHETIC.items():
        cell = {"dataset": dataset, "tasks": "monothetic", "variant": variant}
        found = {name: evidence.the("table2", name, **cell) for name in ("PN", "MN", "FS+MN")}
        points += above(dataset, found, [best])
        rows += found.values()
    return told_apart(points, rows, ())


@_highest
@by_variant
def omniglot(evidence: Evidence, variant: str) -> list[Point]:
    """Look at the columns of Table 3, the alphabets both ways."""
    points: list[Point] = []
    rows: list[Row] = []
    missing: list[str] = []
    for kind in TASKS:
        found = {}
        for name in OTHERS:
            try:
                found[name] = row_of(evidence, name, kind, variant)
            except NoRowError:
                missing.append(name)
        if not found:
            raise NoRowError(f"{kind} with {variant} settings")
        points += above(kind, found, OMNIGLOT[kind.split(",")[0]])
        rows += found.values()
    return told_apart(points, rows, missing)


@_highest
@on_what
@by_variant
def tiered(evidence: Evidence, variant: str) -> list[Point]:
    """Look at those columns of Table 4 that were run; prototypes have no settings to vary."""
    there = {(e["setting"]["C"], e["setting"]["G"]) for e in evidence.rows("table4", "FS+MN", variant=variant)}
    points: list[Point] = []
    for (C, G), best in TIERED.items():
        if (C, G) in there:
            found = {name: evidence.the("table4", name, C=C, G=G, variant=variant) for name in ("FS+MN", "MN")}
            found["PN"] = evidence.the("table4", "PN", C=C, G=G)
            points += above(f"C={C}/G={G}", found, [best])
    absent = [f"C={C}/G={G}" for C, G in TIERED if (C, G) not in there]
    after = f", {' and '.join(absent)} not run" if absent else ""
    return [points[0]._replace(after=after), *points[1:]]


CLAIMS = [
    Claim(
        "(bold figures, the highest: on monothetic tasks PN on clean and full, FS+MN on colourless)",
        "Table 2",
        monothetic,
    ),
    Claim(
        "(bold figures, the highest: PN and IMP on characters; IMP, FS+MN* and FS+NN* on alphabets)",
        "Table 3",
        omniglot,
    ),
    Claim("(bold figures, the highest: FS in five of six columns, PN at C=8/G=5)", "Table 4", tiered, on_their_data),
]
