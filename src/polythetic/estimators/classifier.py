"""A classifier for people with a few dozen labelled rows: labels for the rest, and which columns and rows decided."""

from __future__ import annotations

from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from polythetic.arguments import one_of, whole_number
from polythetic.errors import InputError
from polythetic.estimators.calibration import calibration_error
from polythetic.estimators.explanation import Explanation
from polythetic.estimators.labelling import least_certain
from polythetic.estimators.novelty import Novelty
from polythetic.estimators.reading import Read, classes_of, labels_of, read
from polythetic.estimators.saving import open_, write
from polythetic.estimators.scoring import SCORERS, check_seconds, score
from polythetic.estimators.settling import settle
from polythetic.estimators.voters import answer, contributions

PRIORS = ("support", "uniform")
VOTES = ("all", "attention")
TEXT = "USO"  # kinds of arrays that hold text


class PolytheticClassifier(ClassifierMixin, BaseEstimator):
    """Classify by the labelled rows that resemble a query in the columns that matter, alone or together.

    Args:
        scorer: of the columns: ``"R"``, the scales that make the rows most likely, each from all the others (ours);
            ``"FS"``, Algorithm 1 of the paper; ``"none"``.
        votes: ``"attention"``, the paper's: attention on the scored columns; or ``"all"``: attention, kernel and linear
            votes, on columns scored, alike and in their own units, each as trusted as it foresees the labelled rows.
        prior: ``"support"``: classes are as common as among the labelled rows; ``"uniform"``: all alike.
        missing: ``"error"``, or ``"impute"``: the median of a column of numbers, the commonest category.
        novelty: the rate of false alarms at which a query may be told to be of none of the classes (see ``is_none``).
        seconds: search no further for scores after so long, once a first search is done.
        random_state: of the searches.

    Attributes:
        feature_scores_: a score a column; a column of categories has the root of the sum of its indicators' squares.
        classes_: the labels in order.
        calibration_error_: expected calibration error, each labelled row foreseen from the others. The scores of the
            columns have seen the row, too, so that it says less than new rows would where there is little to be found.
        n_features_in_: columns seen in ``fit``.
        feature_names_in_: their names, if they have any.

    >>> x = np.random.default_rng(0).choice([-1.0, 1.0], (60, 8))
    >>> y = np.where(x[:, 2] * x[:, 5] > 0, "same", "different")
    >>> fitted = PolytheticClassifier().fit(x[:40], y[:40])
    >>> fitted.score(x[40:], y[40:]), np.argsort(-fitted.feature_scores_)[:2]
    (1.0, array([2, 5]))
    """

    def __init__(
        self,
        *,
        scorer: Any = "R",  # Any: by convention a constructor takes what it is given, and fit looks at it
        votes: Any = "all",
        prior: Any = "support",
        missing: Any = "error",
        novelty: Any = 0.05,
        seconds: Any = None,
        random_state: Any = 0,
    ):
        self.scorer = scorer
        self.votes = votes
        self.prior = prior
        self.missing = missing
        self.novelty = novelty
        self.seconds = seconds
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> PolytheticClassifier:
        """Score the columns, and settle how the rows vote."""
        one_of("votes", self.votes, VOTES)
        one_of("prior", self.prior, PRIORS)
        one_of("scorer", self.scorer, SCORERS)
        if not isinstance(self.novelty, Real) or not 0 < float(self.novelty) < 1:
            raise InputError("novelty", repr(self.novelty), "a rate between 0 and 1")
        return self._learn(read(self, X, missing=self.missing), y)

    def partial_fit(self, X: Any, y: Any, classes: Any = None) -> PolytheticClassifier:
        """Add labelled rows to those there are, and learn again from all of them.

        ``classes`` is here by scikit-learn's convention, and not needed: labels may come that have not been seen. The
        first rows must be of two classes at least; categories that they do not have count as none of theirs, later too.
        """
        if not hasattr(self, "classes_"):
            return self.fit(X, y)
        more = read(self, X, missing=self.missing, columns=self._rows.columns)
        labels = labels_of(y)
        if len(labels) != len(more.numbers):
            raise InputError("y", f"{len(labels)} labels", f"one for each of the {len(more.numbers)} rows")
        if (labels.dtype.kind in TEXT) != (self.classes_.dtype.kind in TEXT):
            raise InputError("y", f"labels of {labels.dtype}", f"labels of the kind there are, {self.classes_.dtype}")
        numbers = np.concatenate([self._rows.numbers, more.numbers])
        return self._learn(Read(numbers, self._rows.columns), np.concatenate([self.classes_[self._codes], labels]))

    def _learn(self, rows: Read, y: Any) -> PolytheticClassifier:
        check_seconds(self.seconds)
        classes, codes = classes_of(y, rows=len(rows.numbers))
        seed = int(check_random_state(self.random_state).randint(2**31))
        scored = score(rows, codes, self.scorer, seed=seed, seconds=self.seconds)
        z = scored.standardise(rows.numbers)
        varies = np.isfinite(scored.spread)
        own = np.where(varies, scored.spread, 0)
        views = {"scored": scored.scales, "alike": varies.astype(float), "own": own / max(own.max(), 1e-300)}
        if self.votes == "attention":
            panel = settle(z, codes, {"scored": scored.scales}, ("attention",))
        else:
            panel = settle(z, codes, views)
        self._rows, self._codes, self._scored, self._z, self._voters = rows, codes, scored, z, panel.voters
        self._novelty = Novelty.of(z, codes)
        self.classes_, self.feature_scores_ = classes, scored.by_column
        self.calibration_error_ = calibration_error(self._with_prior(panel.foreseen), codes[panel.asked])
        return self

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, a column a class in the order of ``classes_``."""
        return self._probabilities(self._queries(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable label of each row."""
        best = self.predict_proba(X).argmax(1)
        return self.classes_[best]

    def explain(self, X: Any) -> Explanation:
        """Return the answers, and how far each labelled row spoke for each of them.

        >>> x = np.random.default_rng(0).choice([-1.0, 1.0], (40, 6))
        >>> y = np.where(x[:, 1] * x[:, 4] > 0, "same", "different")
        >>> why = PolytheticClassifier().fit(x, y).explain(x[:1])
        >>> row = why.rows(0, most=1)[0]  # of the labelled rows the one that decided most
        >>> bool((x[row.row, [1, 4]] == x[0, [1, 4]]).all()), row.label == y[0]
        (True, True)
        """
        query = self._queries(X)
        probabilities = self._probabilities(query)
        best = probabilities.argmax(1)
        return Explanation(
            labels=self.classes_[best],
            probabilities=probabilities,
            contributions=contributions(self._voters, self._z, query, best),
            support_labels=self.classes_[self._codes],
            columns=self._rows.columns.names,
            feature_scores=self.feature_scores_,
        )

    def novelty_p_values(self, X: Any) -> NDArray[np.float64]:
        """Return, for each row, how many of the labelled rows lie as far from the others as it does from all of them.

        Conformal p-values, by leaving one out (Vovk, Gammerman & Shafer, Algorithmic Learning in a Random World, 2005).
        """
        return self._novelty.p_values(self._z, self._queries(X))

    def is_none(self, X: Any) -> NDArray[np.bool_]:
        """Say which rows resemble none of the labelled ones; of rows that do, a share of ``novelty`` is told so."""
        return self.novelty_p_values(X) <= self.novelty

    def next_to_label(self, X: Any, count: int = 1) -> NDArray[np.int64]:
        """Return which rows to label next: those least certain, and unlike those named before.

        Margin sampling (Scheffer, Decomain & Wrobel 2001); rows like one that is taken already count for less.
        """
        query = self._queries(X)
        whole_number("count", count, least=1, most=len(query), meaning="of the rows there are")
        return least_certain(self._probabilities(query), query * self._scored.scales, count)

    def save(self, path: str | Path) -> None:
        """Write all that was learned to one file. It contains the labelled rows: share it as you would share them."""
        check_is_fitted(self)
        write(Path(path), self)

    @classmethod
    def load(cls, path: str | Path) -> PolytheticClassifier:
        """Read what ``save`` wrote; nothing in a file is executed."""
        return open_(Path(path), cls)

    def export_onnx(self, path: str | Path) -> None:
        """Write the answers as an ONNX graph: ``X`` [rows, columns] in, ``probabilities`` out. It contains the rows."""
        from polythetic.estimators.onnx import export

        check_is_fitted(self)
        export(self, Path(path))

    def _queries(self, X: Any) -> NDArray[np.float64]:
        check_is_fitted(self)
        return self._scored.standardise(read(self, X, missing=self.missing, columns=self._rows.columns).numbers)

    def _probabilities(self, query: NDArray[np.float64]) -> NDArray[np.float64]:
        return self._with_prior(answer(self._voters, self._z, query))

    def _with_prior(self, found: NDArray[np.float64]) -> NDArray[np.float64]:
        if self.prior == "uniform":
            found = found / np.bincount(self._codes)
        return found / found.sum(1, keepdims=True)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.missing == "impute"
        return tags
