"""How long it all takes, by the experiments' own estimates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from polythetic.report.section import Section

CORES = 2  # of the machine that an estimate in hours is for


def core_time(costs: Mapping[str, float]) -> str:
    """Say how long parts take together on one core; nothing if that is not known.

    >>> [core_time({"part": seconds}) for seconds in (3.0, 640.0, 12_330.0)]
    ['less than a core minute', 'about 11 core minutes', 'about 3.4 core hours']
    """
    seconds = sum(costs.values())
    if not seconds:
        return ""
    if seconds < 60:
        return "less than a core minute"
    return f"about {seconds / 60:.0f} core minutes" if seconds < 5400 else f"about {seconds / 3600:.1f} core hours"


def all_together(sections: Sequence[Section]) -> str:
    """Say how long all sections take, what two of them share counted once, and where times were measured."""
    once = {part: cost for section in sections for part, cost in section.costs.items()}
    if not once:
        return ""
    unknown = [section.where.split(",")[0] for section in sections if not section.costs]
    measured = [section.title + how for section in sections if (how := _timed(section)) is not None]
    said = [
        f"By the experiments' own estimates all of it takes {core_time(once)}{_on_cores(sum(once.values()))}; what "
        "several experiments share is done once."
    ]
    said += [f"Not counted, since their data are not here: {', '.join(unknown)}."] if unknown else []
    said += [f"Times that were measured are in: {'; '.join(measured)}."] if measured else []
    return " ".join(said)


def _on_cores(seconds: float) -> str:
    """Say how long that is on several cores, where it is hours.

    >>> _on_cores(7200.0), _on_cores(300.0)
    (', 1.0 hours on 2 cores', '')
    """
    return f", {seconds / CORES / 3600:.1f} hours on {CORES} cores" if seconds >= 5400 else ""


def _timed(section: Section) -> str | None:
    """Say what was timed if not all, None if nothing was: a training's minutes are its steps by what one takes."""
    timed = {entry["metric"] for entry in section.rows if entry["metric"].startswith("seconds")}
    if not timed:
        return None
    return "" if timed == {"seconds"} else " (a few steps; the minutes of a training are as many steps as it has)"
