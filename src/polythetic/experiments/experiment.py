"""What an experiment is: a question, jobs that answer it, a table or a picture to show for it, and words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from polythetic.experiments.budgets import Budget
from polythetic.jobs import Alone, Crew, Job, Keeping, Nothing, carry_out
from polythetic.progress import Progress, Silent
from polythetic.report.section import Section, Table
from polythetic.results import Result, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Cells: TypeAlias = Mapping[Hashable, Job]  # what is to be found, each under a name of its own
Found: TypeAlias = Mapping[Any, Any]  # under the same names, what the jobs found


def together(found: Found) -> list[Row]:
    """Put the rows that jobs have made one after the other."""
    return [entry for rows in found.values() for entry in rows]


@dataclass(frozen=True)
class Experiment:
    """One table or figure of the paper, or one of ours.

    Attributes:
        name: as in ``polythetic reproduce NAME`` and ``results/NAME.json``.
        title: what it shows, in a line.
        where: where the paper has it.
        question: what it asks, in a sentence.
        jobs: lists what has to be done, for a budget and a seed.
        text: says in words what the rows show; a paragraph each.
        rows: makes the rows of what the jobs found.
        table: lays the rows out, if they are for reading.
        draw: makes the picture from the result, if there is one.
        errors: says what ± and the bars of the picture are, in a sentence; nothing where there are none.
    """

    name: str
    title: str
    where: str
    question: str
    jobs: Callable[[Budget, int], Cells]
    text: Callable[[Result], list[str]]
    rows: Callable[[Found], list[Row]] = together
    table: Callable[[list[Row]], Table] | None = None
    draw: Callable[[Result], Figure] | None = None
    errors: str = ""

    def run(
        self,
        budget: Budget,
        seed: int = 0,
        *,
        store: Keeping | None = None,
        crew: Crew | None = None,
        progress: Progress | None = None,
        folder: Path = Path("runs"),
    ) -> list[Row]:
        """Have the jobs done, by this process alone if no crew is given, and make the rows."""
        cells = self.jobs(budget, seed)
        values = carry_out(
            list(cells.values()),
            store=store or Nothing(),
            crew=crew or Alone(),
            progress=progress or Silent(),
            folder=folder,
        )
        return self.rows(dict(zip(cells, values, strict=True)))

    def section(self, result: Result, pictures: Path) -> Section:
        """Lay a result out for people, with the picture that was made of it."""
        picture = pictures / f"{self.name}.png"
        return Section(
            name=self.name,
            title=self.title,
            where=self.where,
            question=self.question,
            command=result.command,
            text=self.text(result),
            table=self.table(result.rows) if self.table else None,
            picture=picture if self.draw and picture.exists() else None,
            rows=result.rows,
            errors=self.errors,
            versions=result.versions,
        )
