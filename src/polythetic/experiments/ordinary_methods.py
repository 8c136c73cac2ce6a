"""Who is put to ordinary data, and the data: four tables of scikit-learn's, a few rows of each class for support."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, NamedTuple

import torch
from torch import Tensor

from polythetic.classifiers import Matching, method_named
from polythetic.datasets.arrays import from_arrays
from polythetic.episodes import class_tasks
from polythetic.episodes.grouped import GroupedTasks
from polythetic.errors import MissingDataError
from polythetic.evaluation import Predictor, evaluate
from polythetic.pipeline import Method, Selection
from polythetic.selection import UniformScorer

DATASETS = {"iris": "load_iris", "wine": "load_wine", "breast cancer": "load_breast_cancer", "digits": "load_digits"}
AT_ONCE = 10  # draws


class Entry(NamedTuple):
    """A method as the table shows it."""

    name: str
    setting: Mapping[str, Any]  # what tells it from others of the name
    predictor: Predictor


@dataclass(frozen=True)
class ScikitLearns:
    """A classifier of scikit-learn's with its defaults, on features standardised by the support: one for each task."""

    make: Callable[[], Any]

    def predict(self, support: Any, labels: Any, query: Any, *, mask: Any = None, query_mask: Any = None) -> Any:
        """Fit on the support of each task, and return a label for each query."""
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import StandardScaler

        predicted = []
        for x, y, asked in zip(support.numpy(), labels.numpy(), query.numpy(), strict=True):
            fitted = make_pipeline(StandardScaler(), self.make()).fit(x, y)
            predicted.append(torch.from_numpy(fitted.predict(asked)))
        return torch.stack(predicted)


def k_nearest() -> Any:
    """Make a classifier by the five nearest rows."""
    from sklearn.neighbors import KNeighborsClassifier

    return KNeighborsClassifier()


def forest() -> Any:
    """Make a random forest, the same each time."""
    from sklearn.ensemble import RandomForestClassifier

    return RandomForestClassifier(random_state=0)


def support_vectors() -> Any:
    """Make a support vector machine with a Gaussian kernel."""
    from sklearn.svm import SVC

    return SVC()


STANDARDISED = Method(Matching(), Selection(UniformScorer(), rescale="raw"))
METHODS = {
    "R+MN": Entry("R+MN", {"variant": "ours"}, method_named("R+MN")),
    "R+NN": Entry("R+NN", {"variant": "ours"}, method_named("R+NN")),
    "FS+MN": Entry("FS+MN", {"variant": "ours"}, method_named("FS+MN")),
    "MN": Entry("MN", {"variant": "ours"}, method_named("MN")),
    "MN, standardised": Entry("MN", {"variant": "control"}, STANDARDISED),
    "k-NN": Entry("k-NN", {}, ScikitLearns(k_nearest)),
    "random forest": Entry("random forest", {}, ScikitLearns(forest)),
    "RBF-SVM": Entry("RBF-SVM", {}, ScikitLearns(support_vectors)),
}


def draws(dataset: str, shots: int) -> GroupedTasks:
    """Return the tasks of a dataset: so many rows of each class are shown, and of the others as many asked of each.

    >>> tasks = draws("wine", shots=5)
    >>> tasks.rows.support, tasks.rows.query  # the smallest of three classes has 48 rows
    (15, 129)
    """
    if find_spec("sklearn") is None:
        raise MissingDataError(f"{dataset}: comes with scikit-learn, which is not installed; pip install scikit-learn")
    import sklearn.datasets

    x, y = getattr(sklearn.datasets, DATASETS[dataset])(return_X_y=True)
    collection = from_arrays(x, y, source=f"{dataset}, from scikit-learn")
    smallest = min(map(len, collection.members))
    return class_tasks(collection, ways=len(collection.members), shots=shots, queries=smallest - shots)


def measure(dataset: str, shots: int, tasks: int, seed: int) -> dict[str, Tensor]:
    """Return the accuracies of every method, in per cent, on the same draws."""
    predictors = {label: entry.predictor for label, entry in METHODS.items()}
    found = evaluate(predictors, draws(dataset, shots), tasks=tasks, seed=seed, batch_size=AT_ONCE)
    return {label: torch.from_numpy(one.values) for label, one in found.items()}
