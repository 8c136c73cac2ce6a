"""The ledger: what the paper says in numbers, sentence by sentence, and what we found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

from polythetic.experiments.scored import SIGNIFICANT
from polythetic.report.evidence import VARIANTS, Evidence, NoRowError, NotRunError


class Point(NamedTuple):
    """One thing that was looked at for a claim."""

    words: str  # with our number
    holds: bool
    after: str = ""  # what there is to say of the settings: the training that they were given


Check: TypeAlias = Callable[[Evidence], Iterable[Point]]

# How all claims are judged.
RULE = (
    "two standard errors are allowed for; between methods put to the same tasks the signed-rank test decides, "
    f"p < {SIGNIFICANT}; “asked” says what else it takes"
)

# What goes wrong where rows are not as expected: they are of another version, or of a budget too small.
UNUSABLE = (LookupError, ValueError, TypeError, ArithmeticError)


class Standing(StrEnum):
    """How a claim stands."""

    HOLDS = "holds"
    PARTLY = "holds in part"
    FAILS = "does not hold"
    DIFFERS = "ours differs"  # what the authors say that they did is not put in doubt by our doing otherwise
    INCOMPARABLE = "not comparable (stand-in)"  # found on other data
    UNKNOWN = "not run"


Judge: TypeAlias = Callable[[Evidence, Sequence[bool]], Standing]


def by_points(evidence: Evidence, held: Sequence[bool]) -> Standing:
    """Let the points decide, as of most claims."""
    return Standing.HOLDS if all(held) else Standing.PARTLY if any(held) else Standing.FAILS


def of_settings(evidence: Evidence, held: Sequence[bool]) -> Standing:
    """Judge a sentence on what the authors did: we do the same, or we do not; it is no finding either way."""
    return Standing.HOLDS if all(held) else Standing.DIFFERS


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper that our experiments can check.

    Attributes:
        quote: its words, shortened.
        where: it stands.
        check: looks our numbers up, or computes them.
        judge: says how the claim stands by which of its points hold.
    """

    quote: str
    where: str
    check: Check
    judge: Judge = by_points


class Entry(NamedTuple):
    """A line of the ledger."""

    quote: str
    where: str
    points: Sequence[Point]
    standing: Standing
    missing: str = ""  # what would be needed to judge it

    @property
    def ours(self) -> str:
        """What was found, in a line."""
        if len(self.points) == 1:
            return self.points[0].words
        return "; ".join(f"{point.words} {'✓' if point.holds else '✗'}" for point in self.points) or self.missing


def entry_of(claim: Claim, evidence: Evidence) -> Entry:
    """Judge a claim; one that cannot be judged says why, and stops nobody.

    >>> entry_of(Claim("more than 3", "§1", lambda e: [Point("4", True)]), Evidence({})).standing
    <Standing.HOLDS: 'holds'>
    >>> entry_of(Claim("at 3", "§1", lambda e: [Point("at 4", False)], of_settings), Evidence({})).standing
    <Standing.DIFFERS: 'ours differs'>
    >>> entry_of(Claim("more", "§1", lambda e: [Point(f"{e.mean('table9')}", True)]), Evidence({})).ours
    'table9 has not been run'
    """
    try:
        points = list(claim.check(evidence))
    except NotRunError as error:
        return Entry(claim.quote, claim.where, [], Standing.UNKNOWN, str(error))
    except UNUSABLE as error:
        return Entry(claim.quote, claim.where, [], Standing.UNKNOWN, f"the rows for it are not there ({error})")
    standing = claim.judge(evidence, [point.holds for point in points])
    if standing in (Standing.DIFFERS, Standing.INCOMPARABLE):  # what is not judged has no marks: one point has none
        points = [Point("; ".join(point.words for point in points), holds=False)]
    return Entry(claim.quote, claim.where, points, standing)


def ledger(claims: Iterable[Claim], evidence: Evidence) -> list[Entry]:
    """Judge the claims, in their order."""
    return [entry_of(claim, evidence) for claim in claims]


def tally(entries: Iterable[Entry]) -> str:
    """Say how many hold, and how many do not.

    >>> print(tally([Entry("", "", [], Standing.HOLDS), Entry("", "", [], Standing.UNKNOWN)]))  # doctest: +ELLIPSIS
    2 sentences: 1 holds, 1 not run (two standard errors are allowed for; between methods put to the same tasks the ...)
    """
    entries = list(entries)
    return f"{len(entries)} sentences: {standings(entries)} ({RULE})"


def standings(entries: Iterable[Entry]) -> str:
    """Count the standings in words; nothing if there are no entries.

    >>> standings([Entry("", "Figure 6", [], Standing.HOLDS), Entry("", "Figure 16", [], Standing.FAILS)])
    '1 holds, 1 does not hold'
    """
    counts = Counter(entry.standing for entry in entries)
    plural = {Standing.HOLDS: "hold", Standing.PARTLY: "hold in part", Standing.FAILS: "do not hold"}
    said = {kind: str(kind) if counts[kind] == 1 else plural.get(kind, str(kind)) for kind in Standing}
    said[Standing.DIFFERS] = f"where {Standing.DIFFERS}"
    return ", ".join(f"{counts[kind]} {words}" for kind, words in said.items() if counts[kind])


def by_variant(check: Callable[[Evidence, str], Point | Sequence[Point]]) -> Check:
    """Look at a claim with our settings and with the authors', whichever there are rows for.

    The first point of each says whose settings they are, and what there is to say of them.

    >>> rows = [{"method": "MN", "setting": {"variant": "ours"}, "metric": "accuracy", "mean": 9.0, "paper": None}]
    >>> above_8 = by_variant(lambda e, v: Point(f"{e.mean('a', variant=v)}", e.mean("a", variant=v) > 8, ", untrained"))
    >>> above_8(Evidence({"a": rows}))
    [Point(words='our settings, untrained: 9.0', holds=True, after='')]
    """

    def checked(evidence: Evidence) -> list[Point]:
        points, missing = [], NoRowError("neither variant")
        for variant, name in VARIANTS.items():
            try:
                found = check(evidence, variant)
            except NoRowError as error:
                missing = error
            else:
                first, *others = [found] if isinstance(found, Point) else found
                points += [Point(f"{name}{first.after}: {first.words}", first.holds), *others]
        if not points:
            raise missing
        return points

    return checked


def asking(what: str) -> Callable[[Check], Check]:
    """Let the last point of a claim say what is asked for, where the paper's words leave it open.

    >>> high = asking("at least 8")(lambda evidence: [Point("9", True)])
    >>> high(Evidence({}))
    [Point(words='9 (asked: at least 8)', holds=True, after='')]
    """

    def asked(check: Check) -> Check:
        def checked(evidence: Evidence) -> list[Point]:
            *others, last = check(evidence)
            return [*others, last._replace(words=f"{last.words} (asked: {what})")]

        return checked

    return asked
