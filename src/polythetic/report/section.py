"""What a report is made of: sections of words, a picture and a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from polythetic.report.comparison import LONG, Line, comparison, verdict_counts
from polythetic.report.duration import core_time
from polythetic.report.effort import effort
from polythetic.report.stand_in import stand_in_words
from polythetic.results import FROM_WEIGHTS, Row


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
    budget: str = ""  # quick, standard, paper or from-weights
    errors: str = ""  # what ± and bars are, in a sentence
    versions: Mapping[str, str] = MappingProxyType({})  # of what made it
    costs: Mapping[str, float] = MappingProxyType({})  # of its parts, in seconds of one core, about; not known if none

    @property
    def takes(self) -> str:
        """How long it takes, in words, if that is known."""
        return core_time(self.costs)

    @property
    def made_with(self) -> str:
        """The version and the source that made it, which may be others than the next section's."""
        if "polythetic" not in self.versions:
            return ""
        return f"polythetic {self.versions['polythetic']}, source {self.versions.get('source', 'not known')}"

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
        return verdict_counts(self.rows, self.name)

    @property
    def effort(self) -> str:
        """How much work it is made of, in words."""
        return effort(self.name, self.rows)

    @property
    def made_of(self) -> str:
        """What every caption ends with: the budget and the tasks, and what the data are if they are not the paper's."""
        budget = "Trained weights" if self.budget == FROM_WEIGHTS else f"{self.budget.capitalize()} budget"
        words = f"{budget}: {self.effort}" if self.budget else self.effort[0].upper() + self.effort[1:]
        which = "Each line of the table says which." if self.table and "trained on" in self.table.header else ""
        return " ".join(filter(None, [words, which, stand_in_words(self.rows)]))

    @property
    def caption(self) -> str:
        """What its table and its picture show, and what they are made of."""
        title = self.title if self.title.endswith("?") else f"{self.title}."
        return " ".join(filter(None, [title, self.errors, self.made_of]))

    @property
    def caption_compared(self) -> str:
        """What the comparison shows, how it ends, and what it is made of."""
        return (
            f"The paper's figures beside ours, after ± the standard error: {'; '.join(self.verdicts)}. {self.made_of}"
        )


def comparison_table(section: Section) -> Table:
    """Lay the comparison out as a table."""
    body = [
        [line.name, line.setting, line.paper, line.ours, line.difference, line.verdict] for line in section.comparison
    ]
    return Table(["", "setting", "paper", "ours", "difference", "verdict"], body)
