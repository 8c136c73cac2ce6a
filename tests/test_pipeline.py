"""Selection before a classifier: what is standardised by what, how scores act, and what it all achieves."""

from functools import partial

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from polythetic import BooleanTasks, evaluate, method_named
from polythetic.classifiers import Matching, Prototypes, nearest
from polythetic.errors import InputError
from polythetic.pipeline import Method, Selection
from polythetic.rescaling import RESCALINGS, top_k
from polythetic.selection import AttentionScorer, UniformScorer, score_features
from tests import plain


def selected(selection, X, y, Q, mask=None):
    return [x.numpy() for x in selection(*plain.tensors(X, y, Q), *([] if mask is None else plain.tensors(mask)))]


# ---------------------------------------------------------------- the whole method, step by step


def scales_of(rescale, scores):
    """The scales of one task, written out."""
    if rescale == "normalised":
        return scores / scores.mean()
    if rescale == "square-root":
        return np.sqrt(scores)
    if rescale.startswith("min-max"):
        stretched = (scores - scores.min()) / (scores.max() - scores.min())
        return stretched**2 if rescale.endswith("squared") else stretched
    return scores


@pytest.mark.parametrize("rescale", RESCALINGS)
@pytest.mark.parametrize("sizes", [(4, 4), (5, 2)])
def test__method__selection_then_attention__equals_plain_numpy(rescale, sizes):
    X, y, Q = plain.task(5, sizes, features=4)
    scales = scales_of(rescale, plain.scores(X, y))
    expected = plain.matching(scales * plain.standardise(X), y, scales * plain.standardise(Q, X))
    found = Method(Matching(), Selection(rescale=rescale))(X, y, Q)
    assert_allclose(np.exp(found), expected, rtol=1e-6, atol=1e-8)


def test__selection__defaults__scales_both_by_the_squared_min_max_of_the_scores():
    X, y, Q = plain.task(5, (4, 3), features=4)
    scales = scales_of("min-max-squared", plain.scores(X, y))
    support, query = selected(Selection(), X, y, Q)
    assert_allclose(support, scales * plain.standardise(X), rtol=1e-7, atol=1e-10)
    assert_allclose(query, scales * plain.standardise(Q, X), rtol=1e-7, atol=1e-10)


def test__selection__top_k__keeps_the_best_as_they_are_and_drops_the_rest():
    X, y, Q = plain.task(5, (4, 3), features=4)
    best = np.argsort(-score_features(X, y))[:2]
    support, query = selected(Selection(rescale=partial(top_k, k=2)), X, y, Q)
    kept = np.isin(np.arange(4), best)
    assert_allclose(support, plain.standardise(X) * kept, rtol=1e-7)
    assert_allclose(query, plain.standardise(Q, X) * kept, rtol=1e-7)


def test__selection__not_standardised__rescales_the_raw_features():
    X, y, Q = plain.task(5, (4, 3), features=4)
    scales = np.sqrt(plain.scores(X, y))
    support, query = selected(Selection(rescale="square-root", standardised=False), X, y, Q)
    assert_allclose(support, scales * X, rtol=1e-7)
    assert_allclose(query, scales * Q, rtol=1e-7)


def test__selection__uniform_scorer__only_standardises():
    X, y, Q = plain.task(5)
    support, query = selected(Selection(UniformScorer()), X, y, Q)
    assert_allclose(support, plain.standardise(X))
    assert_allclose(query, plain.standardise(Q, X))


@pytest.mark.parametrize("rescale", [*(name for name in RESCALINGS if name != "normalised"), partial(top_k, k=2)])
@given(seed=plain.seeds, at=st.integers(0, 3))
def test__selection__constant_feature_in_which_queries_vary__is_dropped_and_scales_no_other(rescale, seed, at):
    X, y, Q = plain.task(seed, (4, 3))
    selection = Selection(rescale=rescale)
    expected = selected(selection, X, y, Q)
    found = selected(selection, np.insert(X, at, 7.0, 1), y, np.insert(Q, at, np.arange(5.0), 1))
    for new, old in zip(found, expected, strict=True):
        assert (new[:, at] == 0).all()
        assert_allclose(np.delete(new, at, 1), old, atol=1e-8)


def test__selection__normalised_and_a_constant_feature__scales_no_other():
    X, y, Q = plain.task(0)
    expected, _ = selected(Selection(rescale="normalised"), X, y, Q)
    found, _ = selected(Selection(rescale="normalised"), np.insert(X, 0, 7.0, 1), y, np.insert(Q, 0, 7.0, 1))
    assert_allclose(found[:, 1:], expected, rtol=1e-7)


# ---------------------------------------------------------------- statistics


@pytest.mark.parametrize("statistics", ["joint", "separate"])
def test__selection__the_authors_statistics__equal_plain_numpy(statistics):
    X, y, Q = plain.task(8)
    both = np.concatenate([X, Q])
    support, query = selected(Selection(UniformScorer(), statistics=statistics), X, y, Q)
    assert_allclose(support, plain.standardise(X, both if statistics == "joint" else X), rtol=1e-7)
    assert_allclose(query, plain.standardise(Q, both if statistics == "joint" else Q), rtol=1e-7)


@pytest.mark.parametrize("statistics", ["support", "joint", "separate"])
def test__selection__statistics_of_a_padded_batch__equal_a_loop(statistics):
    tasks = [plain.task(0, (4, 3)), plain.task(1, (2, 3, 4))]
    support, labels, mask, query = plain.padded(tasks)
    method = Method(Matching(), Selection(statistics=statistics))
    found = method(support, labels, query, mask=mask)
    for t, task in enumerate(tasks):
        expected = method(*task)
        assert_allclose(np.exp(found[t, :, : expected.shape[1]]), np.exp(expected), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("statistics", "independent"), [("support", True), ("joint", False), ("separate", False)])
def test__method__answer_to_one_query__independent_of_the_others_with_support_statistics_only(statistics, independent):
    X, y, Q = plain.task(8)
    method = Method(Matching(), Selection(statistics=statistics))
    others = np.concatenate([Q[:1], 3 * Q[1:] + 2])
    assert np.allclose(method(X, y, Q)[0], method(X, y, others)[0], atol=1e-9) == independent


def test__method__separate_statistics_and_no_queries__no_answers():
    X, y, Q = plain.task(8)
    assert Method(Matching(), Selection(statistics="separate"))(X, y, Q[:0]).shape == (0, 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rescale": "minmax"}, r"rescale = 'minmax': expected one of raw"),
        ({"statistics": "query"}, r"statistics = 'query': expected one of support, joint, separate"),
        ({"eps": -1.0}, r"eps = -1.0: expected a small number"),
    ],
)
def test__selection__bad_setting__names_argument_value_and_remedy(settings, message):
    with pytest.raises(InputError, match=message):
        Selection(**settings)


def test__method__more_best_features_than_there_are__names_k():
    X, y, Q = plain.task(0, features=3)
    with pytest.raises(InputError, match=r"k = 4: expected a whole number from 1 to 3 \(there are 3 features\)"):
        Method(Matching(), Selection(rescale=partial(top_k, k=4)))(X, y, Q)


@pytest.mark.parametrize("classifier", [Matching(temperature=0.5), Prototypes(temperature=0.5)])
@pytest.mark.parametrize("rescale", RESCALINGS)
@pytest.mark.parametrize("statistics", ["support", "joint", "separate"])
def test__method__gradients_through_every_selection__equal_finite_differences(classifier, rescale, statistics):
    X, y, Q = plain.task(2, (3, 2), features=3, queries=2)
    x, q = (torch.tensor(a, requires_grad=True) for a in (X, Q))
    method = Method(classifier, Selection(AttentionScorer(temperature=0.5), rescale, statistics))
    assert torch.autograd.gradcheck(lambda a, b: method(a, y, b), (x, q), fast_mode=True)


# ---------------------------------------------------------------- what it achieves


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("alpha", [2, 3, 4])
def test__methods__xor_without_irrelevant_bits__attention_is_perfect_and_prototypes_are_blind(alpha, dtype):
    """Min-max must not make a ranking of rounding, nor prototypes learn from it: their balanced means coincide."""
    methods = {name: method_named(name) for name in ("FS+MN", "MN", "FS+NN", "NN", "PN", "FS+PN")}
    found = evaluate(methods, BooleanTasks(n=alpha, alpha=alpha), tasks=200, dtype=dtype)
    for name in ("FS+MN", "MN", "FS+NN", "NN"):
        assert (found[name].values == 100).all()
    for name in ("PN", "FS+PN"):
        assert found[name].mean == pytest.approx(50, abs=2)


def test__selection__xor4_with_three_irrelevant_bits_twice__gains_thirty_points():
    """Figure 5 has +38 points there."""
    methods = {name: method_named(name) for name in ("MN", "FS+MN")}
    found = evaluate(methods, BooleanTasks(n=7, alpha=4, repetitions=2), tasks=200)
    assert found["FS+MN"].mean - found["MN"].mean >= 30


@pytest.mark.parametrize(
    ("n", "alpha", "floor"), [(5, 2, 97), (5, 3, 98), (5, 4, 98), (10, 2, 80), (10, 3, 84), (10, 4, 92)]
)
def test__defaults__iid_supports__above_the_floor(n, alpha, floor):
    found = evaluate({"FS+MN": method_named("FS+MN")}, BooleanTasks(n=n, alpha=alpha, design="iid"), tasks=200)
    assert found["FS+MN"].mean > floor


def test__nearest__selection__is_matching_at_zero_after_it():
    X, y, Q = plain.task(3)
    assert_allclose(Method(nearest(), Selection())(X, y, Q), Method(Matching(temperature=0.0), Selection())(X, y, Q))
