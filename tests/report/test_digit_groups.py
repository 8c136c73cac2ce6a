import re

import numpy as np
import pytest

from polythetic.datasets.mnist import mnist
from polythetic.episodes.digits import VERSIONS, DigitTasks
from polythetic.report.digit_groups import groups_of

QUADRANTS = ["top-left", "top-right", "bottom-left", "bottom-right"]
COLOURS = ["red", "green", "blue"]
TASKS = 20


@pytest.fixture(scope="module", params=VERSIONS)
def episode(request):
    digits = mnist("evaluation", source="embedded")
    return DigitTasks(digits, request.param, polythetic=0.5).batch(seed=5, start=0, stop=TASKS)


def read(words):
    """What words say of a picture's eight traits."""
    said = {}
    for phrase in words.split(", "):
        colour, digit, quadrant = re.fullmatch(r"(?:(red|green|blue) ?)?(\d)? ?(\S+-\S+)", phrase).groups()
        place = QUADRANTS.index(quadrant)
        if digit is not None:
            said[place] = int(digit)
        if colour is not None:
            said[place + 4] = COLOURS.index(colour)
    return said


@pytest.mark.parametrize("side", ["support", "query"])
def test__words__every_group__say_the_traits_of_all_its_rows_and_of_no_other_attribute(episode, side):
    for task in range(TASKS):
        traits = episode.attributes[f"{side}_traits"][task].numpy()
        active = episode.attributes["active"][task].numpy()
        for group in groups_of(episode, side, task):
            said = read(group.words)
            assert set(said) == set(active[active >= 0])
            for attribute, value in said.items():
                assert (traits[group.rows, attribute] == value).all()


@pytest.mark.parametrize("side", ["support", "query"])
def test__groups__of_a_task__hold_every_row_once_under_its_label(episode, side):
    labels = getattr(episode, f"{side}_labels").numpy()
    for task in range(TASKS):
        groups = groups_of(episode, side, task)
        assert [(group.label, group.number) for group in groups] == [(0, 0), (0, 1), (1, 0), (1, 1)]
        assert sorted(np.concatenate([group.rows for group in groups])) == list(range(labels.shape[1]))
        for group in groups:
            assert (labels[task, group.rows] == group.label).all()


def test__groups__padded_task__leave_the_padding_out():
    suite = DigitTasks(mnist("evaluation", source="embedded"), "full", ways=(2, 3), shots=(1, 4), queries=1)
    episode = suite.batch(seed=0, start=0, stop=TASKS)
    for task in range(TASKS):
        rows = np.concatenate([group.rows for group in groups_of(episode, task=task)])
        assert sorted(rows) == np.flatnonzero(episode.support_mask[task].numpy()).tolist()


def test__groups__of_no_known_side__are_refused(episode):
    with pytest.raises(ValueError, match="side"):
        groups_of(episode, "queries")
