import pytest
import torch
from torch import nn

from polythetic.episodes import TEST_PAIRS, TRAINING_PAIRS, BooleanTasks
from polythetic.errors import InputError
from polythetic.evaluation import evaluate
from polythetic.learners import EpisodicLearner
from polythetic.learners.heads import head_named
from polythetic.learners.stacked import Member, StackedPrototypes, initial_encoder

BALANCED, IID = (BooleanTasks(n=4, repetitions=3, design=design) for design in ("balanced", "iid"))
MEMBERS = [Member(suite, d, seed) for suite in (BALANCED, IID) for d in (16, 1, 4) for seed in (1, 2)]

TASKS = 45  # more than two blocks


def trained_alone(member):
    """Train one network as a textbook would: cross-entropy of the distances to the two means, torch's Adam."""
    encoder = initial_encoder(member).double().module
    optimiser = torch.optim.Adam(encoder.parameters(), lr=1e-3)
    for number in range(TASKS):
        episode = member.suite.batch(member.seed, number, number + 1).to(torch.float64)
        support, labels = encoder(episode.support[0]), episode.support_labels[0]
        prototypes = torch.stack([support[labels == label].mean(0) for label in (-1, 1)])
        distances = ((encoder(episode.query[0])[:, None] - prototypes) ** 2).sum(-1)
        loss = nn.functional.cross_entropy(-distances, (episode.query_labels[0] > 0).long())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return encoder


@pytest.fixture(scope="module")
def stack():
    made = StackedPrototypes(MEMBERS, dtype=torch.float64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("polythetic.learners.stacked.BLOCK", 20)
        made.train_until(TASKS)
    return made


def test__stacked__weights__equal_those_of_networks_trained_alone(stack):
    assert sorted(stack.members, key=MEMBERS.index) == MEMBERS
    for member, encoder in zip(stack.members, stack.encoders(), strict=True):
        initial, alone = initial_encoder(member).double().module, trained_alone(member)
        for layer in (-3, -1):
            assert not torch.allclose(encoder.module[layer].weight, initial[layer].weight, atol=1e-3)
            torch.testing.assert_close(encoder.module[layer].weight, alone[layer].weight, rtol=1e-8, atol=1e-9)
        torch.testing.assert_close(encoder.module[-3].bias, alone[-3].bias, rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("suite", [BALANCED, IID], ids=["balanced", "iid"])
def test__accuracy__equals_that_of_a_learner_with_the_same_encoder(stack, suite):
    learners = {str(k): EpisodicLearner(encoder, head_named("PN")) for k, encoder in enumerate(stack.encoders())}
    expected = evaluate(learners, suite, tasks=30, seed=7, dtype=torch.float64)
    found = stack.accuracy([suite] * len(MEMBERS), tasks=30, seed=7)
    for line, evaluation in zip(found, expected.values(), strict=True):
        assert line == pytest.approx(evaluation.values)


def test__train_until__in_two_goes__equals_one():
    once, twice = StackedPrototypes(MEMBERS), StackedPrototypes(MEMBERS)
    once.train_until(40)
    for tasks in (15, 40, 40):
        twice.train_until(tasks)
    assert once.seen == twice.seen == 40
    for a, b in zip(once.encoders(), twice.encoders(), strict=True):
        for name, weight in a.state_dict().items():
            assert torch.equal(weight, b.state_dict()[name])


def test__accuracy__on_other_suites__is_each_members_own():
    training, test = (BooleanTasks(n=5, active_sets=pairs) for pairs in (TRAINING_PAIRS, TEST_PAIRS))
    stack = StackedPrototypes([Member(training, 10, seed) for seed in (1, 2)])
    mixed = stack.accuracy([training, test], tasks=20, seed=0)
    assert (mixed[0] == stack.accuracy([training] * 2, tasks=20, seed=0)[0]).all()
    assert (mixed[1] == stack.accuracy([test] * 2, tasks=20, seed=0)[1]).all()


def test__accuracy__suites_for_some_members_only__are_refused(stack):
    with pytest.raises(InputError, match="suites = 1 suites: expected one for each of the 12 members"):
        stack.accuracy([BALANCED], tasks=1, seed=0)


def test__stacked__leaves_threads_and_chance_as_they_were():
    threads, chance = torch.get_num_threads(), torch.get_rng_state()
    StackedPrototypes(MEMBERS[:2]).train_until(2)
    assert torch.get_num_threads() == threads
    assert torch.equal(torch.get_rng_state(), chance)


@pytest.mark.parametrize(
    ("members", "message"),
    [
        ([], "members = "),
        ([MEMBERS[0], Member(BooleanTasks(n=5), 1, 1)], r"members = tasks of sizes \[\(4, 12, 12\), \(5, 20, 20\)\]"),
        ([Member(BALANCED, 0, 1)], "embedding = 0: expected a whole number of at least 1"),
    ],
)
def test__stacked__unfit_members__are_refused(members, message):
    with pytest.raises(InputError, match=message):
        StackedPrototypes(members)
