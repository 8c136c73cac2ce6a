"""The simulation against exact rates, and against itself in other batches and with other seeds."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from polythetic.errors import InputError, TooLargeError
from polythetic.theory import simulate_attention


def exact_misclassification(alpha, beta, r):
    """P(output < 0) + P(output = 0)/2 of dot attention at p = ½, where the query's features do not matter.

    The rows at δ differences of the active features fall into beta + 1 weights with multinomial counts;
    the rows of the query's class (even δ) and the others are independent sums, listed with probabilities.
    """

    def side(deltas):
        values, chances = np.zeros(1), np.ones(1)
        for delta in deltas:
            rows = r * math.comb(alpha, delta)
            counts = np.array([k for k in itertools.product(range(rows + 1), repeat=beta + 1) if sum(k) == rows])
            ways = [math.factorial(rows) / math.prod(map(math.factorial, k)) for k in counts.tolist()]
            shares = np.array([math.comb(beta, k) / 2**beta for k in range(beta + 1)])
            weights = np.exp(alpha - 2 * delta + beta - 2.0 * np.arange(beta + 1))
            values = np.add.outer(values, counts @ weights).ravel()
            chances = np.multiply.outer(chances, ways * (shares**counts).prod(-1)).ravel()
        order = np.argsort(values)
        return values[order], chances[order]

    (own, own_chance), (other, other_chance) = side(range(0, alpha + 1, 2)), side(range(1, alpha + 1, 2))
    below = np.concatenate([[0.0], np.cumsum(other_chance)])
    at_most, less = (below[np.searchsorted(other, own + slack)] for slack in (1e-7, -1e-7))
    return float(own_chance @ (1 - (at_most + less) / 2))


@pytest.mark.parametrize(("alpha", "beta", "r", "rate"), [(4, 3, 2, 0.43733), (2, 2, 1, None), (1, 3, 3, None)])
def test__simulate_attention__half__misclassification_is_the_exact_rate(alpha, beta, r, rate):
    expected = exact_misclassification(alpha, beta, r)
    drawn = simulate_attention(alpha, beta, repetitions=r, trials=40_000, seed=2)
    assert rate is None or expected == pytest.approx(rate, abs=1e-5)
    assert abs(drawn.misclassification - expected) < 4 * drawn.misclassification_stderr
    assert 0 < drawn.misclassification_stderr < 0.003


def test__simulate_attention__one_active_one_irrelevant__ties_count_as_half():
    # Output e^(1+a) − e^(−1+b), a and b = ±1 evenly: 0 where a = −1 and b = 1, positive otherwise.
    drawn = simulate_attention(1, 1, trials=20_000, seed=4)
    assert abs(drawn.misclassification - 0.125) < 4 * drawn.misclassification_stderr


@pytest.mark.parametrize("tasks_per_batch", [1, 7, 1000])
def test__simulate_attention__other_batches__same_draws(tasks_per_batch):
    setting = {"repetitions": 3, "p": 0.7, "trials": 200, "seed": 9}
    whole = simulate_attention(3, 4, **setting)
    assert simulate_attention(3, 4, **setting, tasks_per_batch=tasks_per_batch) == whole


def test__simulate_attention__other_seed__other_draws():
    first, again, other = (simulate_attention(2, 3, trials=100, seed=seed) for seed in (0, 0, 1))
    assert first == again
    assert first.mean != other.mean


def test__simulate_attention__many_seeds__standard_errors_are_the_spread_of_the_estimates():
    runs = [simulate_attention(2, 2, repetitions=2, p=0.7, trials=1000, seed=seed) for seed in range(300)]
    for name in ("mean", "variance", "misclassification"):
        spread = np.std([getattr(run, name) for run in runs], ddof=1)
        claimed = np.mean([getattr(run, f"{name}_stderr") for run in runs])
        assert claimed == pytest.approx(spread, rel=0.15)


def test__simulate_attention__nothing_irrelevant__constant_output():
    drawn = simulate_attention(3, 0, repetitions=2, trials=50)
    assert drawn.mean == pytest.approx(2 * (math.e - 1 / math.e) ** 3)
    assert drawn.misclassification == 0
    assert max(drawn.variance, drawn.mean_stderr, drawn.variance_stderr) < 1e-9


def test__simulate_attention__normalised__is_the_softmax_of_the_same_draws():
    total, output = (
        simulate_attention(3, 2, repetitions=2, p=0.7, trials=500, seed=1, normalised=normalised)
        for normalised in (False, True)
    )
    assert output.misclassification == total.misclassification
    assert 0 < output.mean < 1 < total.mean
    # With no irrelevant bits the softmax is ((e − e⁻¹)/(e + e⁻¹))^α, however large τ makes the sum.
    alone = simulate_attention(3, 0, repetitions=2, trials=50, tau=100.0, normalised=True)
    assert alone.mean == pytest.approx(1.0)
    assert simulate_attention(3, 0, trials=50, normalised=True).mean == pytest.approx(math.tanh(1) ** 3)


def test__simulate_attention__cannot_be_done__says_which_argument():
    with pytest.raises(InputError, match="trials = 1: expected a whole number of at least 2"):
        simulate_attention(2, 3, trials=1)
    with pytest.raises(InputError, match="tasks_per_batch = 0"):
        simulate_attention(2, 3, tasks_per_batch=0)
    with pytest.raises(InputError, match=r"tau = 60.0: expected tau \* similarity of at most 150"):
        simulate_attention(2, 3, p=1.0, tau=60.0)
    with pytest.raises(TooLargeError, match="lower alpha, beta or repetitions"):
        simulate_attention(30, 3)
