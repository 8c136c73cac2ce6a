"""Few-shot classification by patterns of features, none of them necessary or sufficient.

    import polythetic

    scores = polythetic.score_features(support, labels)  # which features matter?
    method = polythetic.method_named("FS+MN")            # select features, then attend
    predicted = method.predict(support, labels, query)

    fitted = polythetic.PolytheticClassifier().fit(X, y)  # the same for a table of your own, scikit-learn's way
    fitted.predict(X_new), fitted.feature_scores_

After Day, Viñas, Simidjievski and Liò, *Attentional Meta-learners for Few-shot Polythetic Classification*, 2022.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from polythetic._version import __version__

if TYPE_CHECKING:
    from polythetic.classifiers import Matching, Prototypes, method_named, method_names, nearest
    from polythetic.episodes import BooleanTasks, Episode, batches
    from polythetic.errors import InputError, PolytheticError, SingleRowClassWarning, TooLargeError
    from polythetic.estimators import AttentionSelector, PolytheticClassifier
    from polythetic.evaluation import Evaluation, evaluate, head_to_head
    from polythetic.pipeline import Method, Selection
    from polythetic.selection import AttentionScorer, UniformScorer, score_features, score_trajectory

# Importing torch takes seconds, importing polythetic does not: each name is fetched when it is first used.
_HOME = {
    "AttentionScorer": "selection",
    "AttentionSelector": "estimators",
    "BooleanTasks": "episodes",
    "Episode": "episodes",
    "Evaluation": "evaluation",
    "InputError": "errors",
    "Matching": "classifiers",
    "Method": "pipeline",
    "PolytheticClassifier": "estimators",
    "PolytheticError": "errors",
    "Prototypes": "classifiers",
    "Selection": "pipeline",
    "SingleRowClassWarning": "errors",
    "TooLargeError": "errors",
    "UniformScorer": "selection",
    "batches": "episodes",
    "evaluate": "evaluation",
    "head_to_head": "evaluation",
    "method_named": "classifiers",
    "method_names": "classifiers",
    "nearest": "classifiers",
    "score_features": "selection",
    "score_trajectory": "selection",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'polythetic' has no attribute {name!r}")
    value = getattr(import_module(f"polythetic.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])


__all__ = [
    "AttentionScorer",
    "AttentionSelector",
    "BooleanTasks",
    "Episode",
    "Evaluation",
    "InputError",
    "Matching",
    "Method",
    "PolytheticClassifier",
    "PolytheticError",
    "Prototypes",
    "Selection",
    "SingleRowClassWarning",
    "TooLargeError",
    "UniformScorer",
    "__version__",
    "batches",
    "evaluate",
    "head_to_head",
    "method_named",
    "method_names",
    "nearest",
    "score_features",
    "score_trajectory",
]
