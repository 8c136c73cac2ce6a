"""Metrics: lines of JSON, and TensorBoard's files."""

import json
import warnings

import pytest

from polythetic.errors import InputError
from polythetic.metrics import Both, JsonLines, TensorBoard


def test__both__are_told_the_same(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of TensorBoard's own dependencies
        both = Both(JsonLines(tmp_path / "metrics.jsonl", step=0), TensorBoard(tmp_path, step=0))
        both.write(1, {"loss": 0.5})
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

        events = EventAccumulator(str(tmp_path)).Reload()
    assert [(event.step, event.value) for event in events.Scalars("loss")] == [(1, 0.5)]
    assert json.loads((tmp_path / "metrics.jsonl").read_text()) == {"step": 1, "loss": 0.5}


def test__tensorboard__not_installed__says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "torch.utils.tensorboard", None)
    with pytest.raises(InputError, match=r'pip install "polythetic\[tensorboard\]"'):
        TensorBoard(tmp_path, step=0)
