"""Infinite mixture prototypes: cases solved by hand, plain NumPy, the limits on either side, gradients."""

import math

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose
from torch import nn

from polythetic import memory
from polythetic.classifiers import MixturePrototypes, Prototypes, method_named, nearest
from polythetic.classifiers.mixture import EMPTY
from polythetic.encoders import Pointwise
from polythetic.episodes import BooleanTasks, Episode
from polythetic.errors import InputError, TooLargeError
from polythetic.learners import EpisodicLearner
from polythetic.pipeline import Method, Selection
from tests import plain

SQUARE, XOR = np.array([[-1.0, -1.0], [-1.0, 1.0], [1.0, -1.0], [1.0, 1.0]]), np.array([0, 1, 1, 0])
WIDE = 4.0  # times standard normal rows: some open clusters, some do not


def imp(**settings):
    return Method(MixturePrototypes(**settings).double())


def wide_task(seed, sizes=(5, 4, 3), features=3):
    X, y, Q = plain.task(seed, sizes, features)
    return WIDE * X, y, WIDE * Q


wide_tasks = st.builds(wide_task, plain.seeds, plain.sizes, st.integers(1, 4))


def plain_clusters(X, y, sigma, alpha):
    """Clusters of each class by a loop over its rows, as the paper tells it."""
    classes = [X[y == k] for k in np.unique(y)]
    means = np.array([own.mean(0) for own in classes])
    rho = np.mean([np.var(m, ddof=1) for m in means.T])
    threshold = -2 * sigma * np.log(alpha) + X.shape[1] * sigma * np.log(1 + rho / sigma)
    found = []
    for own, mean in zip(classes, means, strict=True):
        centres = [mean]
        for x in own:
            if min(np.sum((x - c) ** 2) for c in centres) > threshold:
                centres.append(x)
        z = plain.attention_weights("euclidean", own, np.array(centres), 2 * sigma)  # [rows, clusters]
        found.append([w @ own / w.sum() for w in z.T if w.sum() > EMPTY])
    return found


def plain_imp(X, y, Q, sigma=5.0, alpha=0.1):
    clusters = plain_clusters(X, y, sigma, alpha)
    nearest_one = [np.array([max(plain.similarity("euclidean", q, c) for c in own) for own in clusters]) for q in Q]
    return np.array([plain.softmax(s, 2 * sigma) for s in nearest_one])


# ---------------------------------------------------------------- solved by hand, and by a loop


def test__mixture__two_clusters__as_solved_on_paper():
    """Class 0 is {0, 0, 3} and class 1 is {1, 1, 1}: both means are 1, so ρ = 0.

    With σ = 1 and α = 1/e, λ = −2 ln(1/e) = 2. Of class 0, the rows at 0 lie 1 from the mean and open nothing, the
    row at 3 lies 4 from it and opens a cluster. A row at 0 has squared distances 1 and 9 to the clusters at 1 and 3,
    so it goes to the first by a = 1 / (1 + e⁻⁴); the row at 3 has 4 and 0, by b = 1 / (1 + e²). The clusters become
    c = 3b / (2a + b) and c′ = 3(1 − b) / (2(1 − a) + 1 − b). A query at 2.5 is nearest to c′; class 1 is at 1.
    """
    a, b = 1 / (1 + math.exp(-4)), 1 / (1 + math.exp(2))
    first, second = 3 * b / (2 * a + b), 3 * (1 - b) / (2 * (1 - a) + 1 - b)
    support, labels = torch.tensor([[0.0], [0.0], [3.0], [1.0], [1.0], [1.0]]), torch.tensor([0, 0, 0, 1, 1, 1])
    classifier = MixturePrototypes(sigma=1.0, alpha=1 / math.e)

    centres, exist = classifier.clusters(support, labels)
    assert exist.tolist() == [[True, True], [True, False]]
    assert_allclose(centres[exist].detach().squeeze(), [first, second, 1.0], rtol=1e-6)

    log_odds = (2.5 - 1) ** 2 / 2 - (2.5 - second) ** 2 / 2
    p = classifier(support, labels, torch.tensor([[2.5]])).exp()
    assert_allclose(p.detach(), [[1 / (1 + math.exp(-log_odds)), 1 / (1 + math.exp(log_odds))]], rtol=1e-5)


def test__mixture__rows_in_another_order__the_first_to_come_opens():
    """From class mean 3.5 with λ = 2, 0 opens before 1 is reached (which then lies within λ of it), or 1 before 0."""
    classifier, labels = MixturePrototypes(sigma=1.0, alpha=1 / math.e), torch.tensor([0, 0, 0, 0, 1, 1])
    others = [6.5, 6.5, 3.5, 3.5]
    ways = [classifier.clusters(torch.tensor([*rows, *others])[:, None], labels) for rows in ([0.0, 1.0], [1.0, 0.0])]
    opened = [way.centres[0][way.exist[0]].min().item() for way in ways]
    assert ways[0].exist[0].sum() == ways[1].exist[0].sum()
    assert opened[0] < opened[1]


@given(wide_tasks)
def test__mixture__wide_tasks__equal_plain_numpy(task):
    assert_allclose(np.exp(imp()(*task)), plain_imp(*task), rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize(("sigma", "alpha"), [(0.3, 0.1), (1.0, 1.0), (5.0, 1e-3)])
def test__mixture__other_settings__equal_plain_numpy(sigma, alpha):
    for seed in range(5):
        task = wide_task(seed)
        expected = plain_imp(*task, sigma=sigma, alpha=alpha)
        assert_allclose(np.exp(imp(sigma=sigma, alpha=alpha)(*task)), expected, rtol=1e-6, atol=1e-9)


def test__mixture__wide_tasks__have_classes_of_one_cluster_and_of_several():
    """What the tests on them would otherwise not show."""
    counts = [len(own) for seed in range(10) for own in plain_clusters(*wide_task(seed)[:2], 5.0, 0.1)]
    assert min(counts) == 1
    assert max(counts) >= 3


# ---------------------------------------------------------------- the limits


@given(wide_tasks)
def test__mixture__hardly_any_concentration__prototypes_of_temperature_two_sigma(task):
    found = imp(sigma=3.0, alpha=1e-300)(*task)
    assert_allclose(np.exp(found), np.exp(Method(Prototypes(temperature=6.0))(*task)), rtol=1e-5, atol=1e-9)


@given(wide_tasks)
def test__mixture__hardly_any_variance__decides_as_the_nearest_neighbour(task):
    assert (imp(sigma=1e-8, alpha=1.0).predict(*task) == Method(nearest()).predict(*task)).all()


def test__mixture__xor__solved_where_prototypes_decide_nothing():
    assert (imp(sigma=0.3).predict(SQUARE, XOR, 0.8 * SQUARE) == XOR).all()
    assert_allclose(np.exp(Method(Prototypes())(SQUARE, XOR, SQUARE)), np.full((4, 2), 0.5))


def test__mixture__xor_among_noise_bits__solved_after_selection():
    tasks = BooleanTasks(n=6).batch(seed=0, start=0, stop=50)
    alone, selected = (Method(MixturePrototypes(sigma=0.1), selection) for selection in (None, Selection()))
    right = [
        m.predict(tasks.support, tasks.support_labels, tasks.query) == tasks.query_labels for m in (alone, selected)
    ]
    assert right[0].double().mean() < 0.8
    assert right[1].double().mean() > 0.95


# ---------------------------------------------------------------- batches, invariances


def test__mixture__batch_of_different_sizes_classes_and_clusters__equals_a_loop():
    sizes = [(5, 4, 3), (6, 2), (1, 7, 3)]
    tasks = [wide_task(seed, s) for seed, s in enumerate(sizes)]
    support, labels, mask, query = plain.padded(tasks, rows=14)
    found = imp()(support, labels, query, mask=mask)
    for t, task in enumerate(tasks):
        assert_allclose(np.exp(found[t, :, : len(sizes[t])]), plain_imp(*task), rtol=1e-6, atol=1e-9)
        assert np.isneginf(found[t, :, len(sizes[t]) :]).all()


@given(task=wide_tasks, seed=plain.seeds, shift=st.floats(-1e3, 1e3))
def test__mixture__relabelled_features_permuted_and_everything_shifted__columns_follow(task, seed, shift):
    X, y, Q = task
    rng = np.random.default_rng(seed)
    classes, features = np.unique(y), rng.permutation(X.shape[1])
    new = rng.permutation(len(classes)) * 10 - 4
    changed = imp()(X[:, features] + shift, new[np.searchsorted(classes, y)], Q[:, features] + shift)
    assert_allclose(np.exp(changed), np.exp(imp()(X, y, Q))[:, new.argsort()], rtol=1e-6, atol=1e-9)


# ---------------------------------------------------------------- gradients


@pytest.mark.parametrize("seed", [0, 2, 3])
def test__mixture__gradients_of_features_and_sigma__equal_finite_differences(seed):
    X, y, Q = wide_task(seed, (5, 3), features=2)
    classifier = MixturePrototypes().double()

    def log_p(x, q, log_sigma):
        return torch.func.functional_call(classifier, {"log_sigma": log_sigma}, (x, torch.tensor(y), q))

    leaves = [torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (X, Q, math.log(5.0))]
    assert any(len(own) > 1 for own in plain_clusters(X, y, 5.0, 0.1))
    assert torch.autograd.gradcheck(log_p, leaves)


def test__mixture__absent_classes_and_duplicate_rows__gradients_are_finite():
    tasks = [(np.tile(X, (2, 1)), np.tile(y, 2), Q) for X, y, Q in (wide_task(0, (3, 2)), wide_task(1, (2, 2, 1)))]
    support, labels, mask, query = plain.padded(tasks, garbage=0.0)
    classifier = MixturePrototypes(sigma=1e-6).double()
    x = torch.tensor(support, requires_grad=True)
    Method(classifier)(x, labels, query, mask=mask)[..., 0].sum().backward()
    assert x.grad.isfinite().all()
    assert classifier.log_sigma.grad.isfinite()


def test__mixture__in_a_learner__sigma_is_one_parameter_and_is_learned():
    learner = EpisodicLearner(Pointwise(nn.Linear(3, 2), example_dims=1), method_named("IMP"))
    assert sum(p is learner.method.classifier.log_sigma for p in learner.parameters()) == 1
    X, y, Q = plain.tensors(*plain.task(0), dtype=torch.float32)
    optimiser = torch.optim.Adam(learner.parameters(), lr=0.1)
    learner.loss(Episode(X, y, Q, y[: len(Q)]))[0].backward()
    optimiser.step()
    assert learner.method.classifier.sigma.item() != pytest.approx(5.0)
    assert repr(learner.method) == repr(learner.method.classifier).join(["Method(classifier=", ", selection=None)"])


def test__mixture__two_made_by_name__do_not_share_sigma():
    first, second = method_named("IMP").classifier, method_named("IMP").classifier
    assert first.log_sigma is not second.log_sigma
    assert repr(first) == "MixturePrototypes(sigma=5, alpha=0.1)"


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sigma": 0.0}, r"sigma = 0.0: expected a variance"),
        ({"sigma": math.inf}, r"sigma = inf: expected a variance"),
        ({"alpha": 0.0}, r"alpha = 0.0: expected a concentration"),
        ({"alpha": 2.0}, r"alpha = 2.0: expected a concentration"),
    ],
)
def test__mixture__bad_setting__names_argument_value_and_remedy(settings, message):
    with pytest.raises(InputError, match=message):
        MixturePrototypes(**settings)


def test__mixture__too_large_for_memory__refused_beforehand(monkeypatch):
    monkeypatch.setattr(memory, "CHUNK_BYTES", 0)
    monkeypatch.setattr(memory.psutil, "virtual_memory", lambda: type("Memory", (), {"available": 2000}))
    X, y, Q = plain.task(0, (4, 4), features=50)
    with pytest.raises(TooLargeError, match=r"clustering 1 task\(s\) of up to 2 classes of up to 4 rows"):
        imp()(X, y, Q)
