"""The classes of a grouped task, each a line of a contact sheet: its rows and its name."""

from __future__ import annotations

from textwrap import fill
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import one_of
from polythetic.datasets.collection import Collection
from polythetic.episodes.episode import Episode
from polythetic.report.mosaics import BLANK


class Line(NamedTuple):
    """The examples that one class has under one label; with replacement two labels may share a class."""

    label: int
    number: int  # of the class in the collection
    name: str
    rows: list[int]  # of the support or of the queries


def lines_of(episode: Episode, collection: Collection, side: str, task: int = 0) -> list[Line]:
    """Find the classes of one task of a batch, by label and number, without the padding."""
    one_of("side", side, ("support", "query"))
    support = side == "support"
    labels = (episode.support_labels if support else episode.query_labels)[task].tolist()
    mask = episode.support_mask if support else episode.query_mask
    real = [True] * len(labels) if mask is None else mask[task].tolist()
    classes = episode.attributes[f"{side}_class"][task].tolist()
    found: dict[tuple[int, int], list[int]] = {}
    for row, (label, number) in enumerate(zip(labels, classes, strict=True)):
        if real[row]:
            found.setdefault((label, number), []).append(row)
    return [Line(*key, class_name(collection, key[1]), found[key]) for key in sorted(found)]


def class_name(collection: Collection, number: int) -> str:
    """Name a class, without its category if the name begins with that, in two lines at most."""
    category = collection.category_names[collection.categories[number]]
    name = spelt(collection.class_names[number].removeprefix(f"{category}/"))
    return fill(name, width=22, max_lines=2, placeholder=" …")


def spelt(name: str) -> str:
    """Make a name of files into words.

    >>> spelt("Syriac_(Serto)/character01")
    'Syriac (Serto) character01'
    """
    return name.replace("_", " ").replace("/", " ")


def tabulated(pictures: NDArray[np.float32], lines: list[Line], columns: int) -> NDArray[np.float32]:
    """Take the pictures of each line, [lines · columns, height, width, 3], blank where a line has fewer."""
    table = np.full((len(lines), columns, *pictures.shape[1:]), BLANK, np.float32)
    for place, line in zip(table, lines, strict=True):
        place[: len(line.rows)] = pictures[line.rows]
    return table.reshape(-1, *pictures.shape[1:])
