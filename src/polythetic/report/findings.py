"""What we found in the paper and its code: each thing in words, and a number that shows it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

from polythetic.report.evidence import Evidence, NotRunError
from polythetic.report.ledger import UNUSABLE


@dataclass(frozen=True)
class Finding:
    """Something to know about the paper or the authors' code.

    Attributes:
        title: what it is, in a line.
        words: what there is to know, without our numbers.
        number: looks our number up, or computes it, and says it in a sentence.
    """

    title: str
    words: str
    number: Callable[[Evidence], str]


class Found(NamedTuple):
    """A finding with its number, or with the reason why there is none yet."""

    title: str
    words: str
    number: str
    shown: bool


def found(finding: Finding, evidence: Evidence) -> Found:
    """Put the number to a finding; where it cannot be had, say why, and stop nobody.

    >>> found(Finding("Ties", "They happen.", lambda evidence: "In half of the tasks."), Evidence({})).number
    'In half of the tasks.'
    >>> found(Finding("Ties", "They happen.", lambda e: f"In {e.mean('table1')} %."), Evidence({})).number
    'Not shown: table1 has not been run.'
    """
    try:
        return Found(finding.title, finding.words, finding.number(evidence), shown=True)
    except NotRunError as error:
        why = str(error)
    except UNUSABLE as error:
        why = f"the rows for it are not there ({error})"
    return Found(finding.title, finding.words, f"Not shown: {why}.", shown=False)


def all_found(findings: Iterable[Finding], evidence: Evidence) -> list[Found]:
    """Put the numbers to findings, in their order."""
    return [found(finding, evidence) for finding in findings]
