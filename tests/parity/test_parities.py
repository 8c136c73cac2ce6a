"""An XOR of up to five bits is found, whatever stands beside it; what is not one is left to the climbs."""

import pytest
import torch
from torch.testing import assert_close

from polythetic.classifiers import method_named
from polythetic.episodes import BooleanTasks
from polythetic.parity import parities
from polythetic.refinement import RefinedScorer
from tests.parity.strings import flipped, strings, xor


def of_first(alpha, n):
    return (torch.arange(n) < alpha).double()


@pytest.mark.parametrize("alpha", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("n", [6, 20, 100])
def test__parities__forty_rows__has_the_features_and_no_other(alpha, n):
    x = strings(40, n)
    found = parities(x, xor(x, alpha))
    assert found.certain.all()
    assert_close(found.scales, of_first(alpha, n).expand(3, n))


@pytest.mark.parametrize("alpha", [2, 3, 4, 5])
def test__parities__a_tenth_of_the_labels_wrong__has_them_too(alpha):
    x = strings(400, 50, tasks=6)
    found = parities(x, flipped(xor(x, alpha), 0.1))
    assert_close(found.scales, of_first(alpha, 50).expand(6, 50))
    assert found.certain.double().mean() > 0.8  # chance may speak against one


def test__parities__rows_and_labels_apart__finds_nothing():
    x = strings(60, 40, tasks=60)
    labels = torch.randint(2, (60, 60), generator=torch.Generator().manual_seed(5))
    found = parities(x, labels)
    assert found.exhausted.all()
    assert found.certain.sum() <= 1
    assert (found.nats > 0).sum() <= 2


@pytest.mark.parametrize(
    "told",
    [
        lambda x: (x[..., :3].sum(-1) > 1).long(),  # a majority
        lambda x: x[..., :3].prod(-1).long(),
        lambda x: torch.maximum(xor(x, 2), x[..., 2].long()),  # overruled
        lambda x: torch.minimum(xor(x, 2), xor(x[..., 2:], 2)),  # two at once
        lambda x: torch.where(x[..., 0] > 0, x[..., 1], x[..., 2]).long(),  # one says which of two
    ],
)
def test__parities__a_pattern_that_no_xor_is_all_of__is_not_certain(told):
    x = strings(200, 20, tasks=10)
    assert not parities(x, told(x)).certain.any()


def test__r_mn__a_majority_of_bits__is_no_worse_for_the_xors_in_it():
    x = strings(264, 20, tasks=10)
    labels = (x[..., :3].sum(-1) > 1).long()
    right = method_named("R+MN").predict(x[:, :64], labels[:, :64], x[:, 64:]) == labels[:, 64:]
    assert right.double().mean() > 0.98


def test__parities__other_values_or_classes__are_not_for_it():
    x = strings(40, 6)
    labels = xor(x, 2)
    three = labels.clone()
    three[:, 0] = 2
    assert not parities(x, three).exhausted.any()
    assert not parities(x + torch.rand(x.shape), labels).exhausted.any()
    assert not parities(x, torch.zeros_like(labels)).exhausted.any()


def test__parities__numbers_among_the_bits__count_for_nothing():
    x = strings(40, 12)
    labels = xor(x, 3)
    mixed = torch.cat([torch.rand(3, 40, 2).double(), x], -1)
    scales = parities(mixed, labels).scales
    assert (scales[:, :2] == 0).all()
    assert_close(scales[:, 2:], parities(x, labels).scales)


def test__parities__numbers_that_may_tell_the_rest__nothing_is_certain_but_what_needs_no_more():
    x, more = strings(400, 12), torch.rand(3, 400, 2).double()
    mixed = torch.cat([x, more], -1)
    assert parities(mixed, xor(x, 3)).certain.all()
    labels = flipped(xor(x, 3), 0.1)
    assert parities(x, labels).certain.all()
    found = parities(mixed, labels)
    assert not found.certain.any()
    assert not found.exhausted.any()
    assert (found.nats > 0).all()


def test__parities__values_of_a_category__are_found_by_their_indicators():
    values = torch.randint(3, (2, 100, 30), generator=torch.Generator().manual_seed(2))
    labels = (values[..., :3] == 1).sum(-1) % 2
    x = torch.nn.functional.one_hot(values, 3).flatten(-2).double()
    found = parities(x, labels)
    assert found.certain.all()
    assert found.scales.nonzero()[:, 1].unflatten(0, (2, 3)).tolist() == [[1, 4, 7]] * 2


def test__parities__a_copy_and_an_opposite__share_the_scale_of_the_feature():
    x = strings(40, 8)
    x[..., 6], x[..., 7] = x[..., 0], 1 - x[..., 0]
    scales = parities(x, xor(x, 2)).scales
    assert_close(scales**2, torch.tensor([1 / 3, 1, 0, 0, 0, 0, 1 / 3, 1 / 3]).double().expand(3, 8))


def test__parities__tasks_side_by_side__as_if_each_were_alone():
    x = strings(30, 40, tasks=8, seed=3)
    labels = flipped(xor(x, 3), 0.1)
    together = parities(x, labels)
    for i in range(8):
        for part, alone in zip(together, parities(x[i : i + 1], labels[i : i + 1]), strict=True):
            assert_close(part[i : i + 1], alone)


def test__parities__padding__changes_nothing():
    x = strings(30, 12)
    labels = flipped(xor(x, 3), 0.1)
    mask = torch.ones(3, 50, dtype=torch.bool)
    mask[:, 10:30] = False
    padded = torch.full((3, 50, 12), 7.0).double()
    padded[mask] = x.flatten(0, 1)
    more = torch.full((3, 50), 9)
    more[mask] = labels.flatten()
    for part, expected in zip(parities(padded, more, mask), parities(x, labels), strict=True):
        assert_close(part, expected)


@pytest.mark.parametrize("rows", [600, 3000])
def test__r_mn__many_rows__a_part_of_the_pattern_is_not_taken_for_it(rows):
    x = strings(rows + 200, 10, tasks=1)
    labels = torch.where(x[..., 0] > 0, x[..., 1], x[..., 2]).long()
    right = method_named("R+MN").predict(x[:, :rows], labels[:, :rows], x[:, rows:]) == labels[:, rows:]
    assert right.all()


def test__refined_scorer__few_bits_among_numbers__all_waves_are_had(monkeypatch):
    starts = []
    climb = RefinedScorer._climb
    monkeypatch.setattr(
        RefinedScorer,
        "_climb",
        lambda self, views, start, **o: starts.append(start.shape[1]) or climb(self, views, start, **o),
    )
    chance = torch.Generator().manual_seed(0)
    z = torch.randn(1, 30, 20, generator=chance)
    z[..., :2] = torch.where(z[..., :2] > 0, 1.0, -1.0)
    RefinedScorer(steps=2)(z, torch.arange(30)[None] % 2)
    assert starts == [2, 8, 24]


def test__refined_scorer__no_time__is_kept_by_the_search_for_an_xor():
    x = strings(40, 30)
    scores = RefinedScorer(seconds=1e-9, starts=1, steps=1)(2 * x - 1, xor(x, 5))
    assert not torch.equal(scores, RefinedScorer()(2 * x - 1, xor(x, 5)))


def test__parities__the_opposite_class__is_the_same():
    x = strings(40, 15)
    labels = xor(x, 4)
    assert_close(parities(x, labels).scales, parities(x, 1 - labels).scales)


def test__parities__constant_features__are_in_no_set():
    x = strings(40, 4)
    x[..., 3] = 1
    found = parities(x, xor(x, 2))
    assert_close(found.scales, of_first(2, 4).expand(3, 4))
    assert not parities(x[..., 2:], xor(x, 2)).exhausted.any()  # one bit is not enough


def test__refined_scorer__certain__needs_no_climb(monkeypatch):
    x = strings(40, 30)
    monkeypatch.setattr(RefinedScorer, "_climb", None)
    z = 2 * x - 1
    z[..., 7] = 0  # constant, as it is once standardised
    scores = RefinedScorer()(z, xor(x, 4))
    assert (scores[:, 7] == 0).all()
    assert (scores[:, :4] == scores[0, 0]).all()
    others = scores[:, [4, 5, 6, *range(8, 30)]]
    assert (others == others[0, 0]).all()
    assert scores[0, 0] > 15 * others[0, 0] > 0


def test__refined_scorer__few_rows_some_wrong__an_xor_explains_more_than_a_climb():
    x = strings(60, 30, tasks=10)
    scores = RefinedScorer()(2 * x - 1, flipped(xor(x, 4), 0.1))
    assert (scores.topk(4).indices < 4).double().mean() > 0.8


def test__refined_scorer__nothing_found_and_worse_than_blind__has_the_scales_of_the_climb():
    chance = torch.Generator().manual_seed(0)
    labels = torch.arange(40).expand(8, 40) % 2
    scores = RefinedScorer(starts=2)(torch.randn(8, 40, 30, generator=chance), labels)
    assert (scores.amax(-1) > 0).all()
    assert (scores.std(-1) > 0).all()


@pytest.mark.parametrize("task", [98, 472, 853])
def test__parities__a_feature_that_chance_favours__hides_no_xor(task):
    episode = BooleanTasks(n=10, alpha=3, design="balanced").batch(0, task, task + 1)
    found = parities(episode.support, episode.support_labels)
    assert found.certain.all()
    assert found.scales[0].nonzero()[:, 0].tolist() == episode.attributes["active"][0].sort().values.tolist()
