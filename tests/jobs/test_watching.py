"""How far a training has come is told while it goes on, and each step once."""

import pytest

from polythetic.jobs import Alone, Job, Nothing, carry_out, watching
from polythetic.jobs.watching import share_done
from tests.jobs import works
from tests.jobs.told import Told


def test__watch__long_training__is_told_bit_by_bit(tmp_path, monkeypatch):
    monkeypatch.setattr(watching, "EVERY", 0.01)
    told = Told()
    jobs = [
        Job("training", works.training, {"settings": works.strings(90)}, cost=900.0, folder="strings"),
        Job("number", works.number, {"x": 1}, cost=5.0),
    ]
    carry_out(jobs, store=Nothing(), crew=Alone(), progress=told, folder=tmp_path)
    assert told.steps == 905
    assert told.notes.count("number") == 1
    assert told.notes.count("training") > 2


def test__share_done__of_a_folder__is_what_is_saved(tmp_path):
    assert share_done(tmp_path / "not there") == 0
    settings = works.strings(30)
    works.training(settings, tmp_path)
    assert share_done(tmp_path) == 1
    for path in tmp_path.glob("checkpoint-00000030.*"):
        path.unlink()
    assert share_done(tmp_path) == pytest.approx(2 / 3)
    (tmp_path / "settings.json").write_text("{")
    assert share_done(tmp_path) == 0
