"""The suites that tests go through: every kind, on real data where it is there."""

import os

import numpy as np
import pytest

from polythetic.datasets import from_arrays, mnist, omniglot, tiered
from polythetic.episodes import (
    BooleanTasks,
    DigitTasks,
    PictureTasks,
    alphabet_tasks,
    class_tasks,
    hierarchy_tasks,
    unseen_character_tasks,
)

DATA = os.environ.get("POLYTHETIC_DATA")
needs_data = pytest.mark.skipif(DATA is None, reason="POLYTHETIC_DATA does not name a folder of real data")


def embedded(**options):
    return DigitTasks(mnist("evaluation", source="embedded"), **options)


def own():
    """Ten classes of unequal size, in three categories."""
    rng = np.random.default_rng(7)
    labels = np.repeat(np.arange(10), 12 + np.arange(10))
    return from_arrays(rng.normal(size=(len(labels), 6)), labels % 3, groups=labels)


SUITES = {
    "boolean": lambda: BooleanTasks(n=6, alpha=2),
    "digits-clean": lambda: embedded(version="clean", polythetic=0.5),
    "digits-colourless": lambda: embedded(version="colourless", polythetic=0.5),
    "digits-full": lambda: embedded(version="full", polythetic=0.5),
    "digits-uneven": lambda: embedded(version="full", polythetic=0.5, interacting=3, shots=(1, 4), queries=(1, 3)),
    "pictures": lambda: PictureTasks(mnist("evaluation", source="embedded"), support=12, queries=5),
    "own-classes": lambda: class_tasks(own(), ways=(2, 5), shots=(1, 5), queries=3),
    "own-groups": lambda: alphabet_tasks(own(), ways=3, characters=(1, 3), shots=3, queries=2),
}
REAL = {
    "characters": lambda: class_tasks(omniglot("training", rotations=True)),
    "alphabets": lambda: alphabet_tasks(omniglot("evaluation")),
    "alphabets-replaced": lambda: alphabet_tasks(omniglot("evaluation"), replacement=True),
    "unseen": lambda: unseen_character_tasks(omniglot("evaluation")),
    "hierarchy": lambda: hierarchy_tasks(tiered("all"), categories=4, groups=3, shots=2, queries=2),
    "digits-all": lambda: DigitTasks(mnist("training", source="full"), "full"),
}
every_suite = pytest.mark.parametrize("name", [*SUITES, *(pytest.param(name, marks=needs_data) for name in REAL)])


def suite_of(name):
    return (SUITES | REAL)[name]()
