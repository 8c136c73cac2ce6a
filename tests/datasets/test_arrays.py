import numpy as np
import pytest
import torch

from polythetic.datasets.arrays import from_arrays
from polythetic.errors import InputError


def test__from_arrays__labels__sort_into_classes(rng):
    x = rng.normal(size=(5, 3))

    found = from_arrays(x, ["b", "a", "b", "c", "a"], source="mine")

    assert found.class_names == found.category_names == ("a", "b", "c")
    assert [members.tolist() for members in found.members] == [[1, 4], [0, 2], [3]]
    assert found.source == "mine"
    assert np.array_equal(found.examples.take(np.array([3])), x[[3]].astype(np.float32))


@pytest.mark.parametrize(
    "dtype", [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.bool]
)
def test__from_arrays__tensors__are_as_arrays(dtype):
    x = torch.tensor([[0, 1], [1, 0], [1, 1]]).to(dtype)

    found = from_arrays(x.requires_grad_() if x.is_floating_point() else x, torch.tensor([10, 9, 10]))

    assert found.class_names == ("9", "10")
    assert found.examples.take(np.arange(3)).tolist() == [[0, 1], [1, 0], [1, 1]]


def test__from_arrays__pictures__keep_their_shape(rng):
    found = from_arrays(rng.random((4, 3, 5, 6), np.float32), [0, 1, 0, 1])

    assert found.examples.shape == (3, 5, 6)


def test__from_arrays__groups__are_classes_within_labels():
    labels, groups = ["x", "y", "x", "x", "y"], [2, 1, 1, 2, 1]

    found = from_arrays(np.eye(5), labels, groups=groups)

    assert found.class_names == ("x/1", "x/2", "y/1")
    assert found.category_names == ("x", "y")
    assert found.categories.tolist() == [0, 0, 1]
    assert [members.tolist() for members in found.members] == [[2], [0, 3], [1, 4]]


def test__from_arrays__names_with_slashes__stay_apart():
    found = from_arrays(np.eye(2), ["a/b", "a"], groups=["c", "b/c"])

    assert found.classes == 2


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test__from_arrays__not_finite__is_refused_by_row_and_column(bad):
    x = np.zeros((4, 3))
    x[2, 1] = bad

    with pytest.raises(InputError, match=f"x = {bad} in row 2, column 1 .from 0.: expected finite"):
        from_arrays(x, [0, 0, 1, 1])


def test__from_arrays__too_large_for_single_precision__is_refused():
    with pytest.raises(
        InputError, match=r"x = 1e\+200 in row 1, column 0 .from 0.: expected numbers that single precision"
    ):
        from_arrays(np.array([[0.0], [1e200]]), [0, 1])


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (np.zeros(4), r"an array of shape \(4,\)"),
        (np.zeros((0, 3)), "at least one row"),
        (np.zeros((4, 0)), "at least one feature"),
        (np.array([["a"]] * 4), "an array of <U1: expected numbers"),
        (np.zeros((4, 1), complex), "expected numbers"),
        ([[1, 2], [3]], "rows that are all alike"),
    ],
)
def test__from_arrays__not_examples__is_refused(x, said):
    with pytest.raises(InputError, match=said):
        from_arrays(x, [0, 0, 1, 1])


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([0, 1], "one for each of the 3 examples"),
        ([[0], [1], [0]], "one for each"),
        (["a", None, "b"], "none in row 1"),
        ([0.0, 1.0, np.nan], "none in row 2"),
    ],
)
def test__from_arrays__not_labels__are_refused(labels, said):
    with pytest.raises(InputError, match=f"labels = .*{said}"):
        from_arrays(np.eye(3), labels)
    with pytest.raises(InputError, match=f"groups = .*{said}"):
        from_arrays(np.eye(3), [0, 0, 1], groups=labels)


def test__collection__shown__is_one_short_line():
    found = from_arrays(np.zeros((3000, 2)), np.arange(3000), source="mine")
    assert repr(found) == "<Collection 'mine': 3,000 examples, 3,000 classes, 3,000 categories>"
