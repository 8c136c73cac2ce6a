"""Results: tables and figures in ``results/`` where the explorer was started, or those that come with polythetic."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from polythetic.arguments import one_of
from polythetic.errors import MissingDataError, ResultError
from polythetic.progress import Progress

if TYPE_CHECKING:
    from polythetic.report.section import Section, Table
    from polythetic.results import Result

OUT = Path("results")
COMMITTED = Path(__file__).parents[1] / "committed"  # in a wheel, and nowhere else
SOURCES = Path(__file__).parents[3]  # of an editable install
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


class Place(NamedTuple):
    """Where results are."""

    folder: Path
    words: str

    @property
    def there(self) -> list[str]:
        """The experiments that have results here."""
        from polythetic.experiments import EXPERIMENTS

        return [name for name in EXPERIMENTS if (self.folder / f"{name}.json").is_file()]


def place_of(budget: str = "standard") -> Place:
    """Find results of a budget: where the explorer was started, in the installed package, in the source tree."""
    from polythetic.results import folder

    started = folder(OUT, budget)
    places = [
        Place(started, f"Results in {started.absolute()}."),
        Place(folder(COMMITTED, budget), "Results that come with polythetic."),
    ]
    if (SOURCES / "pyproject.toml").is_file():
        places.append(Place(folder(SOURCES / "results", budget), "Results in the source tree of polythetic."))
    for place in places:
        if place.there:
            return place
    raise MissingDataError(
        f"no results in {started.absolute()}: start the explorer in the folder that has them, or make them there by "
        f"polythetic reproduce --budget {budget}"
    )


def budgets_of(experiment: str = "") -> list[str]:
    """List the budgets that there are results of, or results of one experiment."""
    found = []
    for budget in BUDGETS:
        try:
            there = place_of(budget).there
        except MissingDataError:
            continue
        if not experiment or experiment in there:
            found.append(budget)
    return found


def results(view: ResultsView, progress: Progress) -> Mapping[str, Any]:
    """Say what the page shows: all experiments that have results and, of one, the whole."""
    from polythetic.explore.code import results_lines

    place = place_of(view.budget)
    if view.experiment:
        one_of("experiment", view.experiment, place.there)
    progress.start("reading", len(place.there))
    lines = []
    for name in place.there:
        lines.append(_line(name, place.folder))
        progress.advance()
    return {
        "place": place.words,
        "budgets": budgets_of(view.experiment),
        "experiments": lines,
        "shown": _whole(view.experiment, place.folder) if view.experiment else None,
        "code": results_lines(view),
    }


def section_of(name: str, folder: Path) -> Section:
    """Lay one experiment out; of rows from another version no more than the comparison with the paper."""
    from polythetic.experiments import EXPERIMENTS
    from polythetic.report.section import Section
    from polythetic.results import load

    experiment, pictures = EXPERIMENTS[name], folder / "figures"
    result: Result = load(folder / f"{name}.json")
    try:
        return experiment.section(result, pictures)._replace(budget=result.budget)
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
            result.budget,
        )


def _line(name: str, folder: Path) -> dict[str, Any]:
    from polythetic.experiments import EXPERIMENTS
    from polythetic.report.comparison import verdict_counts
    from polythetic.results import load

    experiment = EXPERIMENTS[name]
    try:
        verdicts = verdict_counts(load(folder / f"{name}.json").rows)
    except ResultError as error:
        verdicts = [str(error)]
    return {
        "name": name,
        "where": experiment.where,
        "title": experiment.title,
        "question": experiment.question,
        "verdicts": verdicts,
    }


def _whole(name: str, folder: Path) -> dict[str, Any]:
    from polythetic.report.section import comparison_table

    section = section_of(name, folder)
    return {
        "title": section.title,
        "where": section.where,
        "question": section.question,
        "command": section.command,
        **_captions(section),
        "text": [paragraph.replace("**", "") for paragraph in section.text],
        "table": None if section.table is None else _plain(section.table),
        "comparison": _plain(comparison_table(section)) if section.comparison else None,
        "verdicts": section.verdicts,
        "picture": None if section.picture is None else b64encode(section.picture.read_bytes()).decode(),
    }


def _captions(section: Section) -> dict[str, str]:
    """Say what is below the picture and the tables; of rows from another version the data may not be known."""
    try:
        return {"caption": section.caption, "caption_compared": section.caption_compared}
    except LookupError:
        return {"caption": "", "caption_compared": ""}


def _plain(table: Table) -> dict[str, Any]:
    """Return a table as JSON has it, and which of its columns are numbers."""
    from polythetic.report.formats import aligned_right

    return {
        "header": list(table.header),
        "body": [list(line) for line in table.body],
        "right": list(aligned_right(table)),
    }
