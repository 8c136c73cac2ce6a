"""Voters: leaving one out is what it says, and the mixture is what it should be."""

import numpy as np
import pytest

from polythetic.estimators import settling
from polythetic.estimators.settling import mixed, settle
from polythetic.estimators.voters import (
    DOUBT,
    Voter,
    affinity,
    answer,
    contributions,
    probabilities,
    squared_distances,
)

RNG = np.random.default_rng(0)
Z = RNG.normal(size=(30, 4))
CODES = (Z[:, 0] + 0.3 * RNG.normal(size=30) > 0).astype(np.int64) + (Z[:, 1] > 1)
VIEWS = {"flat": np.ones(4), "first": np.array([1.0, 0.2, 0.0, 0.0])}


def foreseen_by_hand(voter: Voter, left: int) -> np.ndarray:
    """What a voter says of a row when it is really left out; the penalty is found from its coefficients."""
    others = np.arange(len(Z)) != left
    rows, query = Z[others] * voter.scales, Z[left : left + 1] * voter.scales
    Y = np.eye(3)[CODES] - 1 / 3
    if voter.form == "attention":
        votes = affinity("attention", query, rows, voter.width) @ Y[others]
    else:
        K = affinity(voter.form, Z * voter.scales, Z * voter.scales, voter.width)
        penalty = np.mean((Y - K @ voter.coefficients) / voter.coefficients)  # (K + λ) B = Y
        B = np.linalg.solve(K[np.ix_(others, others)] + penalty * np.eye(len(rows)), Y[others])
        votes = affinity(voter.form, query, rows, voter.width) @ B
    return probabilities(voter.form, votes, voter.steepness)[0]


@pytest.mark.parametrize("most", [800, 20])
def test__settle__what_is_foreseen__is_what_leaving_out_gives(monkeypatch, most):
    monkeypatch.setattr(settling, "MOST_WIDTH_ROWS", most)
    panel = settle(Z, CODES, VIEWS)
    assert [voter.form for voter in panel.voters] == ["attention", "kernel", "linear"] * 2
    for left in (0, 7, 29):
        expected = sum(voter.weight * foreseen_by_hand(voter, left) for voter in panel.voters)
        np.testing.assert_allclose(panel.foreseen[left], expected, rtol=1e-6)


def test__settle__many_rows__kernels_of_all_of_them_are_solved_once_a_view(monkeypatch):
    solved = []
    plainly = settling._spectrum

    def counted(form, x, width):
        solved.append((form, len(x)))
        return plainly(form, x, width)

    monkeypatch.setattr(settling, "_spectrum", counted)
    monkeypatch.setattr(settling, "MOST_WIDTH_ROWS", 60)
    x = RNG.normal(size=(240, 2)) + 4 * (np.arange(240) % 2)[:, None]  # classes take turns, and are easily told apart
    panel = settle(x, np.arange(240) % 2, {"flat": np.ones(2), "first": np.array([1.0, 0.3])})
    assert solved.count(("kernel", 240)) == 2
    assert solved.count(("kernel", 60)) == 2 * len(settling.KERNEL_WIDTHS)
    assert (panel.foreseen.argmax(1) == np.arange(240) % 2).mean() > 0.95


def test__settle__views_alike__are_tried_once():
    panel = settle(Z, CODES, {"a": np.ones(4), "b": 3 * np.ones(4)})
    assert len(panel.voters) == 3


def test__settle__a_pattern__is_left_to_the_view_that_sees_it():
    x = RNG.choice([-1.0, 1.0], (60, 12))
    y = (x[:, 0] * x[:, 1] > 0).astype(np.int64)
    seeing = np.array([1.0, 1.0, *([0.0] * 10)])
    voters = settle(x, y, {"seeing": seeing, "flat": np.ones(12)}).voters
    weight = sum(voter.weight for voter in voters if voter.scales[-1] == 0 and voter.form != "linear")
    assert weight > 0.8  # all six begin with a row's worth of trust each


def test__answer__is_the_mixture_of_what_each_voter_says():
    voters = settle(Z, CODES, VIEWS).voters
    query = RNG.normal(size=(5, 4))
    found = answer(voters, Z, query)
    np.testing.assert_allclose(found.sum(1), 1)
    by_hand = 0
    for voter in voters:
        G = affinity(voter.form, query * voter.scales, Z * voter.scales, voter.width)
        by_hand = by_hand + voter.weight * probabilities(voter.form, G @ voter.coefficients, voter.steepness)
    np.testing.assert_allclose(found, by_hand, rtol=1e-12)
    assert found.min() >= DOUBT / 3 - 1e-12


def test__contributions__add_up_to_one_and_each_voter_says_as_much_as_it_is_trusted():
    voters = settle(Z, CODES, VIEWS).voters
    query, classes = RNG.normal(size=(6, 4)), np.array([0, 1, 2, 0, 1, 2])
    shares = contributions(voters, Z, query, classes)
    np.testing.assert_allclose(np.abs(shares).sum(1), 1)
    alone = sum(voter.weight * contributions([voter], Z, query, classes) for voter in voters)
    np.testing.assert_allclose(shares, alone / np.abs(alone).sum(1, keepdims=True))


def test__contributions__of_rows_far_from_the_query__are_nothing():
    z = np.array([[0.0], [0.1], [5.0], [5.1]])
    voter = Voter("kernel", np.ones(1), 10.0, np.array([[1.0, -1], [1, -1], [-1, 1], [-1, 1]]), 1.0)
    np.testing.assert_allclose(contributions([voter], z, np.array([[0.05]]), np.array([0]))[0], [0.5, 0.5, 0, 0])


@pytest.mark.parametrize("rows", [3, 40])
def test__mixed__weights_are_shares(rows):
    foreseen = [RNG.dirichlet(np.ones(2), rows) for _ in range(4)]
    weights = mixed(foreseen, RNG.integers(0, 2, rows))
    assert weights.min() > 0
    np.testing.assert_allclose(weights.sum(), 1)


def test__squared_distances__far_from_zero__are_not_negative():
    x = 1e6 + RNG.normal(size=(5, 3))
    assert (squared_distances(x, x) >= 0).all()
