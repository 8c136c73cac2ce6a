"""The methods as they are trained: with temperatures that let gradients through, or as the authors have them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from polythetic.arguments import one_of
from polythetic.classifiers import Matching, Prototypes, method_named, nearest
from polythetic.classifiers.mixture import MixturePrototypes
from polythetic.errors import InputError
from polythetic.pipeline import Method, Selection
from polythetic.selection import AttentionScorer, Scorer, UniformScorer

VARIANTS = ("ours", "authors")
SIMILARITIES = ("euclidean", "cosine")

# Softer than on given features: an encoder has to learn through both softmaxes, and saturated ones pass no gradient.
SELF_ATTENTION_SHARPNESS = 6.0
SHARPNESS = 8.0


def _ours_selection(similarity: str = "dot") -> Selection:
    scorer = AttentionScorer(similarity=similarity, sharpness=SELF_ATTENTION_SHARPNESS, repeats=2)
    return Selection(scorer, rescale="min-max")


def _authors_selection() -> Selection:
    scorer = AttentionScorer(temperature=0.5, repeats=2, similarity="dot", dispersion="mav")
    return Selection(scorer, rescale="min-max", statistics="separate", eps=1e-7)


def _authors_cosine_selection() -> Selection:
    scorer = AttentionScorer(temperature=1.0, repeats=5, similarity="cosine", dispersion="std")
    return Selection(scorer, rescale="square-root", statistics="separate", standardised=False, eps=0.1)


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

# Attention by a similarity that is asked for, whatever the method's own.
BY_SIMILARITY: dict[tuple[str, str], dict[str, Callable[[], Method]]] = {
    ("ours", "euclidean"): {name: OURS[name] for name in ("MN", "FS+MN")},
    ("ours", "cosine"): {
        "MN": lambda: Method(Matching("cosine", sharpness=SHARPNESS)),
        "FS+MN": lambda: Method(Matching("cosine", sharpness=SHARPNESS), _ours_selection("cosine")),
    },
    ("authors", "euclidean"): {
        "MN": lambda: Method(Matching("euclidean", temperature=1.0)),
        "FS+MN": AUTHORS["FS+MN"],
    },
    ("authors", "cosine"): {
        "MN": AUTHORS["MN"],
        "FS+MN": lambda: Method(Matching("cosine", temperature=1.0), _authors_cosine_selection()),
    },
}


def head_named(
    name: str,
    variant: str = "ours",
    *,
    similarity: str | None = None,
    repeats: int | None = None,
    selects: bool = True,
    statistics: str | None = None,
) -> Method:
    """Make a method to be trained with an encoder, or to be put on one that has been trained.

    Args:
        name: as in the paper.
        variant: whose settings, ``"ours"`` or ``"authors"``.
        similarity: of MN and FS+MN, ``"euclidean"`` or ``"cosine"``; their own unless given.
        repeats: R, the rounds of self-attention of a selection; its own unless given.
        selects: False for a control: FS+MN with all features scored alike is MN with the same similarity, temperature
            and standardisation.
        statistics: that a selection standardises by; its own unless given. See ``Selection``.

    >>> head_named("FS+MN").selection.rescale
    'min-max'
    >>> head_named("FS+MN", "authors", similarity="cosine", repeats=0).classifier
    Matching(similarity='cosine', temperature=1.0, prior='support', sharpness=10.0)
    >>> head_named("FS+MN", selects=False).selection.scorer
    UniformScorer()
    """
    one_of("variant", variant, VARIANTS)
    heads = OURS if variant == "ours" else AUTHORS
    if similarity is not None:
        one_of("similarity", similarity, SIMILARITIES)
        heads = BY_SIMILARITY[variant, similarity]
        one_of("method with a choice of similarity", name, heads)
    method = heads[name]() if name in heads else method_named(name)
    if repeats is not None:
        method = _with_scorer(method, name, "repeats", repeats, lambda scorer: replace(scorer, repeats=repeats))
    if not selects:
        method = _with_scorer(method, name, "selects", selects, lambda scorer: UniformScorer())
    if statistics is not None:
        if not isinstance(method.selection, Selection):
            raise InputError("statistics", statistics, f"a method that selects, FS+MN say; {name} does not")
        method = replace(method, selection=replace(method.selection, statistics=statistics))
    return method


def _with_scorer(
    method: Method, name: str, option: str, value: object, change: Callable[[AttentionScorer], Scorer]
) -> Method:
    selection = method.selection
    if not isinstance(selection, Selection) or not isinstance(selection.scorer, AttentionScorer):
        raise InputError(option, value, f"a method that selects, FS+MN say; {name} does not")
    return replace(method, selection=replace(selection, scorer=change(selection.scorer)))
