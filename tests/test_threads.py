"""Torch on one thread, and what is left afterwards."""

import pytest
import torch

from polythetic.explore import boolean
from polythetic.learners import stacked
from polythetic.threads import one_thread


@pytest.fixture
def three_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    yield
    torch.set_num_threads(before)


@one_thread()
def refusing():
    raise KeyError(torch.get_num_threads())


def test__one_thread__left_by_an_error__gives_back_the_threads_there_were(three_threads):
    with pytest.raises(KeyError, match="1"):
        refusing()
    assert torch.get_num_threads() == 3


@pytest.mark.parametrize("module", [boolean, stacked])
def test__one_thread__is_written_once(module):
    assert module.one_thread is one_thread
