"""§5: Omniglot."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from polythetic.datasets.releases.omniglot_archives import BACKGROUND, DRAWINGS, EVALUATION
from polythetic.report.evidence import Evidence, NoRowError, Setting, gap, printed_gap
from polythetic.report.ledger import Claim, Point
from polythetic.report.numbers import percentage, signed
from polythetic.results import Row

# The alphabets may be drawn without replacement, as three classes should be, or with it, as the authors' code does.
TASKS: dict[str, Setting] = {
    "characters": {"tasks": "characters"},
    "alphabets": {"tasks": "alphabets", "replacement": False},
    "alphabets, with replacement": {"tasks": "alphabets", "replacement": True},
}
ALPHABETS = tuple(name for name in TASKS if name != "characters")


def _row(evidence: Evidence, method: str, tasks: str) -> Row:
    """Return the row with our settings; a method that has one kind of settings has that."""
    try:
        return evidence.the("table3", method, **TASKS[tasks], variant="ours")
    except NoRowError:
        return evidence.the("table3", method, **TASKS[tasks])


def _compare(
    tasks: tuple[str, ...],
    first: str,
    others: tuple[str, ...],
    holds: Callable[[float, float, float], bool],
) -> Callable[[Evidence], Iterator[Point]]:
    """Compare a method with others on tasks; ``holds`` is given the lead, its error and the lead in the paper."""

    def check(evidence: Evidence) -> Iterator[Point]:
        for kind in tasks:
            one = _row(evidence, first, kind)
            for other in others:
                rival = _row(evidence, other, kind)
                lead, error = gap(one, rival)
                words = (
                    f"{kind}: {first} {percentage(one['mean'])}, {other} {percentage(rival['mean'])} ({signed(lead)})"
                )
                yield Point(words, holds(lead, error, _printed(evidence, first, other, kind)))

    return check


def _printed(evidence: Evidence, first: str, second: str, tasks: str) -> float:
    """Return the paper's lead; its alphabets are one column, whichever rows it stands beside."""
    kinds = [kind for kind in TASKS if kind.split(",")[0] == tasks.split(",")[0]]
    for kind in kinds:
        try:
            return printed_gap(_row(evidence, first, kind), _row(evidence, second, kind))
        except NoRowError:
            continue
    raise NoRowError(f"the paper's figures for {first} and {second} on {tasks}")


def _clearly(lead: float, error: float, printed: float) -> bool:
    return lead > error


def _competitive(lead: float, error: float, printed: float) -> bool:
    """No further behind than the paper's own figures, which it calls competitive."""
    return lead + error >= min(printed, 0)


def alphabets_and_drawings(evidence: Evidence) -> Iterator[Point]:
    """Count what the loader insists on."""
    systems = BACKGROUND.alphabets + EVALUATION.alphabets
    words = f"{systems} alphabets ({BACKGROUND.alphabets} and {EVALUATION.alphabets}), {DRAWINGS} drawings of each of "
    words += f"{BACKGROUND.characters + EVALUATION.characters:,} characters"
    yield Point(words, (systems, BACKGROUND.alphabets, EVALUATION.alphabets, DRAWINGS) == (50, 30, 20, 20))


def half_a_point(evidence: Evidence) -> Iterator[Point]:
    """Find what selection costs on characters."""
    for method in ("FS+MN*", "FS+NN*"):
        lost, error = gap(_row(evidence, "PN", "characters"), _row(evidence, method, "characters"))
        yield Point(f"{method}: reduced by {percentage(max(lost, 0))}", lost - error <= 0.55)  # 0.5, rounded


def twelve_points(evidence: Evidence) -> Iterator[Point]:
    """Find what it gains on alphabets."""
    for kind in ALPHABETS:
        for method in ("FS+MN*", "FS+NN*"):
            gain, error = gap(_row(evidence, method, kind), _row(evidence, "PN", kind))
            yield Point(f"{method}, {kind}: {signed(gain)} points", gain + error >= 12.55)  # 12.6, rounded


CLAIMS = [
    Claim(
        "“50 writing systems with 20 hand drawn examples … 30 of the alphabets … the other 20”",
        "§5",
        alphabets_and_drawings,
    ),
    Claim(
        "“FS+MN is competitive with PN and IMP” (characters)",
        "§5, Table 3",
        _compare(("characters",), "FS+MN", ("PN", "IMP"), _competitive),
    ),
    Claim(
        "“while performing better than MN and MAML in character recognition”",
        "§5, Table 3",
        _compare(("characters",), "FS+MN", ("MN", "MAML"), _clearly),
    ),
    Claim(
        "“In alphabet recognition, FS+MN performs better than other methods”",
        "§5, Table 3",
        _compare(ALPHABETS, "FS+MN", ("PN", "MN", "MAML"), _clearly),
    ),
    Claim(
        "“while being competitive with IMP” (alphabets)",
        "§5, Table 3",
        _compare(ALPHABETS, "FS+MN", ("IMP",), _competitive),
    ),
    Claim(
        "“FS+MN* improves over MN* in both tasks”", "§5, Table 3", _compare(tuple(TASKS), "FS+MN*", ("MN*",), _clearly)
    ),
    Claim(
        "“the accuracy of FS+MN* and FS+NN* in character recognition is reduced by at most 0.5pp”",
        "§5, Table 3",
        half_a_point,
    ),
    Claim("“yet improved in alphabet recognition by 12.6pp”", "§5, Table 3", twelve_points),
    Claim(
        "“while performing similarly to the more complex IMP”",
        "§5, Table 3",
        lambda evidence: [
            point
            for method in ("FS+MN*", "FS+NN*")
            for point in _compare(ALPHABETS, method, ("IMP",), _competitive)(evidence)
        ],
    ),
]
