"""The paper's task suites by name, on the data they are made from."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from polythetic.arguments import one_of
from polythetic.datasets import mnist, omniglot, tiered
from polythetic.episodes.boolean import BooleanTasks
from polythetic.episodes.classes import alphabet_tasks, class_tasks, hierarchy_tasks, unseen_character_tasks
from polythetic.episodes.digits import DigitTasks
from polythetic.episodes.grouped import GroupedTasks
from polythetic.errors import InputError

Suite: TypeAlias = BooleanTasks | DigitTasks | GroupedTasks


class Named(NamedTuple):
    """A suite that has a name."""

    title: str
    load: Callable[..., Suite]  # of a split, a folder of data, and the suite's own options


def _digits(version: str, title: str) -> Named:
    def load(split: str, data: Path | None, **options: Any) -> Suite:
        return DigitTasks(mnist(split, data=data), version, **options)

    return Named(f"Polythetic MNIST, {version}: {title}", load)


def _boolean(split: str, data: Path | None, **options: Any) -> Suite:
    return BooleanTasks(**{"n": 10, **options})


def _characters(split: str, data: Path | None, **options: Any) -> Suite:
    turned = split in ("training", "fitting")  # in training a character turned by a right angle is a new one
    return class_tasks(omniglot(split, data=data, rotations=turned), **options)


def _alphabets(split: str, data: Path | None, **options: Any) -> Suite:
    return alphabet_tasks(omniglot(split, data=data), **options)


def _unseen(split: str, data: Path | None, **options: Any) -> Suite:
    return unseen_character_tasks(omniglot(split, data=data), **options)


def _hierarchy(split: str, data: Path | None, **options: Any) -> Suite:
    return hierarchy_tasks(tiered(split, data=data), **options)


SUITES = {
    "boolean": Named("Binary strings: XOR over a few of the bits", _boolean),
    "mnist-clean": _digits("clean", "four coloured digits, those that do not matter left out"),
    "mnist-colourless": _digits("colourless", "four white digits"),
    "mnist-full": _digits("full", "four coloured digits"),
    "omniglot-characters": Named("Omniglot: which of 20 characters?", _characters),
    "omniglot-alphabets": Named("Omniglot: which of 3 alphabets, from 13 characters of each?", _alphabets),
    "omniglot-unseen": Named("Omniglot: which of 3 alphabets, asked of characters not shown?", _unseen),
    "tiered": Named("tieredImageNet: which category, from several classes of each?", _hierarchy),
}


def suite_named(name: str, *, split: str = "training", data: Path | None = None, **options: Any) -> Suite:
    """Load a suite by name; the options are those of its class or function.

    >>> suite_named("mnist-full", split="evaluation", polythetic=1.0).rows
    Rows(support=96, query=32)
    """
    one_of("suite", name, SUITES)
    try:
        return SUITES[name].load(split, data, **options)
    except TypeError as error:
        raise InputError("options", options, f"options of {name} ({error})") from None
