"""Saving: another process answers identically; a file that was changed, cut short or forged is refused."""

import json
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from safetensors.numpy import save_file

from polythetic.errors import DataError
from polythetic.estimators import AttentionSelector, PolytheticClassifier
from polythetic.estimators.sealed import KEY

RNG = np.random.default_rng(0)
TABLE = pd.DataFrame({"a": RNG.normal(size=40), "b": RNG.choice(["u", "v", "w"], 40), "c": RNG.normal(size=40)})
Y = np.where((TABLE["a"] > 0) & (TABLE["b"] != "u"), "yes", "no")
ANSWER = """
import sys, numpy as np, pandas as pd
from polythetic import PolytheticClassifier
fitted = PolytheticClassifier.load(sys.argv[1])
table = pd.read_json(sys.argv[2], orient="split", precise_float=True)
np.save(sys.argv[3], fitted.predict_proba(table))
"""


@pytest.fixture
def saved(tmp_path):
    fitted = PolytheticClassifier(novelty=0.2, prior="uniform").fit(TABLE, Y)
    fitted.save(tmp_path / "fitted.safetensors")
    return fitted, tmp_path / "fitted.safetensors"


def test__load__in_another_process__answers_identically(saved, tmp_path):
    fitted, path = saved
    query, out = tmp_path / "query.json", tmp_path / "answers.npy"
    TABLE.to_json(query, orient="split", double_precision=15)
    subprocess.run([sys.executable, "-c", ANSWER, str(path), str(query), str(out)], check=True)
    table = pd.read_json(query, orient="split", precise_float=True)
    np.testing.assert_array_equal(np.load(out), fitted.predict_proba(table))


@pytest.mark.parametrize("kind", [int, str, bool, float])
def test__load__gives_all_that_was_fitted(tmp_path, kind):
    y = (TABLE["a"] > 0).astype(int).to_numpy().astype(kind)
    fitted = PolytheticClassifier(scorer="none").fit(TABLE, y)
    fitted.save(tmp_path / "f")
    again = PolytheticClassifier.load(tmp_path / "f")
    assert again.get_params() == fitted.get_params()
    assert again.classes_.dtype == fitted.classes_.dtype
    for name in ("classes_", "feature_scores_", "feature_names_in_", "n_features_in_", "calibration_error_"):
        np.testing.assert_array_equal(getattr(again, name), getattr(fitted, name))
    np.testing.assert_array_equal(again.novelty_p_values(TABLE), fitted.novelty_p_values(TABLE))
    np.testing.assert_array_equal(again.explain(TABLE).contributions, fitted.explain(TABLE).contributions)
    again.partial_fit(TABLE[:3], y[:3])


@pytest.mark.parametrize("place", [12, 400, -9])
def test__load__a_byte_changed__is_refused(saved, place):
    _, path = saved
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(DataError, match=r"fitted\.safetensors: .*save it again"):
        PolytheticClassifier.load(path)


@pytest.mark.parametrize("length", [0, 5, 300, -8])
def test__load__cut_short__is_refused(saved, length):
    _, path = saved
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(DataError, match="save it again"):
        PolytheticClassifier.load(path)


def test__load__other_files__are_refused(tmp_path):
    with pytest.raises(DataError, match="no such file"):
        PolytheticClassifier.load(tmp_path / "nothing")
    save_file({"x": np.zeros(3)}, tmp_path / "other", metadata={"format": "np"})
    with pytest.raises(DataError, match="not a saved classifier"):
        PolytheticClassifier.load(tmp_path / "other")
    save_file({"x": np.zeros(3)}, tmp_path / "later", metadata={KEY: json.dumps({"format": 99, "sha256": ""})})
    with pytest.raises(DataError, match=r"format 99.*update polythetic"):
        PolytheticClassifier.load(tmp_path / "later")


def test__saved__says_that_it_contains_the_rows(saved):
    assert b"contains the labelled rows" in saved[1].read_bytes()


@pytest.mark.parametrize("keep", ["auto", 2])
@pytest.mark.parametrize("make", [lambda table: table, lambda table: table[["a", "c"]].to_numpy()])
def test__selector__loaded__selects_the_same(tmp_path, make, keep):
    fitted = AttentionSelector(keep, scorer="FS").fit(make(TABLE), Y)
    fitted.save(tmp_path / "s")
    again = AttentionSelector.load(tmp_path / "s")
    assert again.get_params() == fitted.get_params()
    assert hasattr(again, "feature_names_in_") == hasattr(fitted, "feature_names_in_")
    for name in ("classes_", "feature_scores_", "n_features_in_"):
        np.testing.assert_array_equal(getattr(again, name), getattr(fitted, name))
    np.testing.assert_array_equal(again.get_feature_names_out(), fitted.get_feature_names_out())
    if hasattr(fitted, "feature_names_in_"):
        pd.testing.assert_frame_equal(*(s.set_output(transform="pandas").transform(TABLE) for s in (again, fitted)))
    else:
        np.testing.assert_array_equal(again.transform(make(TABLE)), fitted.transform(make(TABLE)))


def test__selector__a_file_of_something_else__is_refused(saved, tmp_path):
    with pytest.raises(DataError, match="not a selector that this version can read"):
        AttentionSelector.load(saved[1])
    AttentionSelector(scorer="FS").fit(TABLE, Y).save(tmp_path / "s")
    with pytest.raises(DataError, match="not a classifier that this version can read"):
        PolytheticClassifier.load(tmp_path / "s")
    content = bytearray((tmp_path / "s").read_bytes())
    content[-3] ^= 1
    (tmp_path / "s").write_bytes(content)
    with pytest.raises(DataError, match="its checksum differs"):
        AttentionSelector.load(tmp_path / "s")
    with pytest.raises(DataError, match="no such file; give the path that a selector was saved to"):
        AttentionSelector.load(tmp_path / "nothing")
