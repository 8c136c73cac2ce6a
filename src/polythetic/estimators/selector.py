"""A selector: keeps the columns that matter to the classes, alone or together, for any classifier after it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from polythetic.arguments import whole_number
from polythetic.errors import DataError
from polythetic.estimators.learned import learned_facts, put_learned
from polythetic.estimators.reading import classes_of, read
from polythetic.estimators.scoring import check_seconds, score
from polythetic.estimators.sealed import seal, unseal

SHARE = 0.25  # of the highest score: what a column must reach to be kept, unless a number is asked for


class AttentionSelector(SelectorMixin, BaseEstimator):
    """Select columns by scores that see patterns over several of them, where each alone says nothing.

    Columns are passed on as they are: categories, and missing values, are for the classifier after it to deal with.

    Args:
        keep: how many columns; ``"auto"`` keeps those that reach a quarter of the highest score.
        scorer: ``"R"``, the scales that make the rows most likely, each from all the others (ours); or ``"FS"``,
            Algorithm 1 of the paper.
        missing: ``"error"``, or ``"impute"``: the median of a column of numbers, the commonest category.
        seconds: search no further after so long, once a first search is done.
        random_state: of the searches.

    Attributes:
        feature_scores_: a score a column; a column of categories has the root of the sum of its indicators' squares.
        classes_: the labels.
        n_features_in_: columns seen in ``fit``.
        feature_names_in_: their names, if they have any.

    >>> x = np.random.default_rng(0).choice([-1.0, 1.0], (40, 8))
    >>> y = np.where(x[:, 2] * x[:, 5] > 0, "same", "different")
    >>> AttentionSelector().fit(x, y).get_support(indices=True)
    array([2, 5])
    """

    def __init__(
        self,
        keep: Any = "auto",  # Any: by convention a constructor takes what it is given, and fit looks at it
        *,
        scorer: Any = "R",
        missing: Any = "error",
        seconds: Any = None,
        random_state: Any = 0,
    ):
        self.keep = keep
        self.scorer = scorer
        self.missing = missing
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> AttentionSelector:
        """Score the columns of labelled rows."""
        check_seconds(self.seconds)
        rows = read(self, X, missing=self.missing)
        self.classes_, codes = classes_of(y, rows=len(rows.numbers))
        if self.keep != "auto":
            there = f'"auto", or of the columns there are: n_features = {self.n_features_in_}'
            whole_number("keep", self.keep, least=1, most=self.n_features_in_, meaning=there)
        seed = int(check_random_state(self.random_state).randint(2**31))
        self.feature_scores_ = score(rows, codes, self.scorer, seed=seed, seconds=self.seconds).by_column
        return self

    def save(self, path: str | Path) -> None:
        """Write the scores and the settings to one file; the labelled rows are not in it."""
        check_is_fitted(self)
        seal(Path(path), learned_facts(self), {"feature_scores": self.feature_scores_})

    @classmethod
    def load(cls, path: str | Path) -> AttentionSelector:
        """Read what ``save`` wrote; nothing in a file is executed."""
        facts, tensors = unseal(Path(path), "selector")
        try:
            made = cls(**facts["parameters"])
            made.feature_scores_ = tensors["feature_scores"]
            put_learned(made, facts, *made.feature_scores_.shape)
        except (KeyError, TypeError, ValueError) as error:
            raise DataError(f"{path}: not a selector that this version can read ({error}); save it again") from error
        return made

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        scores = self.feature_scores_
        if self.keep == "auto":
            return scores >= SHARE * scores.max()
        mask = np.zeros(len(scores), dtype=bool)
        mask[np.argsort(-scores, kind="stable")[: self.keep]] = True
        return mask

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.input_tags.allow_nan = self.missing == "impute"
        return tags
