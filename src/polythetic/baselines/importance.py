"""What everyone tries first: mutual information, and the importances of forests and of boosted trees."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import torch
from jaxtyping import Float, Int
from torch import Tensor

from polythetic.baselines.categories import indicators
from polythetic.errors import InputError


def mutual_information(x: Int[Tensor, "n F"], labels: Int[Tensor, " n"]) -> Float[Tensor, " F"]:
    """Mutual information of each feature and the class, in nats, from their counts.

    >>> mutual_information(torch.tensor([[0, 0], [0, 1], [1, 0], [1, 1]]), torch.tensor([0, 0, 1, 1])).tolist()
    [0.6931..., 0.0]
    """
    values = int(x.max()) + 1
    classes = labels.unique()
    of_class = (labels[:, None] == classes).to(torch.get_default_dtype())
    joint = (of_class.T @ indicators(x, values) / len(x)).unflatten(1, (-1, values))  # [K, F, V]
    expected = joint.sum(2, keepdim=True) * joint.sum(0, keepdim=True)
    return torch.where(joint > 0, joint * (joint / expected.clamp(min=1e-30)).log(), 0).sum((0, 2)).clamp(min=0)


def forest(x: Int[Tensor, "n F"], labels: Int[Tensor, " n"]) -> Float[Tensor, " F"]:
    """Impurity importance in a random forest of scikit-learn's, 100 trees."""
    return _importances(_ensemble().RandomForestClassifier(random_state=0), x, labels)


def boosting(x: Int[Tensor, "n F"], labels: Int[Tensor, " n"]) -> Float[Tensor, " F"]:
    """Impurity importance in gradient-boosted trees of scikit-learn's, 100 trees of depth 3."""
    return _importances(_ensemble().GradientBoostingClassifier(random_state=0), x, labels)


def has_sklearn() -> bool:
    """Say whether scikit-learn is installed."""
    return find_spec("sklearn") is not None


def _ensemble() -> Any:
    if not has_sklearn():
        raise InputError("method", "importances of trees", "scikit-learn to be installed: pip install scikit-learn")
    import sklearn.ensemble

    return sklearn.ensemble


def _importances(model: Any, x: Tensor, labels: Tensor) -> Tensor:
    fitted = model.fit(x.numpy().astype("float32"), labels.numpy())
    return torch.as_tensor(fitted.feature_importances_, dtype=torch.get_default_dtype())
