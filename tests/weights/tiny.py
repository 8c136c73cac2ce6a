"""Weights to test with: of one learner of Table 2, trained on two tasks, narrow."""

import pytest

from polythetic.experiments.learned import folder_name
from polythetic.runs import run
from polythetic.weights.make import make, wanted
from tests.experiments.narrow import narrow_encoder
from tests.experiments.tiny import TINY

NAME = "mnist-clean-fs-mn"


def settings_of(method, suite="mnist-clean"):
    (settings,) = [s for _, s in wanted(TINY) if (s.suite, s.method, s.method_options) == (suite, method, {})]
    return settings


@pytest.fixture(scope="session")
def runs(tmp_path_factory):
    """A folder with one finished run, and one that has not begun."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("polythetic.runs.encoder_for", narrow_encoder)
        run(settings_of("FS+MN"), folder / folder_name(settings_of("FS+MN")))
    return folder


@pytest.fixture
def weights(runs, tmp_path, monkeypatch):
    """What would come along, if these were the runs."""
    make(TINY, runs, tmp_path / "results", tmp_path / "weights", say=lambda line: None)
    monkeypatch.setattr("polythetic.weights.HERE", tmp_path / "weights")
    monkeypatch.setattr("polythetic.runs.encoder_for", narrow_encoder)
    return tmp_path / "weights"
