"""App. F: how much was put in."""

from __future__ import annotations

from collections.abc import Iterator

from polythetic.report.evidence import Evidence, NotRunError
from polythetic.report.ledger import Claim, Point

TABLES = ("table1", "table2", "table3", "appendix-g")


def thousand_tasks(evidence: Evidence) -> Iterator[Point]:
    """Count the tasks behind every figure that stands beside one of the paper's."""
    there = [name for name in TABLES if name in evidence.results]
    if not there:
        raise NotRunError("none of the tables has been run")
    for name in there:
        counts = sorted({e["tasks"] for e in evidence.rows(name) if e["paper"] is not None})
        yield Point(f"{name}: {' or '.join(f'{count:,}' for count in counts)}", counts == [1000])


CLAIMS = [Claim("“average the results across 1,000 tasks”", "App. F", thousand_tasks)]
