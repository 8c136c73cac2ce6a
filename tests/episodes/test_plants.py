"""Figure 1's plants: what is necessary, what is sufficient, and tasks that depend on their number alone."""

import numpy as np
import pytest
import torch

from polythetic.episodes.plants import EXAMPLES, QUERIES, SHOTS, PlantTasks


def test__one_feature__its_values_are_necessary_and_sufficient_one_a_class():
    example = EXAMPLES["one"]
    assert example.necessary() == example.sufficient() == [(0, 0, 0), (1, 0, 1), (2, 0, 2)]


def test__pairs__each_feature_tells_one_pair_apart_and_no_value_is_sufficient():
    example = EXAMPLES["pairs"]
    assert sorted(example.told_apart()) == [(0, 1, 0), (0, 2, 2), (1, 2, 1)]
    assert example.sufficient() == []


def test__none__no_value_is_necessary_or_sufficient_or_tells_any_pair_apart():
    example = EXAMPLES["none"]
    assert example.necessary() == example.sufficient() == example.told_apart() == []


@pytest.mark.parametrize("name", EXAMPLES)
def test__patterns__belong_to_one_class_each(name):
    patterns = [pattern for members in EXAMPLES[name].patterns for pattern in members]
    assert len(set(patterns)) == len(patterns)
    assert all(v < count for pattern in patterns for v, count in zip(pattern, EXAMPLES[name].values, strict=True))


@pytest.mark.parametrize("name", EXAMPLES)
def test__tasks__rows_are_members_of_their_classes_with_irrelevant_features_beside(name):
    example = EXAMPLES[name]
    episode = PlantTasks(example, irrelevant=2).batch(seed=0, start=0, stop=3)
    columns = sum(example.values) + 2 * example.values[0]
    assert episode.support.shape == (3, 3 * SHOTS, columns)
    assert episode.query.shape == (3, 3 * QUERIES, columns)
    rows, classes = example.members
    allowed = {(*row, k) for row, k in zip(rows.tolist(), classes.tolist(), strict=True)}
    relevant = episode.support[..., : sum(example.values)].flatten(0, 1).tolist()
    drawn = {(*row, k) for row, k in zip(relevant, episode.support_labels.flatten().tolist(), strict=True)}
    assert drawn == allowed
    assert np.allclose(episode.support.sum(-1), len(example.values) + 2)  # one value a feature


def test__tasks__depend_on_their_number_alone():
    tasks = PlantTasks(EXAMPLES["none"], irrelevant=1)
    together, alone = tasks.batch(0, 3, 6), tasks.batch(0, 4, 5)
    assert torch.equal(together.support[1], alone.support[0])
    assert torch.equal(together.query[1], alone.query[0])
