"""Directions: what class moments single out, on tasks whose attributes are mixtures of the features."""

import numpy as np
import pytest
import torch

from polythetic.classifiers import method_named
from polythetic.directions import Directions
from polythetic.errors import InputError

ATTRIBUTES, FEATURES, ROWS, ASKED = 8, 32, 96, 200


def drawn(seed, rule, rows=ROWS):
    """Attributes of ±1, mixed into more features with noise; the class is a rule over the attributes."""
    rng = np.random.default_rng(seed)
    attributes = rng.choice([-1.0, 1.0], (rows + ASKED, ATTRIBUTES))
    x = attributes @ rng.normal(size=(ATTRIBUTES, FEATURES)) + 0.3 * rng.normal(size=(rows + ASKED, FEATURES))
    y = (rule(attributes) > 0).astype(np.int64)
    return x[:rows], y[:rows], x[rows:], y[rows:]


def single(a):
    return a[:, 0]


def xor(a):
    return a[:, 0] * a[:, 1]


def xor_of_three(a):
    return a[:, 0] * a[:, 1] * a[:, 2]


def accuracy(name, rule, tasks=5):
    found = []
    for seed in range(tasks):
        X, y, Q, asked = drawn(seed, rule)
        found.append((method_named(name).predict(X, y, Q) == asked).mean())
    return 100 * np.mean(found)


@pytest.mark.parametrize("rule", [single, xor])
def test__directions__attributes_that_no_feature_stands_for__are_found(rule):
    assert accuracy("D+MN", rule) >= 97
    assert accuracy("D+MN", rule) >= accuracy("FS+MN", rule) + 5


def test__directions__xor_of_three__is_left_to_attention_on_standardised_features():
    X, y, Q, _ = drawn(0, xor_of_three)
    support, query = Directions()(*map(torch.as_tensor, (X, y, Q)))
    assert support.shape[-1] == FEATURES
    assert torch.allclose(support, torch.as_tensor((X - X.mean(0)) / X.std(0)))
    assert query.shape == Q.shape


def test__directions__class_with_fewer_rows_than_folds__features_are_left_as_they_are():
    X, y, Q, _ = drawn(0, xor, rows=20)
    y = np.r_[np.zeros(15, np.int64), np.ones(5, np.int64)]
    assert Directions()(*map(torch.as_tensor, (X, y, Q)))[0].shape[-1] == FEATURES
    assert Directions(folds=5).directions(torch.as_tensor(X), torch.as_tensor(y)).shape[0] == FEATURES


@pytest.mark.parametrize("rule", [single, xor])
def test__directions__rows_features_units_and_labels_changed__the_same_answer(rule):
    X, y, Q, _ = drawn(3, rule)
    rng = np.random.default_rng(0)
    rows, features = rng.permutation(ROWS), rng.permutation(FEATURES)
    units, origin = rng.uniform(0.1, 10, FEATURES) * rng.choice([-1, 1], FEATURES), rng.normal(size=FEATURES)
    changed = ((z * units + origin)[:, features] for z in (X, Q))
    support, query = changed
    method = method_named("D+MN")
    expected = method(X, y, Q)
    np.testing.assert_allclose(np.exp(method(support[rows], y[rows], query)), np.exp(expected), atol=1e-5)
    relabelled = method(X, 7 - y, Q)
    np.testing.assert_allclose(np.exp(relabelled[:, ::-1]), np.exp(expected), atol=1e-9)


def test__directions__batch_with_padding__equals_each_task_alone():
    tasks = [drawn(seed, rule, rows) for seed, rule, rows in ((0, single, 96), (1, xor, 80), (2, xor_of_three, 60))]
    most = max(len(y) for _, y, _, _ in tasks)
    support = np.stack([np.pad(X, ((0, most - len(X)), (0, 0)), constant_values=1e3) for X, _, _, _ in tasks])
    labels = np.stack([np.pad(y, (0, most - len(y))) for _, y, _, _ in tasks])
    mask = np.stack([np.arange(most) < len(y) for _, y, _, _ in tasks])
    method = method_named("D+MN")
    together = method(support, labels, np.stack([Q for _, _, Q, _ in tasks]), mask=mask)
    for one, (X, y, Q, _) in zip(together, tasks, strict=True):
        np.testing.assert_allclose(np.exp(one), np.exp(method(X, y, Q)), atol=1e-6)


def test__directions__several_classes__are_told_apart():
    rng = np.random.default_rng(0)
    attributes = rng.choice([-1.0, 1.0], (320, ATTRIBUTES))
    # One attribute alone, and two together.
    y = (2 * (attributes[:, 0] > 0) + (attributes[:, 1] * attributes[:, 2] > 0)).astype(np.int64)
    x = attributes @ rng.normal(size=(ATTRIBUTES, FEATURES)) + 0.3 * rng.normal(size=(320, FEATURES))
    right = method_named("D+MN").predict(x[:160], y[:160], x[160:]) == y[160:]
    assert right.mean() >= 0.95


def test__directions__more_rows_than_are_asked__are_thinned_and_found(monkeypatch):
    monkeypatch.setattr("polythetic.directions.ASKED", 50)
    X, y, Q, asked = drawn(0, xor, rows=300)
    assert (method_named("D+MN").predict(X, y, Q) == asked).mean() >= 0.97


def test__directions__one_fold__is_refused():
    with pytest.raises(InputError, match="folds"):
        Directions(folds=1)
