"""The methods of the Boolean experiments: the library's defaults, and the authors' settings beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import torch
from torch import Tensor

from polythetic.classifiers import Matching, method_named
from polythetic.episodes import BooleanTasks
from polythetic.evaluation import active_share, evaluate
from polythetic.jobs import Job
from polythetic.pipeline import Method, Selection
from polythetic.refinement import RefinedScorer
from polythetic.rescaling import Rescaling, min_max, top_k
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
SECONDS = 4e-6  # a method that does not refine, a task and row of support, on one core, about


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
        if not isinstance(selection, Selection):
            return {"variant": self.variant}
        scorer, own = selection.scorer, {}
        if isinstance(scorer, AttentionScorer):
            own = {"R": scorer.repeats, "dispersion": scorer.dispersion}
        return {"variant": self.variant, **own, "statistics": selection.statistics, "rescale": self.rescale}


def selecting(method: Method) -> Selection:
    """Return the selection of a method that has one."""
    assert isinstance(method.selection, Selection)
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


TOP_4 = partial(top_k, k=4)
SQUARED, STRETCHED, RAW = "min-max-squared", "min-max", "raw"
VARIANTS = {  # by label: a job is given the labels, since methods are no plain values
    variant.label: variant
    for variant in (
        Variant("FS+MN", "FS+MN", "ours", method_named("FS+MN"), SQUARED),
        Variant("FS+MN, MAD", "FS+MN", "ours", ours(dispersion="mad"), SQUARED),
        Variant("FS+MN, authors'", "FS+MN", "authors", AUTHORS, STRETCHED),
        Variant("FS+MN, authors', inductive", "FS+MN", "authors", authors(statistics="support"), STRETCHED),
        Variant("FS+MN, R = 0", "FS+MN", "ours", ours(repeats=0), SQUARED),
        Variant("FS+MN, R = 0, MAD", "FS+MN", "ours", ours(repeats=0, dispersion="mad"), SQUARED),
        Variant("R+MN", "R+MN", "ours", method_named("R+MN"), RAW),
        Variant("R+NN", "R+NN", "ours", method_named("R+NN"), RAW),
        Variant("MN", "MN", "ours", method_named("MN")),
        Variant("MN, authors'", "MN", "authors", AUTHORS_MN),
        # As the maps call them.
        Variant("no selection", "MN", "ours", method_named("MN")),
        Variant("soft selection", "FS+MN", "ours", method_named("FS+MN"), SQUARED),
        Variant("top-k, k = 4", "FS+MN", "ours", rescaling(TOP_4, method_named("FS+MN")), "top-k"),
        Variant("no selection, authors'", "MN", "authors", AUTHORS_MN),
        Variant("soft selection, authors'", "FS+MN", "authors", AUTHORS, STRETCHED),
        Variant("refined scores", "R+MN", "ours", method_named("R+MN"), RAW),
        Variant("soft, raw scores, authors'", "FS+MN", "authors", rescaling(RAW, AUTHORS), RAW),
        Variant("top-k, k = 4, authors'", "FS+MN", "authors", rescaling(TOP_4, AUTHORS), "top-k"),
    )
}


def comparison(what: str, suites: Sequence[BooleanTasks], labels: Sequence[str], tasks: int, seed: int) -> Job:
    """Return the job that finds the ``accuracies`` of variants."""
    facts = {"suites": list(suites), "labels": list(labels), "tasks": tasks, "seed": seed}
    cost = sum(seconds(label, suite) for label in labels for suite in suites) * tasks
    return Job(what, accuracies, facts, cost=cost)


def seconds(label: str, suite: BooleanTasks) -> float:
    """Estimate what a variant costs on a task, on one core."""
    selection, rows = VARIANTS[label].method.selection, suite.support_size
    refines = isinstance(selection, Selection) and isinstance(selection.scorer, RefinedScorer)
    return 1e-5 * rows if refines else SECONDS * rows


def accuracies(suites: Sequence[BooleanTasks], labels: Sequence[str], tasks: int, seed: int) -> dict[str, Tensor]:
    """Measure variants on the same tasks: by label, per cent for each suite and task.

    >>> accuracies([BooleanTasks(n=5), BooleanTasks(n=6)], ["MN"], tasks=10, seed=0)["MN"].shape
    torch.Size([2, 10])
    """
    methods = {label: VARIANTS[label].method for label in labels}
    found = [evaluate(methods, suite, tasks=tasks, seed=seed) for suite in suites]
    return {label: torch.stack([torch.from_numpy(each[label].values) for each in found]) for label in labels}


def active_shares(suite: BooleanTasks, labels: Sequence[str], tasks: int, seed: int) -> dict[str, Tensor]:
    """Measure how much of what is active the scores of variants put on top: by label, per cent for each task.

    >>> active_shares(BooleanTasks(n=5), ["FS+MN"], tasks=10, seed=0)["FS+MN"].shape
    torch.Size([10])
    """
    episode = suite.batch(seed, 0, tasks)
    found = {}
    for label in labels:
        scores = selecting(VARIANTS[label].method).scores(episode.support, episode.support_labels, episode.query)
        found[label] = torch.from_numpy(active_share(scores, episode.attributes["active"]).values)
    return found
