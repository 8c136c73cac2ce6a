"""The paper's task suites by name, on the data they are made from."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from polythetic.arguments import one_of
from polythetic.datasets import Collection, mnist, omniglot, tiered
from polythetic.datasets.mnist import mnist_source
from polythetic.episodes.boolean import BooleanTasks
from polythetic.episodes.classes import alphabet_tasks, class_tasks, hierarchy_tasks, unseen_character_tasks
from polythetic.episodes.digits import DigitTasks
from polythetic.episodes.grouped import GroupedTasks
from polythetic.episodes.pictures import PictureTasks

Suite: TypeAlias = BooleanTasks | DigitTasks | GroupedTasks | PictureTasks


class Named(NamedTuple):
    """A suite that has a name.

    Attributes:
        title: what it asks.
        make: makes it, from a collection unless it needs none, and options.
        collection: loads what it is made from, of a split, from a folder of data.
        source: says which data that would be, where there is a choice.
    """

    title: str
    make: Callable[..., Suite]
    collection: Callable[[str, Path | None], Collection] | None = None
    source: Callable[[], str] = str

    @property
    def options(self) -> list[str]:
        """The options that it takes."""
        names = list(signature(self.make).parameters)[self.collection is not None :]
        return [name for name in names if name != "version"]  # which is in the suite's name


def _digits(split: str, data: Path | None) -> Collection:
    return mnist(split, data=data)


def _characters(split: str, data: Path | None) -> Collection:
    turned = split in ("training", "fitting")  # in training a character turned by a right angle is a new one
    return omniglot(split, data=data, rotations=turned)


def _alphabets(split: str, data: Path | None) -> Collection:
    return omniglot(split, data=data)


def _categories(split: str, data: Path | None) -> Collection:
    return tiered(split, data=data)


def _boolean(
    n: int = 10, alpha: int = 2, repetitions: int = 5, design: str = "balanced", rows: int | None = None
) -> BooleanTasks:
    return BooleanTasks(n=n, alpha=alpha, repetitions=repetitions, design=design, rows=rows)


SUITES = {
    "boolean": Named("Binary strings: XOR over a few of the bits", _boolean),
    **{
        f"mnist-{version}": Named(
            f"Polythetic MNIST, {version}: {title}", partial(DigitTasks, version=version), _digits, mnist_source
        )
        for version, title in {
            "clean": "four coloured digits, those that do not matter left out",
            "colourless": "four white digits",
            "full": "four coloured digits",
        }.items()
    },
    "pictures": Named(
        "Four coloured digits: what is each, and of what colour?",
        PictureTasks,
        _digits,
        mnist_source,
    ),
    "omniglot-characters": Named("Omniglot: which of 20 characters?", class_tasks, _characters),
    "omniglot-alphabets": Named(
        "Omniglot: which of 3 alphabets, from 13 characters of each?", alphabet_tasks, _alphabets
    ),
    "omniglot-unseen": Named(
        "Omniglot: which of 3 alphabets, asked of characters not shown?", unseen_character_tasks, _alphabets
    ),
    "tiered": Named("tieredImageNet: which category, from several classes of each?", hierarchy_tasks, _categories),
}


def suite_named(
    name: str, *, split: str = "training", data: Path | None = None, options: dict[str, Any] | None = None
) -> Suite:
    """Load a suite by name; the options are those of its class or function.

    >>> suite_named("mnist-full", split="evaluation", options={"polythetic": 1.0}).rows
    Rows(support=96, query=32)
    """
    one_of("suite", name, SUITES)
    suite, options = SUITES[name], options or {}
    for option in options:
        one_of(f"option of {name}", option, suite.options)
    return suite.make(**options) if suite.collection is None else suite.make(suite.collection(split, data), **options)
