"""The sixteen functions of two variables against Python's own operators, and XOR of any number."""

import itertools

import numpy as np
import pytest

from polythetic.episodes import TWO_VARIABLE_FUNCTIONS, evaluate_function, sign_vectors
from polythetic.errors import InputError

MEANING = {
    "false": lambda x, y: False,
    "and": lambda x, y: x and y,
    "x and not y": lambda x, y: x and not y,
    "x": lambda x, y: x,
    "not x and y": lambda x, y: not x and y,
    "y": lambda x, y: y,
    "xor": lambda x, y: x != y,
    "or": lambda x, y: x or y,
    "nor": lambda x, y: not (x or y),
    "xnor": lambda x, y: x == y,
    "not y": lambda x, y: not y,
    "x or not y": lambda x, y: x or not y,
    "not x": lambda x, y: not x,
    "not x or y": lambda x, y: not x or y,
    "nand": lambda x, y: not (x and y),
    "true": lambda x, y: True,
}


def test__functions__sixteen__each_once():
    assert TWO_VARIABLE_FUNCTIONS.keys() == MEANING.keys()
    assert set(TWO_VARIABLE_FUNCTIONS.values()) == set(itertools.product((-1, 1), repeat=4))


@pytest.mark.parametrize("name", TWO_VARIABLE_FUNCTIONS)
def test__evaluate_function__two_variables__means_what_its_name_says(name):
    expected = [2 * MEANING[name](x > 0, y > 0) - 1 for x, y in sign_vectors(2).tolist()]
    assert evaluate_function(name, sign_vectors(2)).tolist() == expected


@pytest.mark.parametrize("alpha", [1, 2, 3, 4, 7])
def test__evaluate_function__xor__true_where_an_odd_number_is(alpha):
    x = sign_vectors(alpha)
    assert evaluate_function("xor", x).tolist() == [1 if sum(v > 0 for v in row) % 2 else -1 for row in x.tolist()]


@pytest.mark.parametrize("alpha", [1, 2, 5])
def test__sign_vectors__any_number__lists_every_one_once_in_order(alpha):
    assert [tuple(row) for row in sign_vectors(alpha).tolist()] == list(itertools.product((-1, 1), repeat=alpha))


def test__evaluate_function__unknown_name__says_which_there_are():
    with pytest.raises(InputError, match=r"function = 'majority': expected one of false, and, .*true"):
        evaluate_function("majority", sign_vectors(2))


def test__evaluate_function__other_than_xor_of_three__says_that_it_takes_two():
    with pytest.raises(InputError, match=r"alpha = 3: expected 2, .*only xor takes others"):
        evaluate_function("and", sign_vectors(3))


def test__evaluate_function__leading_dimensions__are_kept():
    x = np.stack([sign_vectors(2)] * 3)
    assert evaluate_function("nor", x).shape == (3, 4)
