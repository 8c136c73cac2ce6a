"""Algorithm 1 against a plain NumPy version, a case by hand, known symmetries, and finite differences."""

import subprocess
import sys
import warnings

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from polythetic import selection
from polythetic.attention import log_attention
from polythetic.errors import InputError, SingleRowClassWarning
from polythetic.selection import AttentionScorer, Scorer, UniformScorer, score_features, score_trajectory
from tests import plain

# ---------------------------------------------------------------- against plain NumPy


@pytest.mark.parametrize("temperature", ["auto", 0.5, 4.0])
@pytest.mark.parametrize("dispersion", plain.DISPERSIONS)
@pytest.mark.parametrize("similarity", plain.SIMILARITIES)
def test__score_features__every_setting__equals_plain_numpy(similarity, dispersion, temperature):
    for seed, sizes in enumerate(plain.SIZES):
        X, y, _ = plain.task(seed, sizes)
        for repeats in range(6):
            settings = {"temperature": temperature, "repeats": repeats, "similarity": similarity}
            expected = plain.scores(X, y, dispersion_=dispersion, **settings)
            found = score_features(X, y, dispersion=dispersion, **settings)
            assert_allclose(found, expected, rtol=1e-8, atol=1e-10)
            single = score_features(X.astype(np.float32), y, dispersion=dispersion, **settings)
            assert_allclose(single, expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("temperature", [0.0, np.inf])
@pytest.mark.parametrize("similarity", plain.SIMILARITIES)
def test__score_features__limits_of_the_temperature__equals_plain_numpy(similarity, temperature):
    X, y, _ = plain.task(7, (4, 3))
    settings = {"temperature": temperature, "similarity": similarity}
    assert_allclose(score_features(X, y, **settings), plain.scores(X, y, **settings), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("garbage", [np.nan, np.inf, 1e30, 0.0])
@pytest.mark.parametrize("temperature", ["auto", 0.5])
@pytest.mark.parametrize("similarity", plain.SIMILARITIES)
def test__score_features__batch_of_different_sizes_and_classes__equals_plain_numpy_task_by_task(
    similarity, temperature, garbage
):
    tasks = [plain.task(seed, sizes) for seed, sizes in enumerate(plain.SIZES)]
    support, labels, mask, _ = plain.padded(tasks, garbage, rows=12)
    for dispersion in plain.DISPERSIONS:
        settings = {"temperature": temperature, "similarity": similarity}
        expected = [plain.scores(X, y, dispersion_=dispersion, **settings) for X, y, _ in tasks]
        found = score_features(support, labels, mask=mask, dispersion=dispersion, **settings)
        assert_allclose(found, expected, rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("eps", [0.0, 1e-5, 0.1])
def test__score_features__any_eps__equals_plain_numpy(eps):
    X, y, _ = plain.task(3)
    assert_allclose(score_features(X, y, eps=eps), plain.scores(X, y, eps=eps), rtol=1e-8)


@pytest.mark.parametrize("dispersion", plain.DISPERSIONS)
def test__score_features__four_rows_by_hand__equals_the_derivation(dispersion):
    """Two classes of two rows, (1, 1), (1, −1) and (−1, 1), (−1, −1); T = 2, one round of dot attention.

    Every feature has mean 0 and deviation 1, so that standardising (ε = 0) changes nothing. In the first class a row
    has similarity 1 + 1 = 2 to itself and 1 − 1 = 0 to the other, so it weighs them w and 1 − w with
    w = e^{2/2} / (e^{2/2} + e^{0/2}) = e / (e + 1). The first feature is the same in both: it stays 1. The second
    becomes ±(w − (1 − w)) = ±(2w − 1) = ±(e − 1) / (e + 1) = ±tanh ½. The second class is its mirror image.
    So the first feature is ±1 and the second ±tanh ½, about a mean of 0: mean absolute and standard deviation are
    1 and tanh ½, and the mean absolute value, summed over two classes, twice that. A second round leaves the first
    feature at ±1; with t = tanh ½ the similarities are 1 + t² and 1 − t², and the second becomes ±t·tanh(t²/2).
    """
    X = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    t = np.tanh(0.5)
    factor = 2 if dispersion == "mav" else 1
    for repeats, second in enumerate([1, t, t * np.tanh(t**2 / 2)]):
        found = score_features(X, [0, 0, 1, 1], temperature=2.0, repeats=repeats, dispersion=dispersion, eps=0.0)
        assert_allclose(found, [factor, factor * second], rtol=1e-7)


# ---------------------------------------------------------------- known effects of known changes


@given(plain.tasks, plain.scorings, plain.seeds)
def test__score_features__rows_permuted__the_same_scores(task, settings, seed):
    X, y, _ = task
    order = np.random.default_rng(seed).permutation(len(y))
    assert_allclose(score_features(X[order], y[order], **settings), score_features(X, y, **settings), atol=1e-8)


@given(plain.tasks, plain.scorings)
def test__score_features__classes_relabelled__the_same_scores(task, settings):
    X, y, _ = task
    assert_allclose(score_features(X, 5 - 7 * y, **settings), score_features(X, y, **settings), atol=1e-8)


@given(plain.tasks, plain.scorings, plain.seeds)
def test__score_features__features_permuted__scores_permuted(task, settings, seed):
    X, y, _ = task
    order = np.random.default_rng(seed).permutation(X.shape[1])
    assert_allclose(score_features(X[:, order], y, **settings), score_features(X, y, **settings)[order], atol=1e-8)


@given(plain.smooth_tasks, plain.scorings, st.floats(0.1, 100), st.sampled_from([-1, 1]), st.floats(-1e3, 1e3))
def test__score_features__feature_scaled_and_shifted__the_same_but_for_eps(task, settings, scale, sign, shift):
    X, y, _ = task
    changed = X.copy()
    changed[:, 0] = sign * scale * X[:, 0] + shift
    assert_allclose(score_features(changed, y, **settings), score_features(X, y, **settings), rtol=1e-4, atol=1e-5)
    exact = score_features(X, y, eps=0.0, **settings)
    assert_allclose(score_features(changed, y, eps=0.0, **settings), exact, rtol=1e-8, atol=1e-8)


@given(plain.tasks, plain.scorings, st.floats(-1e6, 1e6), st.integers(0, 4))
def test__score_features__constant_feature_added__scores_0_and_changes_no_other(task, settings, value, at):
    X, y, _ = task
    at = min(at, X.shape[1])
    found = score_features(np.insert(X, at, value, axis=1), y, **settings)
    assert found[at] == 0
    assert_allclose(np.delete(found, at), score_features(X, y, **settings), atol=1e-8)


@given(plain.tasks, plain.scorings, st.integers(2, 3))
def test__score_features__support_repeated__the_same_scores(task, settings, times):
    X, y, _ = task
    found = score_features(np.tile(X, (times, 1)), np.tile(y, times), **settings)
    assert_allclose(found, score_features(X, y, **settings), atol=1e-8)


@given(st.lists(st.tuples(plain.seeds, plain.sizes), min_size=1, max_size=4), plain.scorings, st.integers(0, 4))
def test__score_features__padded_batch__equals_a_loop(specs, settings, more):
    tasks = [plain.task(seed, sizes) for seed, sizes in specs]
    rows = max(len(y) for _, y, _ in tasks) + more
    support, labels, mask, _ = plain.padded(tasks, rows=rows)
    found = score_features(support, labels, mask=mask, **settings)
    assert_allclose(found, [score_features(X, y, **settings) for X, y, _ in tasks], atol=1e-8)


@given(plain.seeds)
def test__score_features__two_leading_dimensions__equals_a_loop(seed):
    rng = np.random.default_rng(seed)
    X, y = rng.normal(size=(2, 3, 6, 4)), np.tile([0, 1, 0, 1, 1, 0], (2, 3, 1))
    found = score_features(X, y)
    for i, j in np.ndindex(2, 3):
        assert_allclose(found[i, j], score_features(X[i, j], y[i, j]))


# ---------------------------------------------------------------- what the rounds do


@given(plain.tasks, plain.scorings)
def test__trajectory__every_round__stays_within_the_class_and_mixes_no_two(task, settings):
    X, y, _ = task
    X = np.column_stack([X, y, np.where(y == y[0], X[0, 0], X[:, 0])])  # a feature that is constant in each class
    z = plain.standardise(X)
    path = AttentionScorer(**settings).trajectory(torch.from_numpy(z), torch.from_numpy(y))
    assert_allclose(path.features[0], z)
    assert len(path.features) == settings["repeats"] + 1
    assert_allclose(path.scores[-1], score_features(X, y, **settings), atol=1e-8)
    assert_allclose(path.attention.sum(-1), 1)
    assert (path.attention >= 0).all()
    assert (path.attention[:, y[:, None] != y] == 0).all()
    for before, after, weights in zip(path.features, path.features[1:], path.attention, strict=False):
        assert_allclose(weights @ before, after, atol=1e-12)
        for k in np.unique(y):
            own, new = before[y == k], after[y == k]
            assert (new <= own.amax(0) + 1e-12).all()
            assert (new >= own.amin(0) - 1e-12).all()
            constant = own.amax(0) == own.amin(0)
            assert_allclose(new[:, constant], own[:, constant], atol=1e-12)


def test__trajectory__padded_batch__equals_plain_rounds_with_zeros_in_the_padding():
    tasks = [plain.task(seed, sizes) for seed, sizes in enumerate(plain.SIZES)]
    standardised = [(plain.standardise(X), y, Q) for X, y, Q in tasks]
    support, labels, mask, _ = plain.tensors(*plain.padded(standardised, garbage=5.0, rows=11))
    path = AttentionScorer(repeats=3).trajectory(support, labels, mask)
    for t, (z, y, _) in enumerate(standardised):
        for r, state in enumerate(plain.rounds(z, y, repeats=3)):
            assert_allclose(path.features[r, t][mask[t]], state, rtol=1e-8, atol=1e-10)
            assert_allclose(path.scores[r, t], plain.dispersion("std", state, y), rtol=1e-8)
        assert (path.features[:, t][:, ~mask[t]] == 0).all()
        assert_allclose(path.attention[:, t].sum(-1), mask[t].expand(4, -1).double())
        assert (path.attention[:, t][..., ~mask[t]] == 0).all()


def test__score_features__xor_of_two_bits_among_noise__scores_them_highest():
    X = np.random.default_rng(5).choice([-1.0, 1.0], (60, 8))
    assert set(np.argsort(score_features(X, X[:, 2] * X[:, 6] > 0))[-2:]) == {2, 6}


# ---------------------------------------------------------------- classes of one row


@pytest.mark.parametrize("repeats", [0, 2])
@pytest.mark.parametrize("dispersion", plain.DISPERSIONS)
def test__score_features__one_class_of_one_row__scores_on_the_others_only(dispersion, repeats):
    X, y, _ = plain.task(2, (4, 1, 3))
    with pytest.warns(SingleRowClassWarning, match="only one row"):
        found = score_features(X, y, dispersion=dispersion, repeats=repeats)
    assert_allclose(found, plain.scores(X, y, dispersion_=dispersion, repeats=repeats), rtol=1e-8)


@pytest.mark.parametrize("dispersion", plain.DISPERSIONS)
def test__score_features__every_class_of_one_row__all_alike_but_constants_0(dispersion):
    X = np.array([[0.0, 5.0, -3.0], [2.0, 5.0, -3.1], [9.0, 5.0, -3.0]])
    with pytest.warns(SingleRowClassWarning):
        assert score_features(X, [0, 1, 2], dispersion=dispersion).tolist() == [1, 0, 1]


def test__score_features__one_row_classes_in_one_task_of_a_batch__do_not_touch_the_other():
    tasks = [plain.task(0, (4, 3)), plain.task(1, (1, 1))]
    support, labels, mask, _ = plain.padded(tasks)
    with pytest.warns(SingleRowClassWarning):
        found = score_features(support, labels, mask=mask)
    assert_allclose(found[0], score_features(*tasks[0][:2]), rtol=1e-8)
    assert found[1].tolist() == [1, 1, 1]


def test__score_features__padding_that_leaves_one_row__is_not_a_class_of_one():
    """Only true rows count: two rows and padding are no class of one; and the padding's label no class at all."""
    support, labels, mask, _ = plain.padded([plain.task(0, (2, 2))], rows=5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.isfinite(score_features(support, labels, mask=mask)).all()


def test__single_row_class_warning__many_calls_under_the_default_filter__once():
    code = """
import numpy as np, polythetic
x = np.arange(12.0).reshape(4, 3) ** 2
for _ in range(3):
    polythetic.score_features(x, [0, 0, 0, 1])
    polythetic.method_named("FS+MN")(x, [0, 0, 0, 1], x)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr.count("SingleRowClassWarning") == 1


# ---------------------------------------------------------------- scorers


def test__scorers__are_scorers():
    assert isinstance(AttentionScorer(), Scorer)
    assert isinstance(UniformScorer(), Scorer)


def test__uniform_scorer__anything__scores_1():
    assert UniformScorer()(torch.zeros(2, 5, 3), torch.zeros(2, 5, dtype=torch.int64)).tolist() == [[1.0] * 3] * 2


def test__score_features__unknown_similarity_and_no_rounds__is_an_error():
    X, y, _ = plain.task(0)
    with pytest.raises(InputError, match="similarity"):
        score_features(X, y, similarity="dots", repeats=0, temperature=1.0)


def test__score_features__no_eps_and_tiny_features_in_float32__scores_as_if_scaled():
    X, y, _ = plain.task(0)
    found = score_features((X * 1e-25).astype(np.float32), y, eps=0.0)
    assert_allclose(found, score_features(X, y, eps=0.0), rtol=1e-3)


def test__score_trajectory__last_entry__equals_score_features(rng):
    x, y = rng.normal(size=(2, 12, 4)), np.tile(np.arange(12) % 3, (2, 1))
    followed = score_trajectory(x, y, repeats=4)
    assert_allclose(followed.scores[-1], score_features(x, y, repeats=4), rtol=1e-12)
    assert_allclose(followed.attention.sum(-1), 1, rtol=1e-12)
    assert isinstance(followed.features, np.ndarray)


def test__score_trajectory__classes_of_very_uneven_sizes__equals_a_loop_at_no_more_than_a_few_squares_of_rows(
    rng, monkeypatch
):
    x, pairs = rng.normal(size=(2, 60, 4)), np.arange(60) // 2
    y = np.stack([pairs, np.repeat([0, 1, 2], [56, 2, 2])])
    made = []

    def measured(*arguments, **options):
        made.append(log_attention(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(selection, "log_attention", measured)
    followed = score_trajectory(x, y)
    assert sum(weights.numel() for weights in made) <= 3 * 4 * 2 * 60**2  # three moments; each class alike: 30 × 56²
    for t in range(2):
        alone = score_trajectory(x[t], y[t])
        for together, part in zip(followed, alone, strict=True):
            assert_allclose(together[:, t], part, atol=1e-12)
    assert_allclose(followed.attention.sum(-1), 1)
