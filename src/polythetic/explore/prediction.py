"""What theory foretells of a Boolean task, and where it is silent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from polythetic.errors import PolytheticError

if TYPE_CHECKING:
    from polythetic.explore.boolean_view import BooleanView, Drawn

TRIALS = 1000


def foretold(view: BooleanView, drawn: Drawn) -> dict[str, Any]:
    """Foretell the accuracy of attention without selection, on XOR and balanced supports (§3, App. C).

    Returns ``words``, and where there is a formula ``percent``, from it, and ``drawn``, over many supports. With a
    scorer they say what would be without it.

    >>> from polythetic.explore.boolean_view import BooleanView, draw
    >>> view = BooleanView(bits=4, irrelevant=3, rows=32, scorer="none", classifier_similarity="dot",
    ...                    classifier_temperature=1.0)
    >>> found = foretold(view, draw(view))
    >>> round(found["percent"]), round(found["drawn"], -1)
    (67, 60.0)
    """
    nothing: dict[str, Any] = {"percent": None, "drawn": None}
    if view.classifier == "PN":
        return {**nothing, "words": _of_prototypes(view)}
    if (why := _silent(view)) is not None:
        return {**nothing, "words": why}
    from polythetic.classifiers.options import SHARPNESS, temperature_on
    from polythetic.theory import attention_moments

    T = float(temperature_on(drawn.support, None, view.classifier_similarity, view.classifier_temperature, SHARPNESS))
    if not 0 < T < math.inf:
        return {**nothing, "words": "The formula is for temperatures between 0 and infinity."}
    setting: dict[str, Any] = {
        "repetitions": len(drawn.labels) // 2**view.bits,
        "similarity": view.classifier_similarity,
        "tau": 1 / T,
    }
    try:
        percent = 100 * (1 - attention_moments(view.bits, view.irrelevant, **setting).misclassification)
    except PolytheticError as error:
        return {**nothing, "words": str(error)}
    drawn_share = _drawn(view, setting)
    return {"percent": percent, "drawn": drawn_share, "words": _of_attention(view, percent, drawn_share)}


def _of_attention(view: BooleanView, percent: float, drawn: float | None) -> str:
    """Say what is expected, and why that, the formula and the accuracy are three numbers and not one."""
    formula = "it is approximate, as it takes outputs to be normal. The accuracy is of this one support."
    if drawn is None:
        said = f"The paper’s formula gives {percent:.1f}\u00a0% over many supports; {formula}"
    else:
        said = (
            f"The theory expects {drawn:.1f}\u00a0% over many supports, of which {TRIALS:,} were drawn; the paper’s "
            f"formula gives {percent:.1f}\u00a0%: {formula}"
        )
    return said if view.scorer == "none" else f"Without selection t{said[1:]}"


def _drawn(view: BooleanView, setting: dict[str, Any]) -> float | None:
    from polythetic.theory import simulate_attention

    try:
        found = simulate_attention(view.bits, view.irrelevant, trials=TRIALS, seed=view.seed, **setting)
    except PolytheticError:  # weights too large for a float
        return None
    return 100 * (1 - found.misclassification)


def _silent(view: BooleanView) -> str | None:
    """Say why theory has no number here, if it has none."""
    if view.classifier != "MN":
        return "The theory is of attention (MN) and of prototypes (PN)."
    if view.function != "xor":
        return "The formula is for XOR."
    if view.design != "balanced":
        return "The formula is for balanced supports."
    return None


def _of_prototypes(view: BooleanView) -> str:
    """Say whether any weighted sum of the bits tells the classes apart: that is all prototypes can do."""
    import numpy as np

    from polythetic.episodes import evaluate_function, sign_vectors
    from polythetic.theory import is_threshold

    inputs = sign_vectors(view.bits)
    outputs = np.array(view.truth_table) if view.truth_table else evaluate_function(view.function, inputs)
    if is_threshold(outputs, inputs):
        return "Some weighted sum of the bits tells the classes apart, so prototypes may."
    return "No weighted sum of the bits tells the classes apart, so prototypes cannot: more rows do not help."
