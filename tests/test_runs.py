"""What a run is asked to do, on paper and on disk."""

import json
from dataclasses import replace

import pytest

from polythetic.encoders import Identity
from polythetic.episodes import BooleanTasks
from polythetic.episodes.suites import suite_named
from polythetic.errors import InputError
from polythetic.learners import learner_named
from polythetic.runs import RunSettings, load_learner, read_settings, run
from polythetic.training import Schedule

SETTINGS = RunSettings("boolean", "FS+MN", Schedule(tasks=2), embedding=4, options={"n": 5})


def written_before(settings):
    """What stood in settings.json before methods had options."""
    fields = json.loads(settings.as_json())
    fields.pop("method_options", None)
    return json.dumps(fields)


def test__settings__without_options_of_the_method__are_written_as_before_and_read_the_same():
    assert "method_options" not in SETTINGS.as_json()
    assert RunSettings.from_json(written_before(SETTINGS)) == SETTINGS


def test__settings__with_options_of_the_method__come_back_from_disk(tmp_path):
    asked = replace(SETTINGS, method_options={"repeats": 0})
    assert RunSettings.from_json(asked.as_json()) == asked != SETTINGS
    run(asked, tmp_path, validation_tasks=0)
    assert read_settings(tmp_path) == asked


def test__run__folder_from_before__goes_on_with_no_options_and_refuses_others(tmp_path):
    run(SETTINGS, tmp_path, validation_tasks=0)
    (tmp_path / "settings.json").write_text(written_before(SETTINGS))
    run(SETTINGS, tmp_path, validation_tasks=0)
    with pytest.raises(InputError, match=r"a run with other settings is there \(method_options\)"):
        run(replace(SETTINGS, method_options={"repeats": 0}), tmp_path, validation_tasks=0)


def test__learner__options_of_the_method__reach_it():
    suite = BooleanTasks(n=5)
    maml = replace(SETTINGS, method="MAML", method_options={"rate": 0.1, "test_steps": 3}).learner(suite)
    assert (maml.rate, maml.steps, maml.test_steps) == (0.1, 5, 3)
    assert replace(SETTINGS, method_options={"repeats": 5}).learner(suite).method.selection.scorer.repeats == 5


@pytest.mark.parametrize(
    ("method", "options", "message"),
    [
        ("MAML", {"repeats": 2}, "option of MAML = 'repeats': expected one of steps, test_steps, rate, order"),
        ("FS+MN", {"rate": 0.1}, r"option of FS\+MN = 'rate': expected one of similarity, repeats"),
    ],
)
def test__learner__option_of_another_method__is_refused_with_those_there_are(method, options, message):
    with pytest.raises(InputError, match=message):
        learner_named(method, Identity(example_dims=1), options=options)


@pytest.mark.parametrize("wrong", [{"options": {"foo": 1}}, {"encoder": "foo"}, {"method": "foo"}])
def test__run__settings_that_are_none__leave_the_folder_to_those_that_are_meant(tmp_path, wrong):
    settings = replace(SETTINGS, method="PN", options={})
    with pytest.raises(InputError):
        run(replace(settings, **wrong), tmp_path / "run")
    run(settings, tmp_path / "run")


def test__load_learner__tasks_that_the_encoder_does_not_fit__are_refused_with_both_sizes(tmp_path):
    run(replace(SETTINGS, method="PN", options={}), tmp_path)
    with pytest.raises(InputError, match=r"encoder fits these tasks: of encoder\S* it has \(\d+, 10\), .* \(\d+, 20\)"):
        load_learner(tmp_path, suite_named("boolean", options={"n": 20}))
