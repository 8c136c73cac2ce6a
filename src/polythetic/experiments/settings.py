"""The methods of the Boolean experiments: the library's defaults, and the authors' settings beside them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

from polythetic.classifiers import Matching, method_named
from polythetic.pipeline import Method, Selection
from polythetic.rescaling import Rescaling, min_max
from polythetic.selection import AttentionScorer

# The authors' notebook for binary strings: τ = 2, five rounds, mean absolute deviation stretched over [0, 2],
# support and query standardised together, dot-product attention at temperature 1.
AUTHORS = Method(
    Matching("dot", temperature=1.0),
    Selection(
        AttentionScorer(temperature=0.5, repeats=5, similarity="dot", dispersion="mad"),
        rescale=partial(min_max, scale=2.0),
        statistics="joint",
        eps=1e-5,
    ),
)
AUTHORS_MN = Method(Matching("dot", temperature=1.0))

DESIGNS = {"balanced": "balanced", "iid": "i.i.d."}  # of supports: the paper's, and the control


class Variant(NamedTuple):
    """A method as a table or a map shows it."""

    label: str
    name: str  # in the paper
    variant: str  # "ours" or "authors": whose settings it starts from
    method: Method
    rescale: str | None = None  # what is done with the scores, in a word

    @property
    def setting(self) -> dict[str, Any]:
        """What sets it apart, for the rows of a result."""
        selection = self.method.selection
        if selection is None:
            return {"variant": self.variant}
        scorer = selection.scorer
        assert isinstance(scorer, AttentionScorer)
        return {
            "variant": self.variant,
            "R": scorer.repeats,
            "dispersion": scorer.dispersion,
            "statistics": selection.statistics,
            "rescale": self.rescale,
        }


def selecting(method: Method) -> Selection:
    """Return the selection of a method that has one."""
    assert method.selection is not None
    return method.selection


def ours(**scorer: Any) -> Method:
    """FS+MN with the library's defaults, but for what is given of its scorer."""
    method = method_named("FS+MN")
    return replace(method, selection=replace(selecting(method), scorer=AttentionScorer(**scorer)))


def authors(*, statistics: str) -> Method:
    """FS+MN with the authors' settings, but standardised by other statistics."""
    return replace(AUTHORS, selection=replace(selecting(AUTHORS), statistics=statistics))


def rescaling(rescale: str | Rescaling, method: Method) -> Method:
    """Use the scores of a method in another way."""
    return replace(method, selection=replace(selecting(method), rescale=rescale))
