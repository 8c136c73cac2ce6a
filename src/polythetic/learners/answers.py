"""Methods for features that are answers: numbers from 0 to 1, most of them near 0, that say what a picture holds."""

from __future__ import annotations

from dataclasses import replace

from polythetic.arguments import one_of
from polythetic.classifiers import Matching
from polythetic.learners.heads import VARIANTS, head_named
from polythetic.pipeline import Method, Selection
from polythetic.selection import AttentionScorer

# Chosen on tasks of validation digits, 150 of each kind (softmax read-out, polythetic): attention with sharpness
# 4 / 6 / 8 / 10 has 84.1 / 86.3 / 85.6 / 84.8 %; selection with sharpness 4 / 5 / 6 / 7 has 95.7 / 98.4 / 97.0 / 92.8 %
# at ε = 0.3, and with ε = 1e-7 / 0.1 / 0.3 / 1 at 6 it has 57.1 / 84.4 / 97.0 / 98.5 %. An answer that is nowhere given
# hardly varies; divided by its deviation, as by a small ε, its noise would count as much as what is said.
ATTENTION_SHARPNESS = 6.0
SELECTION_SHARPNESS = 5.0
EPS = 1.0


def head_on_answers(name: str, variant: str = "ours", repeats: int = 2) -> Method:
    """Make a method to be put on answers: ours, or the authors' as they have it on digits.

    >>> head_on_answers("FS+MN").selection.eps
    1.0
    """
    one_of("variant", variant, VARIANTS)
    method = head_named(name, variant)
    if variant == "authors":
        return method
    if name == "MN":
        return Method(Matching(sharpness=ATTENTION_SHARPNESS))
    if method.selection is None:
        return method
    scorer = AttentionScorer(sharpness=SELECTION_SHARPNESS, repeats=repeats)
    return replace(method, selection=Selection(scorer, rescale="min-max", eps=EPS))
