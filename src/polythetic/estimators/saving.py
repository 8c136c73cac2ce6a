"""Saving: a fitted classifier as one safetensors file with a JSON header. Nothing in it is ever executed."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from polythetic.errors import DataError
from polythetic.estimators.columns import Column, Columns
from polythetic.estimators.novelty import Novelty
from polythetic.estimators.reading import Read, Scored
from polythetic.estimators.voters import FORMS, Voter
from polythetic.files import write_atomically

if TYPE_CHECKING:
    from polythetic.estimators.classifier import PolytheticClassifier

    C = TypeVar("C", bound=PolytheticClassifier)

FORMAT = 1
KEY = "polythetic"
NOTE = "This file contains the labelled rows that the classifier was fitted on."


def write(path: Path, classifier: PolytheticClassifier) -> None:
    """Write a classifier whole, or not at all."""
    from safetensors.numpy import save

    tensors = {
        "numbers": classifier._rows.numbers,
        "codes": classifier._codes,
        "mean": classifier._scored.mean,
        "spread": classifier._scored.spread,
        "scales": classifier._scored.scales,
        "by_column": classifier._scored.by_column,
    }
    for i, voter in enumerate(classifier._voters):
        tensors |= {f"voter{i}.scales": voter.scales, f"voter{i}.coefficients": voter.coefficients}
    tensors = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    names = getattr(classifier, "feature_names_in_", None)
    facts = {
        "format": FORMAT,
        "note": NOTE,
        "parameters": {name: _plain(value) for name, value in classifier.get_params().items()},
        "classes": {"dtype": classifier.classes_.dtype.str, "values": classifier.classes_.tolist()},
        "feature_names": None if names is None else list(names),
        "columns": [asdict(column) for column in classifier._rows.columns.columns],
        "voters": [
            {"form": v.form, "width": v.width, "steepness": v.steepness, "weight": v.weight} for v in classifier._voters
        ],
        "calibration_error": classifier.calibration_error_,
    }
    facts["sha256"] = _digest(facts, tensors)
    write_atomically(path, save(tensors, metadata={KEY: json.dumps(facts)}))


def open_(path: Path, kind: type[C]) -> C:
    """Read a classifier, and refuse a file that is not as it was written."""
    facts, tensors = _content(path)
    try:
        return _rebuilt(kind, facts, tensors)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise DataError(f"{path}: not a classifier that this version can read ({error}); save it again") from error


def _content(path: Path) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise DataError(f"{path}: no such file; give the path that a classifier was saved to")
    try:
        with safe_open(path, framework="numpy") as file:
            facts = json.loads((file.metadata() or {})[KEY])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if facts["format"] != FORMAT:
            raise DataError(
                f"{path}: written in format {facts['format']}, this version reads {FORMAT}; update polythetic"
            )
        whole = facts.pop("sha256") == _digest(facts, tensors)
    except (SafetensorError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{path}: not a saved classifier, or cut short ({error}); save it again") from error
    if not whole:
        raise DataError(f"{path}: changed since it was saved (its checksum differs); save it again")
    return facts, tensors


def _rebuilt(kind: type[C], facts: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> C:
    _check_shapes(facts, tensors)
    made = kind(**facts["parameters"])
    columns = Columns(
        tuple(
            Column(c["name"], None if c["categories"] is None else tuple(c["categories"]), c["typical"])
            for c in facts["columns"]
        )
    )
    made._rows, made._codes = Read(tensors["numbers"], columns), tensors["codes"]
    made._scored = Scored(*(tensors[name] for name in ("mean", "spread", "scales", "by_column")))
    made._z = made._scored.standardise(made._rows.numbers)
    made._voters = [
        Voter(
            form=FORMS[FORMS.index(v["form"])],
            scales=tensors[f"voter{i}.scales"],
            width=v["width"],
            coefficients=tensors[f"voter{i}.coefficients"],
            steepness=v["steepness"],
            weight=v["weight"],
        )
        for i, v in enumerate(facts["voters"])
    ]
    made._novelty = Novelty.of(made._z, made._codes)
    made.classes_ = np.array(facts["classes"]["values"], dtype=_safe_dtype(facts["classes"]["dtype"]))
    made.feature_scores_ = made._scored.by_column
    made.calibration_error_ = facts["calibration_error"]
    made.n_features_in_ = len(columns.columns)
    if facts["feature_names"] is not None:
        made.feature_names_in_ = np.array(facts["feature_names"], dtype=object)
    return made


def _check_shapes(facts: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> None:
    n, F = tensors["numbers"].shape
    K, count = len(facts["classes"]["values"]), len(facts["columns"])
    expected: dict[str, tuple[int, ...]] = {
        "codes": (n,),
        "mean": (F,),
        "spread": (F,),
        "scales": (F,),
        "by_column": (count,),
    }
    for i in range(len(facts["voters"])):
        expected |= {f"voter{i}.scales": (F,), f"voter{i}.coefficients": (n, K)}
    for name, shape in expected.items():
        if tensors[name].shape != shape:
            raise ValueError(f"{name} of shape {tensors[name].shape} instead of {shape}")
    if not ((tensors["codes"] >= 0) & (tensors["codes"] < K)).all():
        raise ValueError("codes of classes that are not there")


def _safe_dtype(name: str) -> np.dtype[Any]:
    dtype = np.dtype(name)
    if dtype.kind not in "biufUSO":
        raise ValueError(f"labels of {name}")
    return dtype


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | float | str):
        return value
    return value.item() if isinstance(value, np.generic) else None  # a generator of random numbers is not kept


def _digest(facts: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for name in sorted(tensors):
        tensor = np.ascontiguousarray(tensors[name])
        digest.update(f"{name} {tensor.dtype.str} {tensor.shape}".encode() + tensor.tobytes())
    return digest.hexdigest()
