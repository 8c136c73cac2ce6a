"""Rows sorted into classes and back, against plain loops."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from polythetic import grouping
from polythetic.classifiers import method_named
from polythetic.grouping import group_by_class, in_order
from tests import plain


@st.composite
def labelled(draw):
    """Labels of a batch, a mask with a row in every task, and features."""
    tasks, n = draw(st.integers(1, 3)), draw(st.integers(1, 7))
    rng = np.random.default_rng(draw(plain.seeds))
    mask = rng.random((tasks, n)) < 0.7
    mask[np.arange(tasks), rng.integers(n, size=tasks)] = True
    return rng.integers(-2, 3, (tasks, n)) * 10**9, mask, rng.normal(size=(tasks, n, 2))


@given(labelled())
def test__group_by_class__any_labels_and_mask__places_every_row_in_its_class(batch):
    labels, mask, x = batch
    groups = group_by_class(torch.from_numpy(labels), torch.from_numpy(mask))
    split = groups.split(torch.from_numpy(x))
    for t in range(len(labels)):
        classes = np.unique(labels[t][mask[t]])
        assert groups.sizes[t].tolist() == [
            int(((labels[t] == k) & mask[t]).sum()) if i < len(classes) else 0
            for i, k in enumerate(np.resize(classes, groups.sizes.shape[1]))
        ]
        assert groups.labels[t, : len(classes)].tolist() == classes.tolist()
        assert (groups.labels[t, len(classes) :] == classes[-1]).all()
        for i, k in enumerate(classes):
            own = x[t][(labels[t] == k) & mask[t]]
            assert_allclose(split[t, i, : len(own)], own)
            assert (split[t, i, len(own) :] == 0).all()


@given(labelled())
def test__groups__split_then_join__gives_the_rows_back_and_zeros_for_the_others(batch):
    labels, mask, x = batch
    groups = group_by_class(torch.from_numpy(labels), torch.from_numpy(mask))
    assert_allclose(in_order([groups.split(torch.from_numpy(x))], [groups], x.shape[-2]), x * mask[..., None])


def test__group_by_class__no_mask__is_a_mask_of_all_true():
    labels = torch.tensor([[3, 1, 3, 1], [2, 2, 9, 2]])
    a, b = group_by_class(labels), group_by_class(labels, torch.ones_like(labels, dtype=torch.bool))
    for name in ("rows", "present", "places", "labels"):
        assert torch.equal(getattr(a, name), getattr(b, name))


def test__groups__classes_of_one_size__are_even_and_need_no_mask():
    even, uneven = group_by_class(torch.tensor([1, 0, 1, 0])), group_by_class(torch.tensor([1, 0, 1, 1]))
    assert even.even
    assert even.keys is None
    assert not uneven.even
    assert uneven.keys.tolist() == [[True, False, False], [True, True, True]]


def test__group_by_class__leading_dimensions__equals_a_loop():
    labels = torch.from_numpy(np.random.default_rng(1).integers(0, 2, (2, 3, 5)))
    x = torch.from_numpy(np.random.default_rng(2).normal(size=(2, 3, 5, 2)))
    groups = group_by_class(labels)
    for i, j in np.ndindex(2, 3):
        one = group_by_class(labels[i, j])
        M = one.present.shape[-1]
        assert groups.present.shape[:2] == (2, 3)
        assert_allclose(groups.split(x)[i, j][: len(one.labels), :M], one.split(x[i, j]))


def skewed_task(seed=0):
    """One class of 60 rows, twenty of two, two of five, in random order."""
    labels = torch.tensor([0] * 60 + [k for k in range(1, 21) for _ in range(2)] + [30] * 5 + [31] * 5)
    generator = torch.Generator().manual_seed(seed)
    x = torch.randn(len(labels), 4, generator=generator, dtype=torch.float64)
    order = torch.randperm(len(labels), generator=generator)
    return x, labels[order]


def test__by_size__one_large_class__places_are_few_and_every_row_has_one():
    _, labels = skewed_task()
    groups = group_by_class(labels)
    assert groups.skewed
    parts = groups.by_size()
    assert sum(part.present.numel() for part in parts) <= 2 * len(labels)
    rows = torch.cat([part.rows[part.present] for part in parts])
    assert rows.sort().values.tolist() == list(range(len(labels)))
    for part in parts:
        assert all(len(set(labels[r[p]].tolist())) == 1 for r, p in zip(part.rows, part.present, strict=True))


@pytest.mark.parametrize("name", ["PN", "MN", "NN", "FS+MN"])
@pytest.mark.parametrize("masked", [False, True])
def test__method__one_large_class__the_same_by_size_as_padded(name, masked, monkeypatch):
    x, labels = (torch.stack(parts) for parts in zip(skewed_task(0), skewed_task(1), strict=True))
    mask = torch.ones_like(labels, dtype=torch.bool)
    for task in range(2):  # leave some of the large class out
        mask[task, (labels[task] == 0).nonzero().squeeze(1)[::7]] = False
    mask = mask if masked else None
    leaf = x.clone().requires_grad_()
    by_size = method_named(name)(leaf, labels, x[:, :9], mask=mask)
    monkeypatch.setattr(grouping, "WASTE", 10**9)
    assert not group_by_class(labels, mask).skewed
    other = x.clone().requires_grad_()
    padded = method_named(name)(other, labels, x[:, :9], mask=mask)
    torch.testing.assert_close(by_size, padded)
    if by_size.requires_grad:
        for answer in (by_size, padded):
            answer.nan_to_num(neginf=0).sum().backward()
        torch.testing.assert_close(leaf.grad, other.grad)
