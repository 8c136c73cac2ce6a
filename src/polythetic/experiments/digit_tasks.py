"""Figures 7, 14, 15 and 16: what polythetic MNIST looks like, explained by a few examples and in whole supports."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from polythetic.datasets.collection import Collection
from polythetic.datasets.mnist import mnist
from polythetic.episodes import DigitTasks, Episode
from polythetic.errors import MissingDataError
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.jobs import Job
from polythetic.report.digit_groups import groups_of
from polythetic.report.sheets import example_task, task_sheet
from polythetic.results import Result, Row, row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METHOD = "polythetic MNIST"


class Found(NamedTuple):
    """One task, its number, and where its digits come from."""

    episode: Episode
    number: int
    source: str


class Choice(NamedTuple):
    """Which polythetic task to show: the first of a seed that is as wished."""

    version: str
    wished: Callable[[int, int], bool]  # of the active attributes' numbers, the smaller first: digits before colours
    words: str

    def find(self, seed: int) -> Found:
        """Go through the tasks of the seed."""
        digits = evaluation_digits()
        suite = DigitTasks(digits, self.version, polythetic=1)
        for number in count():
            episode = suite.batch(seed, number, number + 1)
            if self.wished(*episode.attributes["active"][0].sort().values.tolist()):
                return Found(episode, number, digits.source)
        raise AssertionError("unreachable: numbers do not end")


def evaluation_digits() -> Collection:
    """Take the digits that need no download, so that the pictures are the same everywhere; else those that are here."""
    try:
        return mnist("evaluation", source="embedded")
    except MissingDataError:
        return mnist("evaluation")


def _digit_and_colour(first: int, second: int) -> bool:
    return first < 4 <= second


CHOICES = {  # by figure
    7: Choice(
        "full",
        lambda first, second: (first, second) == (2, 7),  # bottom-left digit and bottom-right colour
        "the first whose active attributes are those of the paper's figure, the bottom-left digit and the bottom-right colour",
    ),
    14: Choice("clean", _digit_and_colour, "the first with a digit and a colour active"),
    15: Choice("colourless", lambda first, second: True, "the first there is"),
    16: Choice("full", _digit_and_colour, "the first with a digit and a colour active"),
}


def jobs(figure: int, budget: Budget, seed: int) -> Cells:
    """Look for one task."""
    return {"task": Job(f"Figure {figure}", groups, {"figure": figure, "seed": seed})}


def groups(figure: int, seed: int) -> list[Row]:
    """Record each group of the support: what its pictures have in common, and how many there are."""
    choice = CHOICES[figure]
    found = choice.find(seed)
    shared = {"dataset": choice.version, "task": found.number, "source": found.source}
    return [
        row(
            METHOD,
            {**shared, "class": group.label, "group": group.number, "traits": group.words},
            "examples",
            len(group.rows),
            tasks=1,
        )
        for group in groups_of(found.episode)
    ]


COLOURS = " Colours are the task's own, pure red, green and blue; these words tell the groups apart without them."


def text(choice: Choice, shown: str, result: Result) -> list[str]:
    """Say which task it is, what makes its classes, and where the digits come from."""
    settings = [entry["setting"] for entry in result.rows]
    classes = {
        label: " or ".join(f"“{setting['traits']}”" for setting in settings if setting["class"] == label)
        for label in sorted({setting["class"] for setting in settings})
    }
    return [
        f"{shown} This is task {settings[0]['task']} of seed {result.seed}, {choice.words}. "
        + " ".join(f"Class {label} is {words}." for label, words in classes.items())
        + " Each attribute alone has the same values as often in both classes; only the two together tell, as in an XOR."
        + ("" if choice.version == "colourless" else COLOURS)
        + f" The digits: {settings[0]['source']}."
    ]


def _experiment(
    number: int, where: str, title: str, question: str, shown: str, sheet: Callable[[Episode], Figure]
) -> Experiment:
    choice = CHOICES[number]

    def draw(result: Result) -> Figure:
        return sheet(choice.find(result.seed).episode)

    return Experiment(
        name=f"figure{number}",
        title=title,
        where=f"Figure {number}, {where}",
        question=question,
        jobs=partial(jobs, number),
        text=partial(text, choice, shown),
        draw=draw,
    )


FIGURE7 = _experiment(
    7,
    "§5",
    "A polythetic MNIST task, explained",
    "What makes a class of polythetic MNIST, when neither of its two attributes alone does?",
    "Examples of each group of a full polythetic task. Outlines mark the quadrants that matter; what else is in the "
    "pictures is random.",
    example_task,
)
FIGURE14 = _experiment(
    14,
    "App. J",
    "The support of a clean polythetic MNIST task",
    "What does a learner see of a clean task, where nothing but the active attributes is shown?",
    "The whole support of a clean polythetic task: quadrants without an active attribute are black.",
    task_sheet,
)
FIGURE15 = _experiment(
    15,
    "App. J",
    "The support of a colourless polythetic MNIST task",
    "What does a learner see of a colourless task, where two of the four digits are irrelevant?",
    "The whole support of a colourless polythetic task: four white digits, two of which matter.",
    task_sheet,
)
FIGURE16 = _experiment(
    16,
    "App. J",
    "The support of a full polythetic MNIST task",
    "What does a learner see of a full task, where six of the eight attributes are irrelevant?",
    "The whole support of a full polythetic task: four coloured digits; all but two of their attributes are random.",
    task_sheet,
)
