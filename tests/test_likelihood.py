"""The likelihood against a loop over rows, and its gradient against automatic differentiation."""

import math

import pytest
import torch
from torch.testing import assert_close

from polythetic import likelihood
from polythetic.likelihood import DOUBT, Rows, Slope, log_likelihood


def made_up(seed, tasks=2, n=9, F=4, classes=3):
    chance = torch.Generator().manual_seed(seed)
    z = torch.randn(tasks, n, F, generator=chance, dtype=torch.float64)
    labels = torch.randint(classes, (tasks, n), generator=chance)
    w = torch.rand(tasks, 5, F, generator=chance, dtype=torch.float64)
    return z, labels, w


def by_hand(z, labels, w, present):
    """One task and one set of scales, row by row."""
    found = []
    for i in present:
        attention = {j: math.exp(-sum((w * (z[i] - z[j])) ** 2)) for j in present if j != i}
        own = [attention[j] for j in attention if labels[j] == labels[i]]
        if own:
            p, blind = sum(own) / sum(attention.values()), len(own) / len(attention)
            found.append(math.log((1 - DOUBT) * p + DOUBT * blind))
    return sum(found) / len(found)


@pytest.mark.parametrize("seed", range(3))
def test__log_likelihood__rows_and_padding__is_that_of_a_loop(seed):
    z, labels, w = made_up(seed)
    mask = torch.ones_like(labels, dtype=torch.bool)
    mask[1, -2:] = False
    found = log_likelihood(Rows.of(z, labels, mask), w)
    for task, present in enumerate((range(9), range(7))):
        expected = [by_hand(z[task].numpy(), labels[task], scales, present) for scales in w[task].numpy()]
        assert_close(found[task], torch.tensor(expected, dtype=torch.float64))


@pytest.mark.parametrize("many", [False, True])
def test__log_likelihood__stretches__is_that_of_scales_so_many_times_as_great(many, monkeypatch):
    z, labels, w = made_up(0)
    rows, stretches = Rows.of(z, labels), [0.5, 1.4, 3]
    expected = log_likelihood(rows, torch.cat([stretch * w for stretch in stretches], 1))
    if many:
        monkeypatch.setattr(likelihood, "MANY_ROWS", 8)
    assert_close(log_likelihood(rows, w, stretches), expected)


def test__rows__at_random__is_the_likelihood_of_scales_that_are_all_zero():
    z, labels, w = made_up(0)
    rows = Rows.of(z, labels)
    assert_close(rows.at_random, log_likelihood(rows, torch.zeros_like(w[:, :1]))[:, 0])


def test__rows__a_class_of_one__is_seen_and_not_asked():
    z, _, w = made_up(0, tasks=1, n=5)
    rows = Rows.of(z, torch.tensor([[0, 0, 1, 1, 2]]))
    assert rows.asked.tolist() == [4]
    assert rows.asks[0, 0].tolist() == [0.25] * 4 + [0]
    without = Rows.of(z[:, :4], torch.tensor([[0, 0, 1, 1]]))
    assert (log_likelihood(rows, w) < log_likelihood(without, w)).all()  # it takes some of the attention


@pytest.mark.parametrize("masked", [False, True])
def test__slope__any_rows__is_what_automatic_differentiation_gives(masked):
    z, labels, w = made_up(1)
    mask = torch.rand(labels.shape, generator=torch.Generator().manual_seed(2)) < 0.8 if masked else None
    rows, w = Rows.of(z, labels, mask), w.requires_grad_()
    expected = log_likelihood(rows, w)
    (gradient,) = torch.autograd.grad(expected.sum(), w)
    slope = Slope()
    for _ in range(2):  # the second time in the memory of the first
        found = slope(rows, w.detach())
        assert_close(found, (expected.detach(), gradient))


@pytest.mark.parametrize("many_rows", [1, 512])
def test__slope__some_of_the_rows_asked__is_the_part_that_they_have_in_the_whole(monkeypatch, many_rows):
    monkeypatch.setattr("polythetic.likelihood.MANY_ROWS", many_rows)
    z, labels, w = made_up(5)
    mask = torch.rand(labels.shape, generator=torch.Generator().manual_seed(2)) < 0.9
    asked, whole = Rows.of(z, labels, mask, first=4), Rows.of(z, labels, mask)
    alone = whole.asks * (torch.arange(9) < 4)
    part = whole._replace(asks=alone / alone.sum(-1, keepdim=True))
    assert_close(Slope()(asked, w), Slope()(part, w))
    assert_close(log_likelihood(asked, w), log_likelihood(part, w))


def test__slope__many_rows__is_the_same_without_the_features_of_no_scale(monkeypatch):
    z, labels, w = made_up(4)
    mask = torch.rand(labels.shape, generator=torch.Generator().manual_seed(2)) < 0.8
    w[0, 0, 1:3] = w[1, 2] = 0
    rows, w = Rows.of(z, labels, mask), w.requires_grad_()
    expected = log_likelihood(rows, w)
    (gradient,) = torch.autograd.grad(expected.sum(), w)
    monkeypatch.setattr("polythetic.likelihood.MANY_ROWS", 1)
    assert_close(Slope()(rows, w.detach()), (expected.detach(), gradient))


def test__slope__fewer_rows_after_more__is_not_confused_by_the_memory_it_keeps():
    slope = Slope()
    for n in (9, 5, 9):
        z, labels, w = made_up(3, n=n, classes=2)
        rows = Rows.of(z, labels)
        assert_close(slope(rows, w)[0], log_likelihood(rows, w))


def test__slope__a_row_far_from_its_class__has_a_finite_value_and_no_slope():
    z = torch.tensor([[[0.0], [0.1], [300.0], [300.1]]])
    value, gradient = Slope()(Rows.of(z, torch.tensor([[0, 1, 0, 1]])), torch.ones(1, 1, 1))
    assert value.item() == pytest.approx(math.log(DOUBT / 3), rel=1e-6)  # what is left is the share of its class
    assert gradient.tolist() == [[[0.0]]]
