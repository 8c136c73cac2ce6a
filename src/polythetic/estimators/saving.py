"""Saving: a fitted classifier as one safetensors file with a JSON header. Nothing in it is ever executed."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from polythetic.errors import DataError
from polythetic.estimators.columns import Column, Columns
from polythetic.estimators.learned import learned_facts, put_learned
from polythetic.estimators.novelty import Novelty
from polythetic.estimators.reading import Read
from polythetic.estimators.scoring import Scored
from polythetic.estimators.sealed import Facts, Tensors, seal, unseal
from polythetic.estimators.voters import FORMS, Voter

if TYPE_CHECKING:
    from polythetic.estimators.classifier import PolytheticClassifier

    C = TypeVar("C", bound=PolytheticClassifier)

NOTE = "This file contains the labelled rows that the classifier was fitted on."


def write(path: Path, classifier: PolytheticClassifier) -> None:
    """Write a classifier whole, or not at all."""
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
    facts = {
        "note": NOTE,
        **learned_facts(classifier),
        "columns": [asdict(column) for column in classifier._rows.columns.columns],
        "voters": [
            {"form": v.form, "width": v.width, "steepness": v.steepness, "weight": v.weight} for v in classifier._voters
        ],
        "calibration_error": classifier.calibration_error_,
    }
    seal(path, facts, tensors)


def open_(path: Path, kind: type[C]) -> C:
    """Read a classifier, and refuse a file that is not as it was written."""
    facts, tensors = unseal(path, "classifier")
    try:
        return _rebuilt(kind, facts, tensors)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise DataError(f"{path}: not a classifier that this version can read ({error}); save it again") from error


def _rebuilt(kind: type[C], facts: Facts, tensors: Tensors) -> C:
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
    made.feature_scores_ = made._scored.by_column
    made.calibration_error_ = facts["calibration_error"]
    put_learned(made, facts, len(columns.columns))
    return made


def _check_shapes(facts: Facts, tensors: Tensors) -> None:
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
