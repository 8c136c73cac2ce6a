"""Means and errors against NumPy, the comparison of two methods against SciPy and by hand."""

import itertools

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from scipy.stats import binom, rankdata, wilcoxon

from polythetic import BooleanTasks, Episode, Evaluation, evaluate, head_to_head, method_named
from polythetic.errors import InputError
from polythetic.evaluation import active_share
from tests import plain


class Recorder:
    """A method that answers 1, and keeps what it was shown."""

    def __init__(self):
        self.seen = []

    def predict(self, support, labels, query, mask=None, query_mask=None):
        self.seen.append((support, labels, query, mask))
        return torch.ones(query.shape[:-1], dtype=torch.int64)


class Fixed:
    """A suite that has one batch."""

    def __init__(self, episode):
        self.episode = episode

    def batch(self, seed, start, stop):
        return self.episode


# ---------------------------------------------------------------- figures


def test__evaluation__values__equal_numpy(rng):
    values = rng.uniform(0, 100, 37)
    found = Evaluation(values)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.std == pytest.approx(np.sqrt(np.sum((values - values.mean()) ** 2) / 36))
    assert found.stderr == pytest.approx(found.std / np.sqrt(37))
    assert repr(found) == f"{values.mean():.1f} ± {found.stderr:.1f}"


def test__evaluation__one_task__has_no_error_to_give():
    found = Evaluation(np.array([80.0]))
    assert found.mean == 80
    assert np.isnan(found.std)
    assert np.isnan(found.stderr)


# ---------------------------------------------------------------- evaluate


def test__evaluate__several_methods_and_batches__all_see_the_same_tasks_and_every_one_once():
    suite = BooleanTasks(n=4)
    methods = {"a": Recorder(), "b": Recorder()}
    found = evaluate(methods, suite, tasks=7, seed=3, batch_size=3)
    assert [len(support) for support, *_ in methods["a"].seen] == [3, 3, 1]
    whole = suite.batch(3, 0, 7)
    for method in methods.values():
        for i, expected in enumerate((whole.support, whole.support_labels, whole.query)):
            assert torch.equal(torch.cat([seen[i] for seen in method.seen]), expected)
    assert (found["a"].values == found["b"].values).all()


def test__evaluate__any_batch_size__the_same_figures():
    runs = [
        evaluate({"m": method_named("FS+MN")}, BooleanTasks(n=5), tasks=11, batch_size=size)["m"].values
        for size in (1, 4, 100)
    ]
    assert len(runs[0]) == 11
    for run in runs[1:]:
        assert_allclose(run, runs[0])


def test__evaluate__accuracy__equals_a_count_by_hand():
    episode = BooleanTasks(n=4).batch(0, 0, 5)
    found = evaluate({"ones": Recorder()}, Fixed(episode), tasks=5)["ones"]
    assert_allclose(found.values, [100 * np.mean(y == 1) for y in episode.query_labels.numpy()])


def test__evaluate__masks__padding_counts_neither_as_support_nor_as_query():
    tasks = [plain.task(0, (4, 3)), plain.task(1, (3, 2))]
    support, labels, mask, query = plain.tensors(*plain.padded(tasks))
    query_mask = torch.tensor([[True] * 5, [True] * 2 + [False] * 3])
    truth = torch.tensor([[1, 1, 1, 0, 0], [1, 0, 1, 1, 1]])
    episode = Episode(support, labels, query, truth, mask, query_mask)
    recorder = Recorder()
    assert_allclose(evaluate({"m": recorder}, Fixed(episode), tasks=2)["m"].values, [60, 50])
    assert torch.equal(recorder.seen[0][3], mask)


@pytest.mark.parametrize("name", ["MN", "FS+MN"])
def test__evaluate__nan_in_the_padding_of_queries__is_ignored(name):
    X, y, Q = plain.task(0)
    Q[3:] = np.nan
    episode = Episode(
        *plain.tensors(X[None], y[None], Q[None], np.full((1, 5), y[0])),
        query_mask=torch.tensor([[True] * 3 + [False] * 2]),
    )
    expected = 100 * (method_named(name).predict(X, y, Q[:3]) == y[0]).mean()
    assert evaluate({"m": method_named(name)}, Fixed(episode), tasks=1)["m"].mean == pytest.approx(expected)


def test__evaluate__dtype__is_what_the_methods_get():
    recorder = Recorder()
    evaluate({"m": recorder}, BooleanTasks(n=3), tasks=2, dtype=torch.float64)
    assert recorder.seen[0][0].dtype == recorder.seen[0][2].dtype == torch.float64


def test__evaluate__progress__is_told_of_every_task():
    class Count:
        total = done = 0

        def start(self, what, total):
            self.total = total

        def advance(self, steps=1):
            self.done += steps

    count = Count()
    evaluate({"m": Recorder()}, BooleanTasks(n=3), tasks=7, batch_size=3, progress=count)
    assert count.total == count.done == 7


@pytest.mark.parametrize("argument", ["tasks", "batch_size"])
def test__evaluate__nothing_to_do__is_an_error(argument):
    with pytest.raises(InputError, match=rf"{argument} = 0: expected a whole number of at least 1"):
        evaluate({}, BooleanTasks(n=3), **{argument: 0})


# ---------------------------------------------------------------- head to head


def enumerated_wilcoxon(difference):
    """Two-sided p by listing all signs: how many rank sums lie as far from the middle as the one observed."""
    ranks = rankdata(np.abs(difference))
    middle = ranks.sum() / 2
    sums = np.array([np.dot(ranks, signs) for signs in itertools.product((0, 1), repeat=len(ranks))])
    return np.mean(np.abs(sums - middle) >= abs(ranks[difference > 0].sum() - middle) - 1e-9)


def test__head_to_head__distinct_differences__equals_listing_all_signs():
    difference = np.array([1.0, -2.0, 3.0, 4.0, -5.0, 6.0, 7.0, 8.0, 0.0, 0.0])
    found = head_to_head(Evaluation(50 + difference), Evaluation(np.full(10, 50.0)))
    assert (found.wins, found.ties, found.losses) == (6, 2, 2)
    assert found.sign_p == pytest.approx(2 * binom.cdf(2, 8, 0.5))
    assert found.wilcoxon_p == pytest.approx(enumerated_wilcoxon(difference[difference != 0]))


def test__head_to_head__equal_differences__equals_listing_all_signs():
    difference = np.array([5.0, 5, 20, 10, 10, 5, 5, 20, -5, 15, 10, -15])
    found = head_to_head(Evaluation(50 + difference), Evaluation(np.full(12, 50.0)))
    assert found.wilcoxon_p == pytest.approx(enumerated_wilcoxon(difference))


def test__head_to_head__many_tasks__equals_scipy_and_its_mirror_image(rng):
    a, b = rng.uniform(0, 100, (2, 60))
    b[:10] = a[:10]
    found, mirror = head_to_head(Evaluation(a), Evaluation(b)), head_to_head(Evaluation(b), Evaluation(a))
    assert found.ties == 10
    assert found.wilcoxon_p == pytest.approx(wilcoxon((a - b)[10:], method="approx").pvalue)
    assert (found.wins, found.losses, found.sign_p) == (mirror.losses, mirror.wins, mirror.sign_p)
    assert found.wilcoxon_p == pytest.approx(mirror.wilcoxon_p)


def test__head_to_head__equal_up_to_rounding__is_all_ties():
    a = np.array([100 * (1 / 3), 50.0])
    found = head_to_head(Evaluation(a), Evaluation(a + 1e-13))
    assert (found.wins, found.ties, found.losses, found.sign_p, found.wilcoxon_p) == (0, 2, 0, 1, 1)


def test__head_to_head__different_numbers_of_tasks__is_an_error():
    with pytest.raises(InputError, match="second = 3 tasks: expected the 2 tasks of first"):
        head_to_head(Evaluation(np.zeros(2)), Evaluation(np.zeros(3)))


# ---------------------------------------------------------------- active features found


@pytest.mark.parametrize(
    ("scores", "active", "share"),
    [
        ([0.9, 0.1, 0.8, 0.2], [0, 2], 100),
        ([0.9, 0.1, 0.8, 0.2], [3, 2], 50),
        ([0.9, 0.1, 0.8, 0.2], [1, 3], 0),
        ([0.5, 0.5, 0.5, 0.5], [0, 1], 100),  # of equals the first
        ([0.5, 0.5, 0.5, 0.5], [2, 3], 0),
        ([0.5, 0.9, 0.5, 0.5], [1, 2, 0], 100),
        ([0.5, 0.9, 0.5, 0.5], [1, 2, 3], 200 / 3),
    ],
)
def test__active_share__scores_with_and_without_ties__counts_the_active_among_the_best(scores, active, share):
    assert active_share(torch.tensor([scores]), torch.tensor([active])).values == pytest.approx([share])


def test__active_share__batch__a_figure_for_each_task():
    scores = torch.tensor([[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]])
    assert active_share(scores, torch.tensor([[0], [0]])).values.tolist() == [100, 0]
