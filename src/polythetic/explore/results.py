"""Results: the tables and figures that are in ``results/`` of the folder that the explorer was started in."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from polythetic.arguments import one_of
from polythetic.errors import MissingDataError, ResultError
from polythetic.progress import Progress

if TYPE_CHECKING:
    from polythetic.report.section import Section, Table
    from polythetic.results import Result

OUT = Path("results")
BUDGETS = ("standard", "quick")  # the standard budget's folder has the paper's, too


@dataclass(frozen=True)
class ResultsView:
    """What is on the page.

    Attributes:
        experiment: one by its name; none: all of them, a line each.
        budget: ``"standard"``, those to be kept, or ``"quick"``.
    """

    experiment: str = ""
    budget: str = "standard"

    def __post_init__(self) -> None:
        one_of("budget", self.budget, BUDGETS)

    @property
    def folder(self) -> Path:
        """Where they are."""
        from polythetic.results import folder

        return folder(OUT, self.budget)


def results(view: ResultsView, progress: Progress) -> Mapping[str, Any]:
    """Say what the page shows: all experiments that have results and, of one, the whole."""
    from polythetic.experiments import EXPERIMENTS
    from polythetic.explore.code import results_lines

    there = [name for name in EXPERIMENTS if (view.folder / f"{name}.json").is_file()]
    if not there:
        raise MissingDataError(
            f"no results in {view.folder.absolute()}: start the explorer in the folder that has them, or make them "
            f"there by polythetic reproduce --budget {view.budget}"
        )
    progress.start("reading", len(there))
    lines = []
    for name in there:
        lines.append(_line(name, view))
        progress.advance()
    found: dict[str, Any] = {"experiments": lines, "shown": None, "code": results_lines(view)}
    if view.experiment:
        one_of("experiment", view.experiment, there)
        found["shown"] = _whole(view)
    return found


def section_of(view: ResultsView) -> Section:
    """Lay one experiment out; of rows from another version no more than the comparison with the paper."""
    from polythetic.experiments import EXPERIMENTS
    from polythetic.report.section import Section
    from polythetic.results import load

    experiment, pictures = EXPERIMENTS[view.experiment], view.folder / "figures"
    result: Result = load(view.folder / f"{view.experiment}.json")
    try:
        return experiment.section(result, pictures)
    except LookupError:
        picture = pictures / f"{experiment.name}.png"
        said = "These rows are from another version, whose words are not known here: run the command again for them."
        return Section(
            experiment.name,
            experiment.title,
            experiment.where,
            experiment.question,
            result.command,
            [said],
            None,
            picture if picture.is_file() else None,
            result.rows,
        )


def _line(name: str, view: ResultsView) -> dict[str, Any]:
    from polythetic.experiments import EXPERIMENTS
    from polythetic.report.comparison import verdict_counts
    from polythetic.results import load

    experiment = EXPERIMENTS[name]
    try:
        verdicts = verdict_counts(load(view.folder / f"{name}.json").rows)
    except ResultError as error:
        verdicts = [str(error)]
    return {
        "name": name,
        "where": experiment.where,
        "title": experiment.title,
        "question": experiment.question,
        "verdicts": verdicts,
    }


def _whole(view: ResultsView) -> dict[str, Any]:
    from polythetic.report.section import comparison_table

    section = section_of(view)
    return {
        "title": section.title,
        "where": section.where,
        "question": section.question,
        "command": section.command,
        "effort": section.effort,
        "text": [paragraph.replace("**", "") for paragraph in section.text],
        "table": None if section.table is None else _plain(section.table),
        "comparison": _plain(comparison_table(section)) if section.comparison else None,
        "verdicts": section.verdicts,
        "picture": None if section.picture is None else b64encode(section.picture.read_bytes()).decode(),
    }


def _plain(table: Table) -> dict[str, Any]:
    """Return a table as JSON has it, and which of its columns are numbers."""
    from polythetic.report.formats import aligned_right

    return {
        "header": list(table.header),
        "body": [list(line) for line in table.body],
        "right": list(aligned_right(table)),
    }
