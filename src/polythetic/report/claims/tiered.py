"""§5: tieredImageNet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from polythetic.report.evidence import VARIANTS, Evidence, NotRunError
from polythetic.report.ledger import Check, Claim, Point, Standing, asking, by_points, by_variant, of_settings
from polythetic.report.stand_in import on_stand_in
from polythetic.results import Row

SIGNIFICANT = 0.001  # Table 5's bold figures
STAND_IN = "a stand-in, whose classes the network has seen"
EXCEPTED = (8, 5, "PN")  # C, G and the opponent of the one duel that is not


def categories(evidence: Evidence) -> Iterator[Point]:
    """Say what it would take."""
    raise NotRunError(
        "not run: `polythetic data verify tiered-imagenet` counts them, where the official release is there; ours is "
        f"{STAND_IN}"
    )


def _a_row(evidence: Evidence) -> Row:
    return evidence.rows("table5" if "table5" in evidence.results else "table4", metric=None)[0]


def on_what(check: Check) -> Check:
    """Let the first point of a claim say what data it was looked at on."""

    def checked(evidence: Evidence) -> list[Point]:
        first, *others = check(evidence)
        entry = _a_row(evidence)
        what = STAND_IN if on_stand_in(entry) else entry["setting"]["dataset"]
        return [first._replace(words=f"on {what}; {first.words}"), *others]

    return checked


def on_their_data(evidence: Evidence, held: Sequence[bool]) -> Standing:
    """Judge a claim by its points on tieredImageNet alone: what a stand-in shows is no finding on the paper."""
    return Standing.INCOMPARABLE if on_stand_in(_a_row(evidence)) else by_points(evidence, held)


def beside_theirs(check: Check) -> Check:
    """Let the last point of a claim say what the paper's own wins and losses come to."""

    def checked(evidence: Evidence) -> list[Point]:
        *others, last = check(evidence)
        (theirs,) = check(Evidence({"table5": [_printed(duel) for duel in _duels(evidence, variant="ours").values()]}))
        words = theirs.words.removeprefix(f"{VARIANTS['ours']}: ")
        return [*others, last._replace(words=f"{last.words}; by the paper's own counts {words}")]

    return checked


def _printed(duel: Row) -> Row:
    """Put the paper's counts in the place of ours."""
    theirs = {name: duel[f"paper_{name}"] for name in ("wins", "losses", "ties", "sign_p")}
    return duel | theirs | {"tasks": theirs["wins"] + theirs["losses"] + theirs["ties"]}


def _duels(evidence: Evidence, **setting: Any) -> dict[tuple[int, int, str], Row]:
    rows = evidence.rows("table5", "FS+MN", metric="wins", **setting)
    return {(e["setting"]["C"], e["setting"]["G"], e["setting"]["against"]): e for e in rows}


def _won(duel: Row) -> bool:
    return bool(duel["sign_p"] < SIGNIFICANT and duel["wins"] > duel["losses"])


def _told(duel: Row) -> str:
    s = duel["setting"]
    return f"C = {s['C']}, G = {s['G']} against {s['against']}, {duel['wins']} to {duel['losses']}"


@on_what
@beside_theirs
@by_variant
def improvements(evidence: Evidence, variant: str) -> Point:
    """Test every duel but the one that the paper leaves out."""
    duels = {key: duel for key, duel in _duels(evidence, variant=variant).items() if key != EXCEPTED}
    others = [_told(duel) for duel in duels.values() if not _won(duel)]
    but = f"; not {', nor '.join(others)}" if 0 < len(others) < len(duels) else ""
    return Point(f"in {len(duels) - len(others)} of {len(duels)} duels{but}", not others)


@asking(f"p ≥ {SIGNIFICANT}")
@on_what
@beside_theirs
@by_variant
def exception(evidence: Evidence, variant: str) -> Point:
    """Test that one."""
    duel = _duels(evidence, variant=variant)[EXCEPTED]
    return Point(f"{duel['wins']} to {duel['losses']}, p = {duel['sign_p']:.2g}", duel["sign_p"] >= SIGNIFICANT)


@asking("more at 10 than at 5, against both")
@on_what
@beside_theirs
@by_variant
def more_subgroups(evidence: Evidence, variant: str) -> Point:
    """Compare how often FS wins with five classes of each category and with ten, at two categories."""
    duels, told, more = _duels(evidence, variant=variant), [], []
    for against in ("MN", "PN"):
        found = [duels[2, groups, against] for groups in (5, 10)]
        shares = [100 * duel["wins"] / duel["tasks"] for duel in found]
        told.append(f"{against} {shares[0]:.0f} and {shares[1]:.0f} %")
        more.append(shares[1] > shares[0])
    return Point(f"tasks won at C = 2, G = 5 and 10: against {', '.join(told)}", all(more))


@on_what
def five_hundred(evidence: Evidence) -> Iterator[Point]:
    """Count the tasks."""
    counts = sorted({entry["tasks"] for entry in evidence.rows("table4")})
    yield Point(f"{' or '.join(f'{count:,}' for count in counts)} tasks", counts == [500])


CLAIMS = [
    Claim("“There are 34 categories of 10 to 30 classes each”", "§5", categories),
    Claim("“over 500 tasks”", "Table 4, Table 5", five_hundred, of_settings),
    Claim(
        "“FS leads to significant improvements in performance” (p < 0.001)", "§5, Table 5", improvements, on_their_data
    ),
    Claim(
        "“except C=8/G=5, where the difference between PN and FS is not significant”",
        "§5, Table 5",
        exception,
        on_their_data,
    ),
    Claim(
        "“particularly in the “more polythetic” case with 10 subgroups”", "§5, Table 5", more_subgroups, on_their_data
    ),
]
