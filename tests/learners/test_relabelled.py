"""Prototypes of every attribute at once: the loss against a loop, and training that goes somewhere."""

import pytest
import torch
from torch.testing import assert_close

from polythetic.datasets import mnist
from polythetic.encoders import Identity, encoder_for
from polythetic.episodes import BooleanTasks, Episode, PictureTasks
from polythetic.errors import InputError
from polythetic.learners import learner_named
from polythetic.learners.relabelled import RelabelledPrototypes
from polythetic.training import Schedule, train


def test__loss__two_attributes__is_the_mean_of_their_prototypes_losses():
    support, query = torch.tensor([[0.0], [2.0], [4.0], [6.0]]), torch.tensor([[1.0], [5.0]])
    traits = {
        "support_traits": torch.tensor([[0, 7], [0, 8], [1, 7], [1, 8]]),
        "query_traits": torch.tensor([[0, 9], [1, 8]]),  # no 9 in the support: not asked
    }
    episode = Episode(support, torch.tensor([0, 0, 1, 1]), query, torch.tensor([0, 1]), attributes=traits)
    loss, log_p = RelabelledPrototypes(Identity(example_dims=1)).loss(episode)
    first = -torch.tensor([[0.0, -16.0], [0.0, -16.0]]).log_softmax(1)[:, 0].mean()  # prototypes at 1 and 5
    second = -torch.tensor([-9.0, -1.0]).log_softmax(0)[1]  # prototypes at 2 and 4, the query at 5
    assert_close(loss, (first + second) / 2)
    assert_close(log_p.exp().sum(-1), torch.ones(2))


def test__learner_named__relabelled__takes_no_options():
    with pytest.raises(InputError, match="option of RELABELLED-PN"):
        learner_named("relabelled-PN", Identity(example_dims=1), options={"repeats": 1})


def test__loss__episodes_without_traits__says_what_it_needs():
    with pytest.raises(InputError, match="the suite pictures"):
        RelabelledPrototypes(Identity(example_dims=1)).loss(BooleanTasks(n=3, alpha=1).batch(0, 0, 1))


def test__training__a_few_passes__lowers_the_loss():
    tasks = PictureTasks(mnist("training", source="embedded"), support=24, queries=12)
    torch.manual_seed(0)
    learner = learner_named("RELABELLED-PN", encoder_for(tasks.example_shape, embedding=16))
    before, _ = learner.loss(tasks.batch(1, 0, 1))
    train(learner, tasks, Schedule(tasks=12))
    after, _ = learner.loss(tasks.batch(1, 0, 1))
    assert after < before
