"""Which experiment each line of the ledger is credited to, by the places of the paper that both name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from polythetic.report.ledger import Entry
from polythetic.report.section import Section

ELSEWHERE = ""  # in the place of an experiment's name


def credited(
    sections: Sequence[Section], entries: Iterable[Entry], others: Mapping[str, str] | None = None
) -> dict[str, list[Entry]]:
    """Give each line to one experiment by its name, so that none counts twice; the rest is ``ELSEWHERE``.

    So are those of ``others``, experiments that are not in the report, by name and place: what belongs to one of them
    must not go to whoever happens to be there.

    >>> from polythetic.report.ledger import Standing
    >>> lines = [Entry("", where, [], Standing.HOLDS) for where in ("§3, Figure 3", "App. C.1", "§3", "§7")]
    >>> places = {"figure3": "Figure 3, §3", "theory": "§3, App. C"}
    >>> sections = [Section(name, "", where, "", "", [], None, None) for name, where in places.items()]
    >>> {name: [line.where for line in found] for name, found in credited(sections, lines).items()}
    {'figure3': ['§3, Figure 3'], 'theory': ['App. C.1', '§3'], '': ['§7']}
    >>> [len(found) for found in credited(sections[:1], lines, others=places).values()]
    [1, 3]
    """
    there = {section.name: section.where for section in sections}
    places = {name: where.split(", ") for name, where in {**there, **(others or {})}.items()}
    found: dict[str, list[Entry]] = {name: [] for name in (*there, ELSEWHERE)}
    for entry in entries:
        owners = (_owner(place, places) for place in sorted(entry.where.split(", "), key=_generality))
        owner = next(filter(None, owners), ELSEWHERE)
        found[owner if owner in there else ELSEWHERE].append(entry)
    return found


def _generality(place: str) -> int:
    """A figure says more exactly what a sentence is about than the section or the appendix that it stands in."""
    return 0 if place.startswith(("Figure", "Table")) else 1 if place.startswith("App.") else 2


def _owner(place: str, places: dict[str, list[str]]) -> str:
    """Name the experiment that has a place before all others, or alone; nothing where several share it."""
    having = [name for name, own in places.items() if any(_covers(one, place) for one in own)]
    first = [name for name in having if _covers(places[name][0], place)]
    return first[0] if first else having[0] if len(having) == 1 else ELSEWHERE


def _covers(own: str, place: str) -> bool:
    return place == own or place.startswith(f"{own}.")
