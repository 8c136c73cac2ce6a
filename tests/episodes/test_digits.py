"""Polythetic MNIST over thousands of tasks: what the definition says, seen in what is recorded of each row."""

from functools import cache

import numpy as np
import pytest
from scipy.stats import chi2_contingency, chisquare

from polythetic.datasets import mnist
from polythetic.episodes import DigitTasks, batches
from polythetic.episodes.digits import VERSIONS
from polythetic.episodes.quadrants import VALUES
from polythetic.errors import InputError

TASKS = 1000
UNLIKELY = 1e-4  # of a chi-squared test; the tasks are always the same, so these tests never fail by chance


@pytest.fixture(scope="module")
def digits():
    return mnist("evaluation", source="embedded")


def records(suite, tasks=TASKS, seed=1):
    """What is recorded of the first tasks, and their labels, as arrays."""
    found = {}
    for episode in batches(suite, tasks=tasks, seed=seed, size=20):
        parts = {"support_labels": episode.support_labels, "query_labels": episode.query_labels, **episode.attributes}
        for name, values in parts.items():
            found.setdefault(name, []).append(values.numpy())
    return {name: np.concatenate(values) for name, values in found.items()}


@cache
def drawn(version, polythetic):
    return records(DigitTasks(mnist("evaluation", source="embedded"), version, polythetic=polythetic))


every_version = pytest.mark.parametrize("version", VERSIONS)
both_kinds = pytest.mark.parametrize("polythetic", [0, 1])


def sides(found):
    for side in ("support", "query"):
        yield side, found[f"{side}_labels"], found[f"{side}_traits"], found[f"{side}_group"]


@every_version
@both_kinds
def test__every_task__classes_and_groups__have_the_papers_sizes(version, polythetic):
    found = drawn(version, polythetic)
    for side, labels, _, group in sides(found):
        per_group = {"support": 24, "query": 8}[side]
        sizes = np.stack([((labels == k) & (group == g)).sum(1) for k in (0, 1) for g in (0, 1)])
        assert (sizes == per_group).all()


@every_version
def test__polythetic__every_task__is_the_xor_of_two_values_of_two_attributes(version):
    found = drawn(version, 1)
    assert (found["polythetic"] == 1).all()
    for t in range(TASKS):
        a, b = found["active"][t]
        assert a != b
        pairs = {k: set() for k in (0, 1)}
        for _, labels, traits, _ in sides(found):
            for k in (0, 1):
                pairs[k] |= {tuple(pair) for pair in traits[t, labels[t] == k][:, [a, b]].tolist()}
        (a0, b0), (a1, b1) = sorted(pairs[1])
        assert a0 != a1
        assert b0 != b1
        assert pairs[0] == {(a0, b1), (a1, b0)}


@every_version
def test__monothetic__every_task__classes_share_no_value_of_the_one_active_attribute(version):
    found = drawn(version, 0)
    assert (found["polythetic"] == 0).all()
    assert (found["active"][:, 1] == -1).all()
    once = 0
    for t in range(TASKS):
        support, query = (
            [set(traits[t, labels[t] == k][:, found["active"][t, 0]].tolist()) for k in (0, 1)]
            for _, labels, traits, _ in sides(found)
        )
        assert support == query
        values = support
        assert not values[0] & values[1]
        assert all(1 <= len(v) <= 2 for v in values)
        once += len(values[0]) == 1
    assert once > 0  # values are drawn with replacement: a class may take one twice


@every_version
@both_kinds
def test__attributes__active_ones__are_all_and_equally_likely(version, polythetic):
    found = drawn(version, polythetic)
    many = 4 if version == "colourless" else 8
    counts = np.bincount(found["active"][:, : 1 + polythetic].ravel(), minlength=many)
    assert len(counts) == many
    assert chisquare(counts).pvalue > UNLIKELY


@every_version
@both_kinds
def test__attributes__idle_ones__tell_nothing_of_the_label(version, polythetic):
    found = drawn(version, polythetic)
    for _, labels, traits, _ in sides(found):
        for attribute in range(4 if version == "colourless" else 8):
            idle = ~(found["active"] == attribute).any(1)
            table = np.zeros((2, VALUES[attribute]))
            shown = traits[idle][..., attribute] >= 0  # in clean pictures those beside an active one
            np.add.at(table, (labels[idle][shown], traits[idle][shown][..., attribute]), 1)
            assert chi2_contingency(table).pvalue > UNLIKELY
            assert chisquare(table.sum(0)).pvalue > UNLIKELY


@every_version
def test__polythetic__either_active_attribute_alone__tells_nothing(version):
    found = drawn(version, 1)
    for _, labels, traits, _ in sides(found):
        for t in range(0, TASKS, 10):
            for attribute in found["active"][t]:
                values = [np.sort(traits[t, labels[t] == k, attribute]) for k in (0, 1)]
                assert (values[0] == values[1]).all()


@every_version
@both_kinds
def test__clean__only_quadrants_with_an_active_attribute__are_there(version, polythetic):
    found = drawn(version, polythetic)
    for side, _, traits, _ in sides(found):
        for t in range(TASKS):
            active = found["active"][t]
            there = np.isin(np.arange(4), active[active >= 0] % 4) if version == "clean" else np.ones(4, bool)
            assert ((traits[t][:, :4] >= 0) == there).all()
            assert ((traits[t][:, 4:] >= 0) == (there & (version != "colourless"))).all()
            assert ((found[f"{side}_number"][t] >= 0) == there).all()


@every_version
@both_kinds
def test__images__support_and_query__share_none_and_show_the_digit_recorded(version, polythetic, digits):
    found = drawn(version, polythetic)
    label_of = np.full(len(digits.examples), -1)
    for digit, members in enumerate(digits.members):
        label_of[members] = digit
    for t in range(TASKS):
        support, query = (found[f"{side}_number"][t] for side in ("support", "query"))
        assert not set(support[support >= 0]) & set(query[query >= 0])
    for side, _, traits, _ in sides(found):
        number = found[f"{side}_number"]
        assert (label_of[number[number >= 0]] == traits[..., :4][number >= 0]).all()


@pytest.mark.parametrize("version", VERSIONS)
def test__pictures__every_quadrant__is_its_image_in_its_colour(digits, version):
    episode = DigitTasks(digits, version, polythetic=0.5).batch(seed=3, start=0, stop=4)
    channels = 1 if version == "colourless" else 3
    assert episode.support.shape == (4, 96, channels, 56, 56)
    for t in range(4):
        for r in range(0, 96, 7):
            expected = np.zeros((channels, 56, 56), np.float32)
            traits = episode.attributes["support_traits"][t, r].tolist()
            for q, number in enumerate(episode.attributes["support_number"][t, r].tolist()):
                if number >= 0:
                    image = digits.examples.array[number, 0].astype(np.float32) / 255
                    channel = 0 if version == "colourless" else traits[4 + q]
                    top, left = 28 * (q // 2), 28 * (q % 2)
                    expected[channel, top : top + 28, left : left + 28] = image
            np.testing.assert_array_equal(episode.support[t, r].numpy(), expected)


@pytest.mark.parametrize("share", [0.25, 0.75])
def test__mixture__share_of_polythetic_tasks__is_what_was_asked(digits, share):
    found = records(DigitTasks(digits, "clean", polythetic=share, shots=1, queries=1), tasks=4000)["polythetic"]
    assert abs(found.mean() - share) < 5 * np.sqrt(share * (1 - share) / len(found))


@pytest.mark.parametrize(
    ("interacting", "groups", "ways"), [(3, None, 2), (4, None, 2), (2, 3, 2), (2, 3, 3), (3, 9, 2)]
)
def test__more_interaction__every_strict_subset_of_the_attributes__tells_nothing(digits, interacting, groups, ways):
    suite = DigitTasks(
        digits, "full", polythetic=1, interacting=interacting, groups=groups, ways=ways, shots=2, queries=1
    )
    found = records(suite, tasks=300)
    v = suite.values
    assert suite.class_groups == v ** (interacting - 1) == (groups or 2 ** (interacting - 1))
    for t in range(300):
        labels, traits = found["support_labels"][t], found["support_traits"][t][:, found["active"][t]]
        assert all(len(np.unique(column)) == v for column in traits.T)
        whole = [{tuple(row) for row in traits[labels == k].tolist()} for k in range(ways)]
        assert all(len(variants) == suite.class_groups for variants in whole)
        assert not set.intersection(*whole)
        for left_out in range(interacting):
            part = np.delete(traits, left_out, 1)
            tables = [np.unique(part[labels == k], axis=0, return_counts=True) for k in range(ways)]
            for variants, counts in tables:
                assert (variants == tables[0][0]).all()
                assert (counts == counts[0]).all()


def test__unequal_sizes__groups_and_ways_within_their_spans__are_padded(digits):
    suite = DigitTasks(digits, "colourless", groups=3, ways=(2, 4), shots=(2, 6), queries=(1, 2))
    episode = suite.batch(seed=0, start=0, stop=200)
    assert episode.support.shape[1] == suite.rows.support == 4 * 3 * 6
    ways = set()
    for t in range(200):
        real = episode.support_mask[t]
        labels, group = episode.support_labels[t][real], episode.attributes["support_group"][t][real]
        ways.add(len(labels.unique()))
        sizes = [int(((labels == k) & (group == g)).sum()) for k in labels.unique() for g in range(3)]
        assert all(2 <= size <= 6 for size in sizes)
        assert not episode.support[t][~real].any()
        assert (episode.attributes["support_traits"][t][~real] == -1).all()
    assert ways == {2, 3, 4}


@pytest.mark.parametrize(("groups", "ways"), [(20, 2), (200, 2), (30, 3)])
def test__monothetic__of_many_groups__leaves_values_to_every_class(digits, groups, ways):
    suite = DigitTasks(digits, "full", groups=groups, ways=ways, shots=1, queries=1)
    alone = np.zeros(3)  # which colours are left to the last class
    found = records(suite, tasks=40)
    for t, (labels, traits, active) in enumerate(
        zip(*(found[name] for name in ("support_labels", "support_traits", "active")), strict=True)
    ):
        values = [set(traits[labels == k, active[0]].tolist()) for k in range(ways)]
        assert sum(map(len, values)) == len(set.union(*values)), t
        assert all(values)
        if active[0] >= 4:
            alone[list(values[-1])] += 1
    assert (alone > 0).all()


BAD = [
    ({"version": "noisy"}, "version"),
    ({"polythetic": 1.5}, "polythetic"),
    ({"interacting": 5, "version": "colourless"}, "interacting"),
    ({"interacting": 3, "groups": 3, "polythetic": 1}, "groups"),
    ({"groups": 4, "polythetic": 1, "interacting": 5}, "groups"),
    ({"ways": 3, "polythetic": 1}, "ways"),
    ({"ways": 11}, "ways"),
    ({"ways": 1}, "ways"),
    ({"shots": 0}, "shots"),
    ({"queries": (3, 2)}, "queries"),
]


@pytest.mark.parametrize(("options", "argument"), BAD)
def test__arguments__that_cannot_be__are_refused_by_name(digits, options, argument):
    with pytest.raises(InputError, match=argument):
        DigitTasks(digits, **{"version": "full", **options})


def test__digits__of_another_kind__are_refused(digits):
    with pytest.raises(InputError, match="a collection of 10"):
        DigitTasks(digits.in_categories(["1", "2"]), "full")


def test__training_and_evaluation__digits__are_apart():
    training, evaluation = (np.concatenate(mnist(s, source="embedded").members) for s in ("training", "evaluation"))
    assert not set(training) & set(evaluation)


@pytest.mark.parametrize("interacting", [6, 7])
def test__many_groups__that_use_up_the_images_of_a_digit__still_share_none(digits, interacting):
    """64 groups a class ask for more images of a digit than there are; then the images are shared out."""
    suite = DigitTasks(digits, "full", polythetic=1, interacting=interacting, shots=2, queries=8)
    for number in range(5):
        found = suite.batch(seed=0, start=number, stop=number + 1).attributes
        support, query = (set(found[f"{side}_number"].ravel().tolist()) for side in ("support", "query"))
        assert not support & query
