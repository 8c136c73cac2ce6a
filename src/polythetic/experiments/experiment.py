"""What an experiment is: something to run, a table or a picture to show for it, and words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from polythetic.progress import Progress
from polythetic.report.section import Section, Table
from polythetic.results import Result, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Budget:
    """How much work to put in."""

    name: str
    tasks: int  # per cell of a table
    grid_tasks: int  # per cell of a map
    trials: int  # of a simulation
    train_tasks: tuple[int, ...]  # of a small network: it is tested after each of these
    train_seeds: int  # small networks alike but for chance


BUDGETS = {
    budget.name: budget
    for budget in (
        Budget("quick", tasks=200, grid_tasks=40, trials=20_000, train_tasks=(200,), train_seeds=1),
        Budget("standard", tasks=1000, grid_tasks=400, trials=400_000, train_tasks=(1000, 10_000), train_seeds=5),
        Budget("paper", tasks=1000, grid_tasks=1000, trials=1_000_000, train_tasks=(1000, 10_000), train_seeds=5),
    )
}


class Run(NamedTuple):
    """What an experiment is given to run with."""

    budget: Budget
    seed: int
    progress: Progress


@dataclass(frozen=True)
class Experiment:
    """One table or figure of the paper, or one of ours.

    Attributes:
        name: as in ``polythetic reproduce NAME`` and ``results/NAME.json``.
        title: what it shows, in a line.
        where: where the paper has it.
        run: finds the rows.
        text: says in words what the rows show; a paragraph each.
        table: lays the rows out, if they are for reading.
        draw: makes the picture from the result, if there is one.
    """

    name: str
    title: str
    where: str
    run: Callable[[Run], list[Row]]
    text: Callable[[Result], list[str]]
    table: Callable[[list[Row]], Table] | None = None
    draw: Callable[[Result], Figure] | None = None

    def section(self, result: Result, pictures: Path) -> Section:
        """Lay a result out for people, with the picture that was made of it."""
        picture = pictures / f"{self.name}.png"
        return Section(
            name=self.name,
            title=self.title,
            where=self.where,
            command=result.command,
            text=self.text(result),
            table=self.table(result.rows) if self.table else None,
            picture=picture if self.draw and picture.exists() else None,
        )
