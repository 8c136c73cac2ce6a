"""What a report is made of: sections of words, a picture and a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from polythetic.report.comparison import LONG, Line, comparison, verdict_counts
from polythetic.report.effort import effort
from polythetic.results import Row


class Table(NamedTuple):
    """A table as people read it."""

    header: Sequence[str]
    body: Sequence[Sequence[str]]


class Section(NamedTuple):
    """One experiment, as people read it."""

    name: str
    title: str
    where: str  # the paper has it
    question: str  # that it answers, in a sentence
    command: str  # made it
    text: Sequence[str]  # a paragraph each
    table: Table | None
    picture: Path | None
    rows: Sequence[Row] = ()  # of which all this was made

    @property
    def comparison(self) -> list[Line]:
        """The paper's figures beside ours."""
        return comparison(self.rows)

    @property
    def is_long(self) -> bool:
        """Whether the comparison is better folded away."""
        return len(self.comparison) > LONG

    @property
    def verdicts(self) -> list[str]:
        """How many figures are met, in words."""
        return verdict_counts(self.rows)

    @property
    def effort(self) -> str:
        """How much work it is made of, in words."""
        return effort(self.name, self.rows)


def comparison_table(section: Section) -> Table:
    """Lay the comparison out as a table."""
    body = [
        [line.name, line.setting, line.paper, line.ours, line.difference, line.verdict] for line in section.comparison
    ]
    return Table(["", "setting", "paper", "ours", "difference", "verdict"], body)
