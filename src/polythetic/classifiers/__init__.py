"""Classifiers, and the one registry of methods by the paper's names and by readable ones."""

from __future__ import annotations

from collections.abc import Callable

from polythetic.classifiers.matching import Matching
from polythetic.classifiers.mixture import MixturePrototypes
from polythetic.classifiers.nearest import nearest
from polythetic.classifiers.prototype import Prototypes
from polythetic.directions import Directions
from polythetic.errors import InputError
from polythetic.pipeline import Classifier, Method, Preparation, Selection
from polythetic.refinement import RefinedScorer

CLASSIFIERS: dict[str, Callable[[], Classifier]] = {
    "PN": Prototypes,
    "MN": Matching,
    "NN": nearest,
    "IMP": MixturePrototypes,
}
SELECTIONS: dict[str, Callable[[], Preparation]] = {
    "FS": Selection,
    "R": lambda: Selection(RefinedScorer(), rescale="raw"),  # ours
    "D": Directions,  # ours
}
READABLE = {
    "prototypes": "PN",
    "attention": "MN",
    "matching": "MN",
    "nearest": "NN",
    "mixture": "IMP",
    "selected-prototypes": "FS+PN",
    "selected-attention": "FS+MN",
    "selected-matching": "FS+MN",
    "selected-nearest": "FS+NN",
    "selected-mixture": "FS+IMP",
    "refined-prototypes": "R+PN",
    "refined-attention": "R+MN",
    "refined-matching": "R+MN",
    "refined-nearest": "R+NN",
    "refined-mixture": "R+IMP",
    "directed-prototypes": "D+PN",
    "directed-attention": "D+MN",
    "directed-matching": "D+MN",
    "directed-nearest": "D+NN",
    "directed-mixture": "D+IMP",
}


def method_names() -> list[str]:
    """List the paper's names of all methods.

    >>> [name for name in method_names() if "MN" in name]
    ['MN', 'FS+MN', 'R+MN', 'D+MN']
    """
    return [*CLASSIFIERS, *(f"{s}+{c}" for s in SELECTIONS for c in CLASSIFIERS)]


def method_named(name: str) -> Method:
    """Make a method with the library's defaults: ``"FS+MN"`` is selection FS before classifier MN.

    >>> method_named("FS+MN") == method_named("selected-attention")
    True
    """
    paper_name = READABLE.get(str(name).lower(), str(name).upper())
    *selection, classifier = paper_name.split("+")
    if classifier not in CLASSIFIERS or len(selection) > 1 or not set(selection) <= set(SELECTIONS):
        raise InputError("method", repr(name), f"one of {', '.join([*method_names(), *READABLE])}")
    return Method(CLASSIFIERS[classifier](), SELECTIONS[selection[0]]() if selection else None)


__all__ = [
    "CLASSIFIERS",
    "READABLE",
    "SELECTIONS",
    "Classifier",
    "Matching",
    "Method",
    "MixturePrototypes",
    "Prototypes",
    "Selection",
    "method_named",
    "method_names",
    "nearest",
]
