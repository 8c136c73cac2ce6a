"""What Tables 4 and 5 are made of: cells, pictures that are embedded once, and blocks of tasks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor

from polythetic.datasets.collection import Collection
from polythetic.datasets.tiered import SPLITS, tiered, which_serve
from polythetic.encoders import EfficientNetLite0
from polythetic.errors import MissingDataError
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Cells
from polythetic.experiments.frozen_features import SHOTS, measure
from polythetic.experiments.learned import BLOCK
from polythetic.jobs import Job
from polythetic.runs import EVALUATION_SEED, VALIDATION_SEED

CELLS = ((2, 5), (4, 5), (8, 5), (2, 10), (4, 10), (8, 10))  # the paper's: categories C, classes G of each
CHOOSING = ((2, 5), (4, 5))  # cells of the training categories on which our settings were chosen
FEWEST = min(G for _, G in CELLS)  # classes; a smaller category is in no task
RELEASES = {"tieredImageNet": "official", "stand-in": "stand-in"}
SECONDS = {"embedding": 0.022, "evaluation": 6e-4}  # a picture, on one core, about
REFINING = 8e-6  # a pair of pictures in the support, on one core, about
SIZES = {"tieredImageNet": (160, 1300), "stand-in": (79, 100)}  # classes to be embedded, and pictures of each, about


class Cell(NamedTuple):
    """A column of the tables, on the data that there are."""

    C: int
    G: int
    dataset: str  # "tieredImageNet" or "stand-in"
    split: str  # "all" where one split alone has too few categories
    categories: tuple[str, ...]  # that tasks may draw, with how many classes each


def cells_there(splits: Sequence[str] = ("evaluation", "all"), wanted: Sequence[tuple[int, int]] = CELLS) -> list[Cell]:
    """List the cells that the data at hand have the classes for, each with the first split that serves.

    Without data, all of them, as on the release: the first job will say what is missing.
    """
    load = cache(_there)
    found = []
    for C, G in wanted:
        for split in splits:
            collection = load(split)
            able = {} if collection is None else which_serve(collection, G)
            if collection is not None and len(able) >= C:
                dataset = "tieredImageNet" if collection.source.startswith("tieredImageNet") else "stand-in"
                names = tuple(f"{name.split(',')[0]} {classes}" for name, classes in able.items())
                found.append(Cell(C, G, dataset, split, names))
                break
    return found or [Cell(C, G, "tieredImageNet", splits[0], ()) for C, G in wanted]


def _there(split: str) -> Collection | None:
    try:
        return tiered(split)
    except MissingDataError:
        return None


def jobs(cells: Sequence[Cell], budget: Budget, seed: int) -> Cells:
    """List the blocks of tasks of cells; the same for both tables, so that they are done once."""
    pictures = embedding(cells, budget)
    tasks = max(2, budget.picture_tasks // 2)
    found: dict[Hashable, Job] = {}
    for cell in cells:
        first = VALIDATION_SEED if cell.split == "training" else EVALUATION_SEED
        for start in range(0, tasks, BLOCK):
            stop = min(start + BLOCK, tasks)
            facts = {"embedded": pictures, "C": cell.C, "G": cell.G, "split": cell.split}
            facts |= {"start": start, "stop": stop, "seed": first + seed}
            shown = SHOTS * cell.C * cell.G
            cost = (SECONDS["evaluation"] * 2 * shown + REFINING * shown**2) * (stop - start)
            what = f"C = {cell.C}, G = {cell.G}, {cell.split} categories, tasks {start}–{stop}"
            found[cell, 0, start] = Job(what, measure, facts, cost=cost)
    return found


def embedding(cells: Sequence[Cell], budget: Budget) -> Job:
    """Return the job that embeds the pictures of the splits that cells draw from: the release's are large.

    At the quick budget a class has just enough pictures for a task.
    """
    dataset = cells[0].dataset
    splits = ["evaluation"] if all(cell.split == "evaluation" for cell in cells) else list(SPLITS)
    per_class = 2 * SHOTS if budget.name == "quick" else None
    facts = {"dataset": dataset, "splits": splits, "per_class": per_class}
    classes, pictures = SIZES[dataset]
    cost = SECONDS["embedding"] * classes * (per_class or pictures)
    return Job(f"embedding the pictures of {dataset}", embed, facts, cost=cost)


def embed(dataset: str, splits: Sequence[str], per_class: int | None) -> dict[str, Tensor]:
    """Embed the pictures of every category that is large enough; the network remembers what it has embedded before.

    Returns:
        ``features`` of each picture, in half precision, and its ``class``; of each class its ``category`` and its
        ``split``, by number.
    """
    collections = {split: _served(dataset, split) for split in splits}  # first: data may be missing
    encoder = EfficientNetLite0()
    features: list[Tensor] = []
    classes: list[int] = []  # a picture
    category: list[int] = []  # a class
    split_of: list[int] = []
    for split, collection in collections.items():
        before = len(set(category))
        for members, own in zip(collection.members, collection.categories.tolist(), strict=True):
            pictures = torch.from_numpy(collection.examples.take(members[:per_class]))
            features.append(encoder(pictures, pictures[:0])[0].half())
            classes += [len(category)] * len(pictures)
            category.append(before + own)
            split_of.append(list(SPLITS).index(split))
    numbers = {"class": classes, "category": category, "split": split_of}
    return {"features": torch.cat(features)} | {name: torch.tensor(values) for name, values in numbers.items()}


def _served(dataset: str, split: str) -> Collection:
    collection = tiered(split, release=RELEASES[dataset])
    return collection.in_categories(list(which_serve(collection, FEWEST)))
