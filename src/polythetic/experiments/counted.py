"""On how many tasks the rows of a table rest, in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from polythetic.results import Row


def fewer(rows: Iterable[Row], most: int) -> str:
    """Say which rows were put to fewer tasks than the others.

    >>> rows = [{"label": "PN", "tasks": 1000}, {"label": "MAML", "tasks": 100}]
    >>> "over 1,000 tasks" + fewer([row | {"setting": {"variant": "ours"}} for row in rows], 1000)
    'over 1,000 tasks (100 for MAML)'
    """
    found: dict[int, list[str]] = {}
    for entry in rows:
        who = entry["label"] if entry["setting"]["variant"] == "ours" else "the authors' settings"
        if entry["tasks"] < most and who not in found.setdefault(entry["tasks"], []):
            found[entry["tasks"]].append(who)
    words = "; ".join(f"{tasks:,} for {listed(who)}" for tasks, who in found.items() if who)
    return f" ({words})" if words else ""


def alike(counts: Iterable[tuple[str, str]]) -> str:
    """Name together those that have the same count.

    >>> alike([("PN", "3,000"), ("MN", "1,000"), ("IMP", "1,000")])
    'PN 3,000; MN and IMP 1,000'
    """
    found: dict[str, list[str]] = {}
    for who, count in counts:
        found.setdefault(count, []).append(who)
    return "; ".join(f"{listed(who)} {count}" for count, who in found.items())


def listed(parts: Sequence[str]) -> str:
    """Join parts as people do.

    >>> listed(["clean", "colourless", "full"])
    'clean, colourless and full'
    """
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
