"""Select, then classify: a scorer, what is done with its scores, and a classifier, as one method."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.arguments import one_of
from polythetic.checks import Task, as_task, like
from polythetic.grouping import group_by_class
from polythetic.rescaling import Rescaling, rescaling_named
from polythetic.selection import AttentionScorer, Scorer, SpreadScorer
from polythetic.standardisation import Statistics, check_eps

STATISTICS = ("support", "joint", "separate")


@runtime_checkable
class Classifier(Protocol):
    """Anything that maps support features, labels and query features to log-probabilities [*tasks, q, K].

    Columns are the classes of each task in ascending order of label.
    """

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        query: Float[Tensor, "*tasks q F"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks q K"]:
        """Classify the queries."""
        ...


@runtime_checkable
class Preparation(Protocol):
    """Anything that changes support and query before a classifier sees them: a selection, or a projection."""

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        query: Float[Tensor, "*tasks q F"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n m"], Float[Tensor, "*tasks q m"]]:
        """Return support and query, changed."""
        ...


@dataclass(frozen=True)
class Selection:
    """Standardise, score, rescale: what is done to support and query before a classifier sees them (§4).

    Attributes:
        scorer: scores the features of the standardised support.
        rescale: turns scores into scales: a name in ``RESCALINGS`` or a function, ``partial(top_k, k=3)`` say.
        statistics: whose mean and deviation standardise. ``"support"``: the support's alone, so that the answer
            to one query does not depend on the others. The authors' ways: ``"joint"``, those of support and
            query together; ``"separate"``, each its own.
        standardised: classify the standardised features, or (the authors' cosine variant) the raw ones.
        eps: the ε of the standardisation.
    """

    scorer: Scorer = field(default_factory=AttentionScorer)
    rescale: str | Rescaling = "min-max-squared"
    statistics: str = "support"
    standardised: bool = True
    eps: float = 1e-7

    def __post_init__(self) -> None:
        rescaling_named(self.rescale)
        check_eps(self.eps)
        one_of("statistics", self.statistics, STATISTICS)

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        query: Float[Tensor, "*tasks q F"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n F"], Float[Tensor, "*tasks q F"]]:
        """Return support and query, rescaled."""
        for_support, for_query = self._statistics(support, query, mask, query_mask)
        z = for_support.standardise(support)
        scores = self._scored(z, labels, mask, for_support)
        scales = rescaling_named(self.rescale)(scores)[..., None, :]  # [*tasks, 1, F]
        if not self.standardised:
            return scales * support, scales * query
        # A query may lie any number of deviations from the support; beyond this its distances would overflow.
        farthest = torch.finfo(query.dtype).max ** 0.4
        return scales * z, scales * for_query.standardise(query).clamp(-farthest, farthest)

    def scores(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        query: Float[Tensor, "*tasks q F"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> Float[Tensor, "*tasks F"]:
        """Return the scores alone; queries matter only to joint statistics."""
        for_support, _ = self._statistics(support, query, mask, query_mask)
        return self._scored(for_support.standardise(support), labels, mask, for_support)

    def _scored(self, z: Tensor, labels: Tensor, mask: Tensor | None, statistics: Statistics) -> Tensor:
        if isinstance(self.scorer, SpreadScorer):
            return self.scorer(z, labels, mask, spread=statistics.spread)
        return self.scorer(z, labels, mask)

    def _statistics(
        self, support: Tensor, query: Tensor, mask: Tensor | None, query_mask: Tensor | None
    ) -> tuple[Statistics, Statistics]:
        if self.statistics == "joint":
            both = torch.cat([support, query], -2)
            if mask is not None or query_mask is not None:
                parts = ((support, mask), (query, query_mask))
                mask = torch.cat([_all_rows(x) if m is None else m for x, m in parts], -1)
            joint = Statistics.of(both, mask, eps=self.eps)
            return joint, joint
        own = Statistics.of(support, mask, eps=self.eps)
        if self.statistics == "separate" and query.shape[-2]:
            return own, Statistics.of(query, query_mask, eps=self.eps)
        return own, own


def _all_rows(x: Tensor) -> Tensor:
    return torch.ones(x.shape[:-1], dtype=torch.bool, device=x.device)


@dataclass(frozen=True)
class Method:
    """A classifier, with a selection before it or without; takes NumPy arrays or tensors, one task or many.

    >>> from polythetic.classifiers import method_named
    >>> square = torch.tensor([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]])
    >>> xor = torch.tensor([0, 1, 1, 0])
    >>> method_named("MN").predict(square, xor, square).tolist()
    [0, 1, 1, 0]
    """

    classifier: Classifier
    selection: Preparation | None = None

    def __call__(self, support: Any, labels: Any, query: Any, *, mask: Any = None, query_mask: Any = None) -> Any:
        """Return log-probabilities [*tasks, q, K], a column a class in ascending order of label.

        Where tasks of one batch differ in their number of classes, the columns a task has no class for are −∞.
        Masks are False for rows that are padding. The nearest neighbour (T = 0) has no gradient.
        """
        task = as_task(support, labels, query, mask=mask, query_mask=query_mask)
        return like(support, self._log_probabilities(task))

    def predict(self, support: Any, labels: Any, query: Any, *, mask: Any = None, query_mask: Any = None) -> Any:
        """Return the most probable label of each query; of equally probable ones the smallest."""
        task = as_task(support, labels, query, mask=mask, query_mask=query_mask)
        best = self._log_probabilities(task).argmax(-1)  # [*tasks, q]
        return like(support, group_by_class(task.labels, task.mask).labels.gather(-1, best))

    def _log_probabilities(self, task: Task) -> Tensor:
        support, query = task.support, task.query
        assert query is not None
        if self.selection is not None:
            support, query = self.selection(support, task.labels, query, task.mask, task.query_mask)
        return self.classifier(support, task.labels, query, task.mask)


def predict_with_all(
    methods: Mapping[str, Method],
    support: Float[Tensor, "*tasks n F"],
    labels: Int[Tensor, "*tasks n"],
    query: Float[Tensor, "*tasks q F"],
    *,
    mask: Bool[Tensor, "*tasks n"] | None = None,
    query_mask: Bool[Tensor, "*tasks q"] | None = None,
) -> dict[str, Int[Tensor, "*tasks q"]]:
    """Return what each of several methods predicts; those with the same selection have it made once.

    >>> from polythetic.classifiers import method_named
    >>> methods = {name: method_named(name) for name in ("R+MN", "R+NN")}
    >>> square = torch.tensor([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]).repeat(2, 1)
    >>> found = predict_with_all(methods, square, torch.tensor([0, 1, 1, 0]).repeat(2), square[:4])
    >>> {name: labels.tolist() for name, labels in found.items()}
    {'R+MN': [0, 1, 1, 0], 'R+NN': [0, 1, 1, 0]}
    """
    selected: dict[Preparation | None, tuple[Tensor, Tensor]] = {None: (support, query)}
    found = {}
    for name, method in methods.items():
        selection = method.selection
        if selection is not None and selection not in selected:
            with torch.no_grad():
                selected[selection] = selection(support, labels, query, mask, query_mask)
        seen, asked = selected[selection]
        found[name] = Method(method.classifier).predict(seen, labels, asked, mask=mask, query_mask=query_mask)
    return found
