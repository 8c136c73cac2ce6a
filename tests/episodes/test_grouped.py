"""Grouped tasks over thousands of them: sizes, labels, who is drawn, and what is refused."""

import numpy as np
import pytest
from scipy.stats import chisquare

from polythetic.datasets.collection import Collection, Rows
from polythetic.episodes import (
    GroupedTasks,
    alphabet_tasks,
    batches,
    class_tasks,
    hierarchy_tasks,
    unseen_character_tasks,
)
from polythetic.errors import InputError

TASKS = 3000


def collection(classes_of=(14, 15, 20, 16, 30), examples=20):
    """Categories of so many classes of so many examples; an example is its own number."""
    names = [f"c{c:02}" for c in range(sum(classes_of))]
    parents = np.repeat([f"k{k}" for k in range(len(classes_of))], classes_of)
    numbers = np.arange(len(names) * examples)
    return Collection.from_labels(
        Rows(numbers[:, None]),
        np.array(names)[numbers // examples],
        categories=dict(zip(names, parents.tolist(), strict=True)),
        source="made up",
    )


def drawn(suite, tasks=TASKS):
    for episode in batches(suite, tasks=tasks, seed=5, size=500):
        yield from zip(
            episode.support_labels.numpy(),
            episode.query_labels.numpy(),
            *(
                episode.attributes[f"{side}_{name}"].numpy()
                for name in ("number", "class", "category")
                for side in ("support", "query")
            ),
            episode.attributes["categories"].numpy(),
            strict=True,
        )


def assert_consistent(task):
    """Numbers, classes, categories and labels tell the same story, and no example is on both sides."""
    ys, yq, ns, nq, cs, cq, ks, kq, categories = task
    assert not set(ns) & set(nq)
    for y, n, c, k in ((ys, ns, cs, ks), (yq, nq, cq, kq)):
        assert (n // 20 == c).all()
        assert (categories[y] == k).all()


def test__class_tasks__every_task__is_20_way_5_shot_of_classes_that_differ():
    for task in drawn(class_tasks(collection())):
        ys, yq, ns, nq, cs, cq, *_ = task
        assert_consistent(task)
        assert (np.bincount(ys) == 5).all()
        assert (np.bincount(yq) == 15).all()
        assert len(np.unique(cs)) == len(np.bincount(ys)) == 20
        assert len(set(ns)) == 100
        assert len(set(nq)) == 300
        for label in range(20):
            assert set(cs[ys == label]) == set(cq[yq == label])


def test__alphabet_tasks__every_task__is_three_alphabets_of_13_characters_each():
    for task in drawn(alphabet_tasks(collection())):
        ys, yq, _, _, cs, cq, _, _, categories = task
        assert_consistent(task)
        assert len(set(categories)) == 3
        for label in range(3):
            for y, c, each in ((ys, cs, 7), (yq, cq, 13)):
                _, counts = np.unique(c[y == label], return_counts=True)
                assert counts.tolist() == [each] * 13
            assert set(cs[ys == label]) == set(cq[yq == label])


def test__alphabet_tasks__with_replacement__repeat_an_alphabet_as_often_as_chance_says():
    suite = alphabet_tasks(collection(), replacement=True)
    repeated = []
    for task in drawn(suite):
        assert_consistent(task)
        repeated.append(len(set(task[-1])) < 3)
    expected = 1 - 5 * 4 * 3 / 5**3
    assert abs(np.mean(repeated) - expected) < 5 * np.sqrt(expected * (1 - expected) / TASKS)


def test__unseen_characters__support_and_query__have_no_character_in_common():
    for task in drawn(unseen_character_tasks(collection())):
        ys, yq, _, _, cs, cq, *_ = task
        assert_consistent(task)
        assert not set(cs) & set(cq)
        for label in range(3):
            assert len(set(cs[ys == label])) == 7
            assert len(set(cq[yq == label])) == 6


def test__hierarchy_tasks__only_categories_with_enough_classes__are_drawn_all_alike():
    suite = hierarchy_tasks(collection((3, 6, 5, 12, 4)), categories=2, groups=5)
    counts = np.zeros(5)
    for task in drawn(suite):
        assert_consistent(task)
        counts[task[-1]] += 1
        for label in range(2):
            assert len(set(task[4][task[0] == label])) == 5
    assert counts[[0, 4]].sum() == 0
    assert chisquare(counts[[1, 2, 3]]).pvalue > 1e-4


def test__sizes__as_spans__are_drawn_within_them_and_padded():
    suite = GroupedTasks(collection(), ways=(2, 4), groups=(1, 3), shots=(1, 5), queries=(2, 3))
    episode = suite.batch(seed=0, start=0, stop=500)
    assert suite.rows == (4 * 3 * 5, 4 * 3 * 3)
    ways, shots = set(), set()
    for t in range(500):
        real = episode.support_mask[t]
        labels = episode.support_labels[t][real]
        classes = episode.attributes["support_class"][t][real]
        ways.add(len(labels.unique()))
        shots |= set(classes.unique(return_counts=True)[1].tolist())
        asked = episode.attributes["query_class"][t][episode.query_mask[t]]
        assert set(asked.tolist()) == set(classes.tolist())
        assert set(asked.unique(return_counts=True)[1].tolist()) <= {2, 3}
        assert not episode.support[t][~real].any()
    assert ways == {2, 3, 4}
    assert shots == {1, 2, 3, 4, 5}


def test__examples__are_those_of_the_numbers_recorded():
    episode = class_tasks(collection()).batch(seed=0, start=0, stop=3)
    assert (episode.support[..., 0].long() == episode.attributes["support_number"]).all()
    assert (episode.query[..., 0].long() == episode.attributes["query_number"]).all()


def test__too_few_examples__the_class_is_named_with_the_remedy():
    small = Collection.from_labels(Rows(np.eye(5)), ["ash", "ash", "ash", "oak", "oak"], source="trees")
    with pytest.raises(InputError, match=r"at least 3 examples .* 'oak' \(2\).*with_at_least\(3\)"):
        class_tasks(small, ways=2, shots=2, queries=1)
    assert class_tasks(small, ways=2, shots=1, queries=1).rows == (2, 2)


def test__too_few_categories__are_refused_with_the_counts():
    with pytest.raises(InputError, match=r"at most 1: of the 3 categories .* 5 classes; .* k1 7, k2 4, k0 3"):
        hierarchy_tasks(collection((3, 7, 4)), categories=2, groups=5)
    with pytest.raises(InputError, match=r"at most 0: .* 9 classes; .* k1 7, k2 4"):
        hierarchy_tasks(collection((3, 7, 4)), categories=2, groups=9)


def test__replacement__with_one_category__is_enough():
    assert alphabet_tasks(collection((14,)), replacement=True).rows == (273, 507)


@pytest.mark.parametrize(
    ("options", "argument"),
    [({"ways": 0}, "ways"), ({"shots": 0}, "shots"), ({"queries": (2, 1)}, "queries"), ({"shots": (0, 3)}, "shots")],
)
def test__sizes__that_cannot_be__are_refused_by_name(options, argument):
    with pytest.raises(InputError, match=argument):
        class_tasks(collection(), **options)
