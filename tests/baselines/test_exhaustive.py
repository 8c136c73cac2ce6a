import math
from itertools import combinations

import pytest
import torch

from polythetic.baselines import BASELINES, affordable, best_set
from polythetic.baselines.categories import by_feature, indicators
from polythetic.errors import InputError
from tests.baselines.tasks import task


def evidence_as_written(x, labels, members):
    """The probability of the labels, one row after the other, each class of a cell beginning with half a row."""
    total, seen = 0.0, {}
    for row, label in zip(x[:, list(members)].tolist(), labels.tolist(), strict=True):
        counts = seen.setdefault(tuple(row), {})
        total += math.log((counts.get(label, 0) + 0.5) / (sum(counts.values()) + 1))
        counts[label] = counts.get(label, 0) + 1
    return total


@pytest.mark.parametrize("alpha", [1, 2, 3])
@pytest.mark.parametrize("values", [2, 3])
def test__best_set__is_the_one_of_greatest_evidence(alpha, values):
    for seed in range(3):
        x, labels = task(25, n=6, values=values, seed=seed)
        best = max(combinations(range(6), alpha), key=lambda members: evidence_as_written(x, labels, members))
        assert best_set(x, labels, alpha).nonzero()[:, 0].tolist() == list(best)


def test__best_set__xor_of_two__finds_them_in_forty_rows():
    x, labels = task(40, n=20)
    assert BASELINES["exhaustive"].rank(x, labels, 2).nonzero()[:, 0].tolist() == [0, 1]


def test__best_set__too_many_sets__says_how_many():
    assert not affordable(100, 5)
    with pytest.raises(InputError, match="75,287,520"):
        best_set(*task(10, n=100), 5)


def test__best_set__more_than_there_are__says_so():
    with pytest.raises(InputError, match="alpha = 9"):
        best_set(*task(10), 9)


def test__indicators__value_too_large__says_so():
    with pytest.raises(InputError, match="from 0 to 1"):
        indicators(torch.tensor([[0, 2]]), 2)


def test__by_feature__of_indicators__counts_each_feature_once():
    x, _ = task(5, values=3)
    assert (by_feature(indicators(x, 3), 3) == 1).all()
