"""Training and measuring as jobs: to go on is to end alike, and blocks put together are the whole."""

import torch

from polythetic.episodes.suites import suite_named
from polythetic.jobs.learning import measure, train
from polythetic.runs import load_learner
from tests.jobs import works


def test__train__again__gives_the_weights_that_the_folder_has(tmp_path):
    first = train(works.strings(20), tmp_path)
    assert works.same([first], [train(works.strings(20), tmp_path)])
    learner = load_learner(tmp_path, suite_named("boolean", options={"n": 5}))
    assert works.same([first], [dict(learner.state_dict())])


def test__measure__in_blocks__is_the_same_as_at_once(tmp_path):
    settings, heads = works.strings(20), {"own": None, "PN": {"name": "PN"}}
    weights = train(settings, tmp_path)

    def accuracies(start, stop, seed=0):
        return measure(weights, settings, "boolean", {"n": 5}, heads, start, stop, seed)

    whole, blocks = accuracies(0, 7), [accuracies(0, 3), accuracies(3, 7)]
    assert list(whole) == ["own", "PN"]
    for label, values in whole.items():
        assert torch.equal(values, torch.cat([block[label] for block in blocks]))
    assert not works.same([whole], [accuracies(0, 7, seed=1)])
