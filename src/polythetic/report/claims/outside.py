"""§7: what no experiment of the paper bears on."""

from __future__ import annotations

from collections.abc import Iterator

from polythetic.report.evidence import Evidence, NotRunError
from polythetic.report.ledger import Claim, Point


def nobody(evidence: Evidence) -> Iterator[Point]:
    """Say so."""
    raise NotRunError("not run: not ours to check, no experiment of the paper bears on it")


CLAIMS = [
    Claim("“there are around 7000 rare diseases, affecting ∼1/17 of the worldwide population”", "§7", nobody),
]
