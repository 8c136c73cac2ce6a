"""Boolean tasks over thousands of them: their structure exactly, their chances within five standard errors."""

import hashlib
import math

import numpy as np
import pytest
import torch
from scipy.stats import chisquare

from polythetic.episodes import (
    TEST_PAIRS,
    TRAINING_PAIRS,
    TWO_VARIABLE_FUNCTIONS,
    BooleanTasks,
    TaskSuite,
    batches,
    boolean,
    evaluate_function,
)
from polythetic.errors import InputError

TASKS = 2000


def drawn(tasks=TASKS, seed=0, **settings):
    """The arrays of the first tasks: support, labels, query, labels, active."""
    e = BooleanTasks(**settings).batch(seed, 0, tasks)
    arrays = e.support, e.support_labels, e.query, e.query_labels, e.attributes["active"]
    return [x.numpy() for x in arrays]


def active_bits(x, active):
    return np.take_along_axis(x, np.broadcast_to(active[:, None], (*x.shape[:2], active.shape[1])), 2)


def assert_share(hits, expected):
    """Each hit has the expected chance: the share is within five standard errors."""
    hits = np.asarray(hits, dtype=float)
    assert abs(hits.mean() - expected) < 5 * math.sqrt(expected * (1 - expected) / hits.size) + 1e-12


# ---------------------------------------------------------------- structure


@pytest.mark.parametrize(("alpha", "repetitions", "query_rows"), [(1, 3, None), (2, 5, None), (3, 2, 32), (4, 1, None)])
def test__balanced__every_task__has_every_variant_r_times_in_support_and_query(alpha, repetitions, query_rows):
    suite = {"n": 6, "alpha": alpha, "repetitions": repetitions, "query_rows": query_rows}
    support, labels, query, truth, active = drawn(**suite)
    for x, y, r in (
        (support, labels, repetitions),
        (query, truth, (query_rows or repetitions * 2**alpha) // 2**alpha),
    ):
        bits = active_bits(x, active)
        variant = ((bits > 0) * 2 ** np.arange(alpha)).sum(-1)
        assert (np.sort(variant, 1) == np.repeat(np.arange(2**alpha), r)).all()
        assert (y == -np.prod(-bits, -1)).all()
        assert (np.abs(x) == 1).all()
        assert (y.sum(1) == 0).all()


def test__balanced__rows__are_in_random_order_not_the_same_in_support_and_query():
    support, _, query, _, active = drawn(n=4, alpha=2, repetitions=1)
    first = (active_bits(support, active)[:, 0] > 0) @ [2, 1]
    assert chisquare(np.bincount(first, minlength=4)).pvalue > 1e-4
    same = (active_bits(support, active)[:, 0] == active_bits(query, active)[:, 0]).all(-1)
    assert_share(same, 1 / 4)


@pytest.mark.parametrize("design", ["balanced", "iid"])
def test__active__every_position_equally_likely_and_distinct(design):
    *_, active = drawn(n=7, alpha=3, repetitions=1, design=design)
    assert (np.sort(active, 1)[:, 1:] > np.sort(active, 1)[:, :-1]).all()
    for place in range(3):
        assert chisquare(np.bincount(active[:, place], minlength=7)).pvalue > 1e-4
    pairs = np.array([active[:, 0], active[:, 1]])
    counts = np.bincount(pairs[0] * 7 + pairs[1], minlength=49).reshape(7, 7)
    assert (np.diag(counts) == 0).all()
    assert chisquare(counts[~np.eye(7, dtype=bool)]).pvalue > 1e-4


@pytest.mark.parametrize("design", ["balanced", "iid"])
def test__labels__in_support_and_query__are_the_function_of_the_same_active_bits(design):
    support, labels, query, truth, active = drawn(n=5, alpha=2, design=design, function="and")
    for x, y in ((support, labels), (query, truth)):
        assert (y == np.where((active_bits(x, active) > 0).all(-1), 1, -1)).all()


# ---------------------------------------------------------------- chances


def test__iid__bits__are_independent_and_fair():
    support, _, query, _, active = drawn(n=4, alpha=2, design="iid", rows=20, query_rows=6)
    for x in (support, query):
        for bit in range(4):
            assert_share(x[..., bit] > 0, 1 / 2)
        variant = (x > 0) @ [8, 4, 2, 1]
        assert chisquare(np.bincount(variant.ravel(), minlength=16)).pvalue > 1e-4
    counts = (active_bits(support, active) > 0).all(-1).sum(1)
    assert len(set(counts)) > 5  # not balanced


@pytest.mark.parametrize("design", ["balanced", "iid"])
@pytest.mark.parametrize("p", [0.0, 0.2, 0.9, 1.0])
def test__p__is_the_chance_of_noise_bits_alone(p, design):
    support, _, query, _, active = drawn(n=5, alpha=2, repetitions=3, p=p, design=design)
    for x in (support, query):
        noise = np.ones(x.shape, bool)
        np.put_along_axis(noise, np.broadcast_to(active[:, None], (*x.shape[:2], 2)), False, 2)
        assert_share(x[noise] > 0, p)
        assert_share(x[~noise] > 0, 1 / 2)


@pytest.mark.parametrize("design", ["balanced", "iid"])
def test__label_noise__flips_its_share_of_support_labels_and_no_query_label(design):
    support, labels, query, truth, active = drawn(n=4, alpha=2, label_noise=0.2, design=design)
    assert_share(labels != evaluate_function("xor", active_bits(support, active).astype(np.int8)), 0.2)
    assert (truth == evaluate_function("xor", active_bits(query, active).astype(np.int8))).all()


@pytest.mark.parametrize("rows", [2, 3, 5])
@pytest.mark.parametrize("function", ["xor", "and"])
def test__iid__few_rows__always_have_both_classes(rows, function):
    _, labels, _, _, active = drawn(n=4, alpha=2, design="iid", rows=rows, function=function, query_rows=1)
    assert ((labels == 1).any(1) & (labels == -1).any(1)).all()
    assert chisquare(np.bincount(active[:, 0], minlength=4)).pvalue > 1e-4


def test__balanced__label_noise_on_four_rows__always_both_classes():
    _, labels, *_ = drawn(n=3, alpha=2, repetitions=1, label_noise=0.45)
    assert (np.abs(labels.sum(1)) < 4).all()


def test__iid__both_classes_too_rare__asks_for_more_rows(monkeypatch):
    """Two rows of AND lack a class 10 times in 16: of 100 tasks some do so three times running."""
    monkeypatch.setattr(boolean, "DRAWS", 3)
    with pytest.raises(InputError, match=r"rows = 2: expected enough rows that 3 draws give"):
        BooleanTasks(n=2, design="iid", rows=2, function="and").batch(0, 0, 100)


# ---------------------------------------------------------------- numbering and seeds


@pytest.mark.parametrize(
    "settings",
    [{"n": 5}, {"n": 4, "design": "iid", "rows": 3}, {"n": 5, "alpha": 3, "label_noise": 0.3}],
)
def test__batch__any_boundaries__the_same_tasks(settings):
    suite = BooleanTasks(**settings)
    whole, pieces = suite.batch(0, 0, 10), [suite.batch(0, *cut) for cut in ((0, 1), (1, 4), (4, 10))]
    for name in ("support", "support_labels", "query", "query_labels"):
        assert torch.equal(torch.cat([getattr(piece, name) for piece in pieces]), getattr(whole, name))
    assert torch.equal(torch.cat([p.attributes["active"] for p in pieces]), whole.attributes["active"])
    assert torch.equal(torch.cat([e.support for e in batches(suite, tasks=10, seed=0, size=3)]), whole.support)


def test__batch__other_seed_or_number__another_task():
    suite = BooleanTasks(n=10)
    tasks = torch.cat([suite.batch(seed, 0, 50).support for seed in range(4)]).flatten(1)
    assert len(torch.unique(tasks, dim=0)) == 200


@pytest.mark.parametrize(
    ("settings", "digest"),
    [
        ({"n": 5}, "62a281fa604e13c355fb98670b0710ad0c4a75ced7d7cd20f62234fd2bb11e09"),
        (
            {"n": 6, "alpha": 3, "design": "iid", "rows": 7, "p": 0.3, "label_noise": 0.1},
            "00b957ccdafc97848a473cdd55acdbaac1a81a8a216f729eb62fb107fa341929",
        ),
    ],
)
def test__batch__stored_digest__the_tasks_of_a_seed_never_change(settings, digest):
    """Published results name seeds: if this fails, the tasks behind them have changed."""
    content = b"".join(x.astype("<i8").tobytes() for x in drawn(tasks=4, seed=11, **settings))
    assert hashlib.sha256(content).hexdigest() == digest


def test__batch__shapes_and_types__as_documented():
    episode = BooleanTasks(n=6, alpha=2, design="iid", rows=9, query_rows=4).batch(0, 2, 5)
    assert episode.support.shape == (3, 9, 6)
    assert episode.query.shape == (3, 4, 6)
    assert episode.support.dtype == torch.float32
    assert episode.support_labels.dtype == episode.query_labels.dtype == torch.int64
    assert episode.to(torch.float64).support.dtype == episode.to(torch.float64).query.dtype == torch.float64
    assert isinstance(BooleanTasks(n=3), TaskSuite)


# ---------------------------------------------------------------- functions and partitions


@pytest.mark.parametrize("name", [name for name in TWO_VARIABLE_FUNCTIONS if name not in ("true", "false")])
@pytest.mark.parametrize("design", ["balanced", "iid"])
def test__function__any_with_two_classes__labels_follow_its_table(name, design):
    support, labels, _, _, active = drawn(tasks=50, n=3, function=name, design=design)
    row = (active_bits(support, active) > 0) @ [2, 1]
    assert (labels == np.array(TWO_VARIABLE_FUNCTIONS[name])[row]).all()


def test__partitioned_pairs__training_and_test__part_the_ten_pairs_evenly():
    pairs = {frozenset(pair) for pair in (*TRAINING_PAIRS, *TEST_PAIRS)}
    assert len(pairs) == 10
    for half in (TRAINING_PAIRS, TEST_PAIRS):
        assert np.bincount(np.ravel(half)).tolist() == [2] * 5


@pytest.mark.parametrize("pairs", [TRAINING_PAIRS, TEST_PAIRS])
def test__active_sets__only_those__each_equally_often(pairs):
    *_, active = drawn(n=7, alpha=2, active_sets=pairs)
    counts = [(active == pair).all(1).sum() for pair in pairs]
    assert sum(counts) == TASKS
    assert chisquare(counts).pvalue > 1e-4


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n": 0}, r"n = 0: expected a whole number of at least 1"),
        ({"n": 3, "alpha": 4}, r"alpha = 4: expected a whole number from 1 to 3 \(there are 3 bits\)"),
        ({"n": 3, "alpha": 0}, r"alpha = 0: expected a whole number from 1 to 3"),
        ({"n": 3, "repetitions": 0}, r"repetitions = 0: expected a whole number of at least 1"),
        ({"n": 3, "design": "random"}, r"design = 'random': expected 'balanced' or 'iid'"),
        ({"n": 3, "p": 1.5}, r"p = 1.5: expected a probability"),
        ({"n": 3, "p": math.nan}, r"p = nan: expected a probability"),
        ({"n": 3, "label_noise": 1.0}, r"label_noise = 1.0: expected a probability below 1"),
        ({"n": 3, "label_noise": -0.1}, r"label_noise = -0.1: expected a probability below 1"),
        ({"n": 3, "function": "majority"}, r"function = 'majority': expected one of false"),
        ({"n": 3, "function": "true"}, r"function = 'true': expected a function with two classes"),
        ({"n": 3, "alpha": 3, "function": "and"}, r"alpha = 3: expected 2"),
        ({"n": 3, "rows": 8}, r"rows = 8: expected design='iid'"),
        ({"n": 3, "rows": 1, "design": "iid"}, r"rows = 1: expected a whole number of at least 2"),
        ({"n": 3, "query_rows": 6}, r"query_rows = 6: expected design='iid'"),
        ({"n": 3, "query_rows": 0}, r"query_rows = 0: expected a whole number of at least 1"),
        ({"n": 3, "active_sets": ((0, 3),)}, r"active_sets = \(0, 3\): expected 2 different bits of 0 to 2"),
        ({"n": 3, "active_sets": ((1, 1),)}, r"active_sets = \(1, 1\): expected 2 different bits"),
        ({"n": 3, "active_sets": ((0, 1, 2),)}, r"active_sets = \(0, 1, 2\): expected 2 different bits"),
        ({"n": 3, "active_sets": ()}, r"active_sets"),
    ],
)
def test__boolean_tasks__bad_setting__names_argument_value_and_remedy(settings, message):
    with pytest.raises(InputError, match=message):
        BooleanTasks(**settings)


@pytest.mark.parametrize(
    ("seed", "start"),
    [
        (-1, 0),
        (2**63, 0),
        (0, -1),
    ],
)
def test__batch__bad_seed_or_number__is_an_input_error(seed, start):
    with pytest.raises(InputError, match=r"(seed|start) = "):
        BooleanTasks(n=3).batch(seed, start, 2)


def test__batch__no_tasks__is_empty():
    episode = BooleanTasks(n=3).batch(0, 4, 4)
    assert episode.support.shape == (0, 20, 3)
