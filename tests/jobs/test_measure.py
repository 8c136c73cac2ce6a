"""Measuring: every head on features that are made once gives what the learner itself would."""

import torch

from polythetic.episodes.suites import suite_named
from polythetic.jobs.learning import measure
from polythetic.runs import EVALUATION_SEED, RunSettings
from polythetic.training import Schedule

OPTIONS = {"n": 5}


def learner_of(method, **options):
    settings = RunSettings("boolean", method, Schedule(tasks=1), options=OPTIONS, **options)
    return settings, settings.learner(suite_named("boolean", options=OPTIONS))


def accuracies(learner, start, stop):
    tasks = suite_named("boolean", options=OPTIONS)
    found = []
    for number in range(start, stop):
        episode = tasks.batch(EVALUATION_SEED + 3, number, number + 1)
        said = learner.predict(episode.support, episode.support_labels, episode.query)
        found.append(100 * (said == episode.query_labels).double().mean())
    return torch.stack(found)


def test__measure__own_head__is_the_learner_itself():
    for method in ("PN", "FS+MN", "IMP", "MAML"):
        settings, learner = learner_of(method)
        learner.eval()
        found = measure(learner.state_dict(), settings, "boolean", OPTIONS, {"own": None}, start=2, stop=6, seed=3)
        assert torch.equal(found["own"], accuracies(learner, 2, 6))


def test__measure__other_head__is_that_method_on_the_encoder():
    settings, learner = learner_of("PN")
    heads = {"MN*": {"name": "MN"}, "own": None}
    found = measure(learner.state_dict(), settings, "boolean", OPTIONS, heads, start=0, stop=5, seed=3)
    _, other = learner_of("MN")
    other.load_state_dict(learner.state_dict())
    assert torch.equal(found["MN*"], accuracies(other.eval(), 0, 5))
    assert torch.equal(found["own"], accuracies(learner.eval(), 0, 5))
