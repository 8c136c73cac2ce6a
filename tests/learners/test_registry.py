"""Learners by name, and their losses."""

import pytest
import torch

from polythetic.classifiers import method_named
from polythetic.encoders import Identity
from polythetic.episodes import BooleanTasks
from polythetic.errors import InputError
from polythetic.learners import EpisodicLearner, learner_named
from polythetic.learners.heads import AUTHORS, OURS, VARIANTS, head_named
from polythetic.learners.learner import columns, negative_log_likelihood


@pytest.fixture
def episode():
    return BooleanTasks(n=5, alpha=1).batch(seed=0, start=0, stop=3)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("name", OURS)
def test__heads__every_name_and_variant__give_probabilities(name, variant, episode):
    log_p = EpisodicLearner(Identity(example_dims=1), head_named(name, variant))(episode)
    torch.testing.assert_close(log_p.exp().sum(-1), torch.ones(3, 10))


def test__heads__both_variants__have_the_same_names():
    assert OURS.keys() == AUTHORS.keys()


def test__learner__methods_without_a_gradient__are_refused_for_training():
    for name in ("NN", "FS+NN"):
        with pytest.raises(InputError, match="one with a gradient"):
            learner_named(name, Identity(example_dims=1))


def test__loss__exact__is_the_mean_log_probability_of_the_truth(episode):
    learner = learner_named("PN", Identity(example_dims=1))
    loss, log_p = learner.loss(episode)
    assert (columns(episode) == (episode.query_labels > 0)).all()  # −1 and +1 are the columns 0 and 1
    expected = -torch.stack(
        [log_p[t, q, int(episode.query_labels[t, q] > 0)] for t in range(3) for q in range(10)]
    ).mean()
    torch.testing.assert_close(loss, expected)


def test__loss__of_the_authors_on_digits__is_clipped(episode):
    learner = learner_named("PN", Identity(example_dims=1), variant="authors", suite="mnist-full")
    loss, log_p = learner.loss(episode)
    within = log_p.exp().clamp(0.05, 0.95).log()
    torch.testing.assert_close(loss, negative_log_likelihood(within, episode))
    assert learner_named("PN", Identity(example_dims=1), suite="mnist-full").clip == 0


def test__loss__padding__does_not_count(episode):
    padded = type(episode)(
        episode.support,
        episode.support_labels,
        torch.cat([episode.query, torch.zeros(3, 2, 5)], 1),
        torch.cat([episode.query_labels, torch.zeros(3, 2, dtype=torch.long)], 1),
        None,
        torch.arange(12).expand(3, 12) < 10,
    )
    learner = learner_named("PN", Identity(example_dims=1))
    torch.testing.assert_close(learner.loss(padded)[0], learner.loss(episode)[0])


def test__predict__is_that_of_the_method_on_the_features(episode):
    learner = EpisodicLearner(Identity(example_dims=1), method_named("FS+MN"))
    given = (episode.support, episode.support_labels, episode.query)
    assert torch.equal(learner.predict(*given), method_named("FS+MN").predict(*given))
