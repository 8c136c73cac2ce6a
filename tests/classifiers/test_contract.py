"""What every registered method promises; one that is added to the registry inherits these tests."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from polythetic import memory
from polythetic.classifiers import (
    CLASSIFIERS,
    READABLE,
    SELECTIONS,
    MixturePrototypes,
    method_named,
    method_names,
)
from polythetic.errors import InputError
from polythetic.pipeline import Classifier, Method
from tests import plain

# A refinement takes a while: with one classifier it stands for all of them. Directions need larger tasks than these to
# be looked for, and have tests of their own.
NAMES = [name for name in method_names() if not name.startswith(("R+", "D+")) or name in ("R+MN", "D+MN")]
SELECTING = [name for name in NAMES if "+" in name]
# A refinement counts as given (no gradient passes through it), looks at features in their own units, too, and takes a
# row's double for a reason to believe in every feature.
UNREFINED = [name for name in NAMES if not name.startswith("R+")]
SMOOTH = [name for name in UNREFINED if getattr(method_named(name).classifier, "temperature", None) != 0]
ORDERED = [name for name in NAMES if isinstance(method_named(name).classifier, MixturePrototypes)]
UNORDERED = [name for name in NAMES if name not in ORDERED]
# A selection standardises; a temperature that is zero, or relative to the support, does not mind its scale.
SCALE_FREE = [name for name in UNREFINED if "+" in name or hasattr(method_named(name).classifier, "temperature")]

# What a refinement owes to the order of rows, features and tasks is in its own tests; here it is one more method.
every_method = pytest.mark.parametrize("name", [*UNREFINED, pytest.param("R+MN", marks=pytest.mark.slow)])
every_smooth_method = pytest.mark.parametrize("name", SMOOTH)


def close(found, expected, tolerance=1e-7):
    assert_allclose(np.exp(found), np.exp(expected), rtol=tolerance, atol=tolerance)


# ---------------------------------------------------------------- the registry


def test__registry__every_entry__is_a_classifier_or_a_method():
    for make in CLASSIFIERS.values():
        assert isinstance(make(), Classifier)
    for name in method_names():
        method = method_named(name)
        assert isinstance(method, Method)
        assert (method.selection is not None) == ("+" in name)
    assert len(method_names()) == len(CLASSIFIERS) * (1 + len(SELECTIONS))


@pytest.mark.parametrize(("readable", "name"), READABLE.items())
def test__method_named__readable_name__is_the_same_method(readable, name):
    # As they show themselves: methods with something to learn are equal only to themselves.
    assert repr(method_named(readable)) == repr(method_named(name)) == repr(method_named(name.lower()))


@pytest.mark.parametrize("bad", ["", "XX", "FS+", "FS+XX", "XX+MN", "FS+FS+MN", "FS MN"])
def test__method_named__unknown__says_which_there_are(bad):
    with pytest.raises(InputError, match=r"method = .*: expected one of PN, MN, NN, IMP, FS\+PN.*prototypes"):
        method_named(bad)


def test__method_named__plus_without_selection__is_an_error():
    with pytest.raises(InputError, match="method"):
        method_named("+MN")


# ---------------------------------------------------------------- probabilities


@every_method
@given(task=plain.tasks)
def test__method__any_task__normalised_probabilities_and_their_best_label(name, task):
    method = method_named(name)
    log_p = method(*task)
    assert log_p.shape == (len(task[2]), len(np.unique(task[1])))
    assert not np.isnan(log_p).any()
    assert (log_p <= 1e-9).all()
    assert_allclose(np.exp(log_p).sum(-1), 1)
    predicted = method.predict(*task)
    assert (predicted == np.unique(task[1])[log_p.argmax(-1)]).all()


@every_method
@pytest.mark.parametrize(("support_size", "query_size"), [(1e-12, 1.0), (1e12, 1e12), (1.0, 1e12), (1e8, 1e-8)])
def test__method__values_of_extreme_size_in_float32__normalised(name, support_size, query_size):
    X, y, Q = plain.task(0)
    log_p = method_named(name)((X * support_size).astype("f4"), y, (Q * query_size).astype("f4"))
    assert_allclose(np.exp(log_p).sum(-1), 1, rtol=1e-5)


@pytest.mark.parametrize("name", SELECTING)
def test__method__query_beyond_a_tiny_support__no_nan(name):
    X, y, Q = plain.task(0)
    log_p = method_named(name)((X * 1e-9).astype("f4"), y, (Q * 1e16).astype("f4"))
    assert_allclose(np.exp(log_p).sum(-1), 1, rtol=1e-5)


@every_method
def test__method__support_all_alike__the_classes_prior(name):
    method = method_named(name)
    prior = [4 / 7, 3 / 7] if getattr(method.classifier, "prior", "uniform") == "support" else [1 / 2, 1 / 2]
    _, y, Q = plain.task(0, (4, 3))
    for dtype in (np.float32, np.float64):
        close(method(np.full((7, 3), 1 / 3, dtype), y, Q.astype(dtype)), np.log([prior] * len(Q)), 1e-6)


# ---------------------------------------------------------------- known effects of known changes


@pytest.mark.parametrize("name", UNORDERED)
@given(task=plain.smooth_tasks, seed=plain.seeds)
def test__method__rows_permuted__the_same_answer(name, task, seed):
    X, y, Q = task
    order = np.random.default_rng(seed).permutation(len(y))
    close(method_named(name)(X[order], y[order], Q), method_named(name)(X, y, Q))


@every_method
@given(task=plain.smooth_tasks, seed=plain.seeds)
def test__method__queries_permuted_or_alone__the_same_answers(name, task, seed):
    X, y, Q = task
    order = np.random.default_rng(seed).permutation(len(Q))
    whole = method_named(name)(X, y, Q)
    close(method_named(name)(X, y, Q[order]), whole[order])
    close(method_named(name)(X, y, Q[:1]), whole[:1])


@every_method
@given(task=plain.smooth_tasks, seed=plain.seeds)
def test__method__classes_relabelled__columns_follow(name, task, seed):
    X, y, Q = task
    method = method_named(name)
    classes = np.unique(y)
    new = np.random.default_rng(seed).permutation(len(classes)) * 100 - 7
    relabelled = new[np.searchsorted(classes, y)]
    close(method(X, relabelled, Q), method(X, y, Q)[:, new.argsort()])
    assert (method.predict(X, relabelled, Q) == new[np.searchsorted(classes, method.predict(X, y, Q))]).all()


@every_method
@given(task=plain.smooth_tasks, seed=plain.seeds)
def test__method__features_permuted__the_same_answer(name, task, seed):
    X, y, Q = task
    order = np.random.default_rng(seed).permutation(X.shape[1])
    close(method_named(name)(X[:, order], y, Q[:, order]), method_named(name)(X, y, Q))


@every_method
@given(task=plain.smooth_tasks, value=st.floats(-100, 100), at=st.integers(0, 4))
def test__method__constant_feature_added_in_which_queries_vary__the_same_answer(name, task, value, at):
    X, y, Q = task
    at = min(at, X.shape[1])
    more = np.insert(X, at, value, axis=1), y, np.insert(Q, at, value + 10 * np.arange(len(Q)), axis=1)
    close(method_named(name)(*more), method_named(name)(X, y, Q))


@pytest.mark.parametrize("name", [name for name in UNREFINED if name != "D+MN"])
@given(task=plain.smooth_tasks, times=st.integers(2, 3))
def test__method__support_repeated__the_same_answer(name, task, times):
    X, y, Q = task
    close(method_named(name)(np.tile(X, (times, 1)), np.tile(y, times), Q), method_named(name)(X, y, Q))


@pytest.mark.parametrize("name", [name for name in SELECTING if name in UNREFINED])
@given(task=plain.smooth_tasks, scale=st.floats(0.1, 100), sign=st.sampled_from([-1, 1]), shift=st.floats(-1e3, 1e3))
def test__method__feature_scaled_and_shifted__the_same_answer_but_for_eps(name, task, scale, sign, shift):
    X, y, Q = (x.copy() for x in task)
    expected = method_named(name)(X, y, Q)
    for x in (X, Q):
        x[:, 0] = sign * scale * x[:, 0] + shift
    close(method_named(name)(X, y, Q), expected, 1e-4)


@every_method
@given(task=plain.smooth_tasks, shift=st.floats(-1e3, 1e3))
def test__method__everything_shifted__the_same_answer(name, task, shift):
    X, y, Q = task
    close(method_named(name)(X + shift, y, Q + shift), method_named(name)(X, y, Q))


@pytest.mark.parametrize("name", SCALE_FREE)
@given(task=plain.smooth_tasks, shift=st.floats(-1e3, 1e3))
def test__method__everything_shifted_and_scaled__the_same_answer_but_for_eps(name, task, shift):
    X, y, Q = task
    close(method_named(name)(3 * X + shift, y, 3 * Q + shift), method_named(name)(X, y, Q), 1e-3)


# ---------------------------------------------------------------- batches


@every_method
@pytest.mark.parametrize("garbage", [np.nan, 1e30])
def test__method__batch_of_different_sizes_and_classes__equals_a_loop(name, garbage):
    tasks = [plain.task(seed, sizes) for seed, sizes in enumerate(plain.SIZES)]
    support, labels, mask, query = plain.padded(tasks, garbage, rows=12)
    method = method_named(name)
    log_p, predicted = method(support, labels, query, mask=mask), method.predict(support, labels, query, mask=mask)
    assert log_p.shape == (3, 5, 3)
    for t, (X, y, Q) in enumerate(tasks):
        K = len(plain.SIZES[t])
        close(log_p[t, :, :K], method(X, y, Q))
        assert np.isneginf(log_p[t, :, K:]).all()
        assert (predicted[t] == method.predict(X, y, Q)).all()


@every_method
@given(seed=plain.seeds, cut=st.integers(1, 3))
def test__method__batch_split__the_same_answers(name, seed, cut):
    tasks = [plain.task(seed + i, (3, 4)) for i in range(4)]
    X, y, Q = (np.stack(parts) for parts in zip(*tasks, strict=True))
    parts = [method_named(name)(X[s], y[s], Q[s]) for s in (slice(cut), slice(cut, None))]
    close(np.concatenate(parts), method_named(name)(X, y, Q))


@every_method
def test__method__two_leading_dimensions__equals_a_loop(name, rng):
    X, Q = rng.normal(size=(2, 3, 6, 4)), rng.normal(size=(2, 3, 2, 4))
    y = np.tile([0, 1, 0, 1, 1, 0], (2, 3, 1))
    found = method_named(name)(X, y, Q)
    for i, j in np.ndindex(2, 3):
        close(found[i, j], method_named(name)(X[i, j], y[i, j], Q[i, j]))


@every_method
def test__method__queries_in_chunks__equal_all_at_once(name, monkeypatch):
    X, y, Q = plain.task(0, (5, 3), queries=9)
    whole = method_named(name)(X, y, Q)
    monkeypatch.setattr(memory, "CHUNK_BYTES", 2 * 10 * 8)  # two rows
    close(method_named(name)(X, y, Q), whole, 1e-12)


@every_method
def test__method__float32__near_float64(name):
    X, y, Q = plain.task(3, (6, 4), features=5, queries=20)
    close(method_named(name)(X.astype("f4"), y, Q.astype("f4")), method_named(name)(X, y, Q), 1e-3)


# ---------------------------------------------------------------- gradients


def leaves(*arrays):
    return [torch.tensor(x, dtype=torch.float64, requires_grad=True) for x in arrays]


@pytest.mark.parametrize(
    ("name", "sizes"),
    [(name, sizes) for name in SMOOTH for sizes in ((3, 3), (4, 2))],
)
def test__method__gradients__equal_finite_differences(name, sizes):
    X, y, Q = plain.task(2, sizes, features=3, queries=2)
    assert torch.autograd.gradcheck(lambda x, q: method_named(name)(x, y, q), leaves(X, Q))


@every_smooth_method
def test__method__second_derivatives__equal_finite_differences(name):
    X, y, Q = plain.task(2, (2, 2), features=2, queries=1)
    assert torch.autograd.gradgradcheck(lambda x, q: method_named(name)(x, y, q), leaves(X, Q))


@every_smooth_method
def test__method__constant_features_duplicate_rows_and_tied_scores__gradients_are_finite(name):
    square = np.array([[-1.0, -1.0], [1.0, 1.0], [-1.0, 1.0], [1.0, -1.0]])
    X = np.column_stack([np.tile(square, (2, 1)), np.full(8, 3.0)])
    x, q = leaves(X, X)
    method_named(name)(x, [0, 0, 1, 1] * 2, q).sum().backward()
    assert x.grad.isfinite().all()
    assert q.grad.isfinite().all()


@every_smooth_method
def test__method__batch_with_different_numbers_of_classes__gradients_equal_those_of_each_task(name):
    tasks = [plain.task(seed, sizes) for seed, sizes in enumerate(plain.SIZES)]
    support, labels, mask, query = plain.padded(tasks, garbage=0.0, rows=12)
    x, q = leaves(support, query)
    method_named(name)(x, labels, q, mask=mask)[..., 0].sum().backward()  # the class that every task has
    for t, (X, y, Q) in enumerate(tasks):
        one, its_query = leaves(X, Q)
        method_named(name)(one, y, its_query)[..., 0].sum().backward()
        assert_allclose(x.grad[t][mask[t]], one.grad, rtol=1e-6, atol=1e-9)
        assert_allclose(q.grad[t], its_query.grad, rtol=1e-6, atol=1e-9)
        assert (x.grad[t][~mask[t]] == 0).all()
