import numpy as np
import pytest

from polythetic.datasets.collection import Pixels
from polythetic.datasets.turned import Turned
from polythetic.errors import InputError


def test__take__quarter_turns__are_those_of_rot90(rng):
    array = rng.integers(0, 256, (5, 2, 6, 6), np.uint8)
    turned = Turned(array)

    assert len(turned) == 20
    assert turned.shape == (2, 6, 6)
    for number in range(20):
        expected = np.rot90(array[number % 5], number // 5, axes=(1, 2)) / np.float32(255)
        assert np.array_equal(turned.take(np.array([number]))[0], expected)


def test__take__many_numbers_of_any_shape__are_as_one_by_one(rng):
    turned = Turned(rng.integers(0, 256, (5, 1, 4, 4), np.uint8))
    numbers = rng.integers(0, 20, (3, 7))

    taken = turned.take(numbers)

    assert taken.dtype == np.float32
    assert np.array_equal(taken.reshape(21, 1, 4, 4), np.concatenate([turned.take(n[None]) for n in numbers.ravel()]))


def test__take__upright__is_as_pixels(rng):
    array = rng.integers(0, 256, (5, 1, 4, 4), np.uint8)

    assert np.array_equal(Turned(array).take(np.arange(5)), Pixels(array).take(np.arange(5)))


@pytest.mark.parametrize("number", [-1, 20])
def test__take__number_out_of_range__is_refused(number):
    with pytest.raises(IndexError):
        Turned(np.zeros((5, 1, 4, 4), np.uint8)).take(np.array([number]))


def test__turned__not_square__is_refused():
    with pytest.raises(InputError, match="side, side"):
        Turned(np.zeros((5, 1, 4, 3), np.uint8))
