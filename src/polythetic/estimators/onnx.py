"""ONNX: a fitted classifier as a graph of plain operations, to answer where there is no Python (extra: onnx)."""

from __future__ import annotations

import json
import tempfile
import warnings
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch import Tensor, nn

from polythetic.errors import InputError, MissingDataError
from polythetic.estimators.voters import DOUBT
from polythetic.files import write_atomically

if TYPE_CHECKING:
    from polythetic.estimators.classifier import PolytheticClassifier

NEEDED = ("onnx", "onnxscript")


class Graph(nn.Module):
    """The answers of a fitted classifier, numbers [q, F] to probabilities [q, K], by the formulas of ``voters``."""

    def __init__(self, classifier: PolytheticClassifier):
        super().__init__()
        self._voters = [(v.form, v.width, v.steepness, v.weight) for v in classifier._voters]
        scored = classifier._scored
        constants = {"mean": scored.mean, "inverse": 1 / scored.spread, "z": classifier._z}
        for i, voter in enumerate(classifier._voters):
            constants |= {f"scales{i}": voter.scales, f"coefficients{i}": voter.coefficients}
        self._imputes = classifier.missing == "impute"
        constants["typical"] = np.array([column.typical for column in classifier._rows.columns.columns], dtype=float)
        if classifier.prior == "uniform":
            constants["common"] = np.bincount(classifier._codes).astype(float)
        self._uniform = classifier.prior == "uniform"
        for name, value in constants.items():
            self.register_buffer(name, torch.from_numpy(np.ascontiguousarray(value)))

    def forward(self, numbers: Tensor) -> Tensor:
        """Return the probability of each class."""
        if self._imputes:
            numbers = torch.where(numbers.isnan(), self.get_buffer("typical"), numbers)
        query = ((numbers - self.get_buffer("mean")) * self.get_buffer("inverse")).clamp(-1e6, 1e6)
        parts = [self._voted(i, query) for i in range(len(self._voters))]
        found = torch.stack(parts).sum(0)
        if self._uniform:
            found = found / self.get_buffer("common")
        return found / found.sum(-1, keepdim=True)

    def _voted(self, i: int, query: Tensor) -> Tensor:
        form, width, steepness, weight = self._voters[i]
        scales, B = self.get_buffer(f"scales{i}"), self.get_buffer(f"coefficients{i}")
        q, x = query * scales, self.get_buffer("z") * scales
        products = q @ x.T
        if form == "linear":
            G = products + 1
        else:
            D = ((q * q).sum(-1, keepdim=True) + (x * x).sum(-1) - 2 * products).clamp(min=0)
            G = (-width * D).softmax(-1) if form == "attention" else (-width * D).exp() + 1
        votes = G @ B
        sure = votes + 1 / B.shape[1] if form == "attention" else (steepness * votes).softmax(-1)
        return weight * ((1 - DOUBT) * sure + DOUBT / B.shape[1])


def export(classifier: PolytheticClassifier, path: Path) -> None:
    """Write the graph: input ``X`` [rows, columns] in double precision, output ``probabilities``; any number of rows.

    Labels and columns are in the file's metadata. It contains the labelled rows, standardised.
    """
    if absent := [name for name in NEEDED if find_spec(name) is None]:
        raise MissingDataError(f'{absent[0]}: not installed, and ONNX files take it; pip install "polythetic[onnx]"')
    import onnx

    columns = classifier._rows.columns
    if any(column.categories for column in columns.columns):
        name = next(column.name for column in columns.columns if column.categories)
        raise InputError("X", f"a column of categories, {name!r}", "columns of numbers alone; encode it beforehand")
    example = torch.zeros(2, len(columns.columns), dtype=torch.float64)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of the exporter, about itself
        made = Path(folder) / "graph.onnx"
        torch.onnx.export(
            Graph(classifier).eval(),
            (example,),
            str(made),
            input_names=["X"],
            output_names=["probabilities"],
            dynamic_shapes=({0: torch.export.Dim("rows", min=1)},),
            dynamo=True,
            opset_version=18,  # what it translates to; other versions would be converted, which not all of them can be
            external_data=False,
            verbose=False,
        )
        model = onnx.load(str(made))
    facts = {"classes": classifier.classes_.tolist(), "columns": list(columns.names)}
    onnx.helper.set_model_props(model, {"polythetic": json.dumps(facts)})
    write_atomically(path, model.SerializeToString())
