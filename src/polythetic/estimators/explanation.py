"""Explanations: which labelled rows decided an answer, and by how much; which columns mattered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Witness(NamedTuple):
    """A labelled row that spoke for an answer, or against it."""

    row: int  # its number among the labelled rows, from 0
    label: Any
    share: float  # of all that was said; below 0 if against


@dataclass(frozen=True)
class Explanation:
    """Answers, and what they rest on.

    Attributes:
        labels: the answers.
        probabilities: of each class.
        contributions: [queries, labelled rows] how far each row spoke for the answer (or, below 0, against it); the
            absolute values of each query add up to 1.
        support_labels: of the labelled rows.
        columns: their names.
        feature_scores: a score a column.
    """

    labels: NDArray[Any]
    probabilities: NDArray[np.float64]
    contributions: NDArray[np.float64]
    support_labels: NDArray[Any]
    columns: tuple[str, ...]
    feature_scores: NDArray[np.float64]

    def rows(self, query: int, *, most: int = 5) -> list[Witness]:
        """Return the labelled rows that had most to say on a query, for or against, the weightiest first."""
        said = self.contributions[query]
        order = np.argsort(-np.abs(said), kind="stable")[:most]
        return [Witness(int(i), self.support_labels[i], float(said[i])) for i in order]

    def features(self, *, most: int = 5) -> list[tuple[str, float]]:
        """Return the columns that matter most, and their share of all scores."""
        order = np.argsort(-self.feature_scores, kind="stable")[:most]
        total = max(float(self.feature_scores.sum()), 1e-300)
        return [(self.columns[i], float(self.feature_scores[i] / total)) for i in order]
