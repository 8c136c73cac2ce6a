"""What was found in a table, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from polythetic.interactions import LEVEL, Effect, least_permutations
from polythetic.table_scores import TOP, TableScores

MOST_NAMED = 6  # columns in one sentence
MOST_SETS = 10  # pairs and threes that have a sentence each
ASKED_AT_MOST = 100_000  # permutations that anyone might wait for
UNTESTED = 4  # columns of the smallest set that is not tested

# Scores that may be a pattern of four or more: of at least this size, and so many times the next. In noise the first
# alone is reached by chance, the second by columns of large units; both together were not, in some 500 tables.
STRETCHED = 1.5
FAR_ABOVE = 15


def sentences(scores: TableScores, *, more_permutations: bool = True) -> list[str]:
    """Say what was found: what matters alone, and what only together.

    Args:
        scores: what is known of a table.
        more_permutations: who reads this can ask for them, where they would help.

    >>> pair = Effect((0, 1), 0.001, 0.9, 0.0)
    >>> three = Effect((0, 1, 2), 0.4, 0.9, 0.9)
    >>> found = TableScores(("b", "e", "a"), (3, 3, 1), (0.4, 0.6, 0.9), (pair, three), 40, {}, {}, (999, 999, 999))
    >>> sentences(found)
    ['b and e matter only together (p = 0.001).']
    """
    alone = [place for place, p in enumerate(scores.alone) if p <= LEVEL]
    together = [effect for effect in scores.together if effect.found]
    said = []
    if alone:
        said.append(_alone([scores.names[place] for place in alone], [scores.alone[place] for place in alone]))
    for effect in together[:MOST_SETS]:
        names = listed([scores.names[member] for member in effect.members])
        how = "only together" if stands_alone(effect, alone, together) else "more together than apart"
        said.append(f"{names} matter {how} (p = {p_value(effect.p)}).")
    if more := len(together) - MOST_SETS if len(together) > MOST_SETS else 0:
        said.append(f"So do {more} more pairs and threes.")
    return [*(said or _nothing(scores)), *_beyond_reach(scores, more_permutations)]


def stands_alone(effect: Effect, alone: Sequence[int], together: Sequence[Effect]) -> bool:
    """Tell whether no part of a set is known to do anything."""
    known = {(place,) for place in alone} | {other.members for other in together}
    parts = (part for size in range(1, len(effect.members)) for part in combinations(effect.members, size))
    return not any(part in known for part in parts)


def listed(names: Sequence[str], last: str = "and") -> str:
    """List names as one does.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} {last} {names[-1]}"


def p_value(p: float) -> str:
    """Write p with as many digits as tell anything.

    >>> p_value(0.00123), p_value(0.0500), p_value(0.734), p_value(1)
    ('0.001', '0.05', '0.73', '1')
    """
    return f"{p:.1g}" if p < 0.01 else f"{p:.2g}"


def _alone(names: Sequence[str], p: Sequence[float]) -> str:
    if len(names) == 1:
        return f"{names[0]} matters on its own (p = {p_value(p[0])})."
    equal = "=" if min(p) == max(p) else "≤"
    return f"{_named(names)} matter on their own (p {equal} {p_value(max(p))} each)."


def _named(names: Sequence[str]) -> str:
    """Name columns; of many the first."""
    if len(names) > MOST_NAMED:
        names = [*names[:MOST_NAMED], f"{len(names) - MOST_NAMED} more"]
    return listed(names)


def _nothing(scores: TableScores) -> Iterator[str]:
    """Say that no set that was tested stands out, how near they come, and whether a larger one may be there."""
    best = min(range(len(scores.names)), key=lambda place: scores.alone[place])
    closest = [f"{p_value(scores.alone[best])} for {scores.names[best]} alone"]
    tested = ["column"]
    for order, called in ((2, "pair"), (3, "three")):
        of_order = [effect for effect in scores.together if len(effect.members) == order]
        if of_order:
            names = listed([scores.names[member] for member in of_order[0].members])
            closest.append(f"{p_value(of_order[0].p)} for {names} together")
            tested.append(called)
    yield f"No {listed(tested, 'or')} is told apart from chance (p = {', '.join(closest)})."
    if above := _far_above(scores):
        yield f"{_named(above)} stand far above the rest: perhaps a pattern of four or more, which is not tested."


def _far_above(scores: TableScores) -> Sequence[str]:
    """Return the columns, if they are too many for a set that was tested, whose scores leave all others far behind."""
    varying = [score for score in scores.scores if score > 0]  # constant columns are far below in every table
    for size in range(UNTESTED, len(varying)):
        last, following = varying[size - 1 : size + 1]
        if last >= max(STRETCHED, FAR_ABOVE * following):
            return scores.names[:size]
    return ()


def _beyond_reach(scores: TableScores, more_permutations: bool) -> Iterator[str]:
    """Say which sets could not have been found, with so many columns and so few permutations."""
    columns, among = len(scores.names), min(TOP, len(scores.names))
    for order, called in ((1, "column"), (2, "pair of columns"), (3, "three columns")):
        if among < order:
            return
        wanted = least_permutations(columns, columns if order == 1 else among, order)
        if (permutations := scores.permutations[order - 1]) < wanted:
            can_ask = more_permutations and wanted <= ASKED_AT_MOST
            remedy = f"ask for {wanted:,} permutations, or " if can_ask else ""
            yield (
                f"With {columns:,} columns and {permutations:,} permutations no {called} can be told apart from "
                f"chance{' together' if order > 1 else ''}: {remedy}drop columns that cannot matter."
            )
            return
