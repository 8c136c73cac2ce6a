"""ONNX: the runtime gives the answer that Python gives, for any number of rows."""

import json

import numpy as np
import pandas as pd
import pytest

from polythetic.errors import InputError
from polythetic.estimators import PolytheticClassifier

onnxruntime = pytest.importorskip("onnxruntime", reason="the extra onnx is not installed")
RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 5)) * [1, 10, 0.1, 1, 1]
Y = np.where(X[:, 0] * X[:, 3] > 0, "same", "different")


@pytest.mark.parametrize("options", [{}, {"votes": "attention", "prior": "uniform"}])
def test__runtime__any_number_of_rows__answers_as_python_does(tmp_path, options):
    fitted = PolytheticClassifier(**options).fit(X[:35], Y[:35])
    fitted.export_onnx(tmp_path / "graph.onnx")
    session = onnxruntime.InferenceSession(str(tmp_path / "graph.onnx"))
    for rows in (1, 7, 60):
        (found,) = session.run(["probabilities"], {"X": X[:rows]})
        np.testing.assert_allclose(found, fitted.predict_proba(X[:rows]), rtol=1e-6, atol=1e-9)
    facts = json.loads(session.get_modelmeta().custom_metadata_map["polythetic"])
    assert facts == {"classes": ["different", "same"], "columns": ["x0", "x1", "x2", "x3", "x4"]}


def test__runtime__missing_values__are_imputed_as_python_does(tmp_path):
    fitted = PolytheticClassifier(missing="impute", scorer="none").fit(X[:35], Y[:35])
    fitted.export_onnx(tmp_path / "graph.onnx")
    query = X[35:40].copy()
    query[1, 2] = np.nan
    (found,) = onnxruntime.InferenceSession(str(tmp_path / "graph.onnx")).run(None, {"X": query})
    np.testing.assert_allclose(found, fitted.predict_proba(query), rtol=1e-6, atol=1e-9)


def test__export__categories__are_refused(tmp_path):
    table = pd.DataFrame({"a": X[:20, 0], "b": ["u", "v"] * 10})
    fitted = PolytheticClassifier(scorer="none").fit(table, Y[:20])
    with pytest.raises(InputError, match=r"'b'.*encode it beforehand"):
        fitted.export_onnx(tmp_path / "graph.onnx")
