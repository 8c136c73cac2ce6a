"""The methods as they are trained: with temperatures that let gradients through, or as the authors have them."""

from __future__ import annotations

from collections.abc import Callable

from polythetic.arguments import one_of
from polythetic.classifiers import Matching, Prototypes, method_named, nearest
from polythetic.classifiers.mixture import MixturePrototypes
from polythetic.pipeline import Method, Selection
from polythetic.selection import AttentionScorer

VARIANTS = ("ours", "authors")

# Softer than on given features: an encoder has to learn through both softmaxes, and saturated ones pass no gradient.
SELF_ATTENTION_SHARPNESS = 6.0
SHARPNESS = 8.0


def _ours_selection() -> Selection:
    return Selection(AttentionScorer(sharpness=SELF_ATTENTION_SHARPNESS, repeats=2), rescale="min-max")


def _authors_selection() -> Selection:
    scorer = AttentionScorer(temperature=0.5, repeats=2, similarity="dot", dispersion="mav")
    return Selection(scorer, rescale="min-max", statistics="separate", eps=1e-7)


OURS: dict[str, Callable[[], Method]] = {
    "PN": lambda: Method(Prototypes(temperature=1.0)),
    "MN": lambda: Method(Matching(sharpness=SHARPNESS)),
    "NN": lambda: Method(nearest()),
    "IMP": lambda: Method(MixturePrototypes()),
    "FS+MN": lambda: Method(Matching(sharpness=SHARPNESS), _ours_selection()),
    "FS+NN": lambda: Method(nearest(), _ours_selection()),
}
AUTHORS: dict[str, Callable[[], Method]] = {
    "PN": lambda: Method(Prototypes(temperature=1.0)),
    "MN": lambda: Method(Matching("cosine", temperature=1.0)),
    "NN": lambda: Method(nearest()),
    "IMP": lambda: Method(MixturePrototypes()),
    "FS+MN": lambda: Method(Matching("euclidean", temperature=1.0), _authors_selection()),
    "FS+NN": lambda: Method(nearest(), _authors_selection()),
}


def head_named(name: str, variant: str = "ours") -> Method:
    """Make a method to be trained with an encoder, or to be put on one that has been trained.

    >>> head_named("FS+MN").selection.rescale
    'min-max'
    """
    one_of("variant", variant, VARIANTS)
    heads = OURS if variant == "ours" else AUTHORS
    return heads[name]() if name in heads else method_named(name)
