"""What every fitted estimator has by scikit-learn's conventions, as facts for a file, and back."""

from __future__ import annotations

from typing import Any

import numpy as np

KINDS = "biufUSO"  # of labels; others could hold what is no label


def learned_facts(estimator: Any) -> dict[str, Any]:
    """Return parameters, classes and names of features."""
    names = getattr(estimator, "feature_names_in_", None)
    return {
        "parameters": {name: _plain(value) for name, value in estimator.get_params().items()},
        "classes": {"dtype": estimator.classes_.dtype.str, "values": estimator.classes_.tolist()},
        "feature_names": None if names is None else list(names),
    }


def put_learned(estimator: Any, facts: dict[str, Any], features: int) -> None:
    """Give an estimator, made with the parameters, the rest of these facts."""
    dtype = np.dtype(facts["classes"]["dtype"])
    if dtype.kind not in KINDS:
        raise ValueError(f"labels of {dtype.str}")
    estimator.classes_ = np.array(facts["classes"]["values"], dtype=dtype)
    estimator.n_features_in_ = features
    if facts["feature_names"] is not None:
        if len(facts["feature_names"]) != features:
            raise ValueError(f"{len(facts['feature_names'])} names of {features} features")
        estimator.feature_names_in_ = np.array(facts["feature_names"], dtype=object)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return value.item() if isinstance(value, np.generic) else None  # a generator of random numbers is not kept
