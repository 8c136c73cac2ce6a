"""Who spoke for an answer."""

import numpy as np
import pytest

from polythetic.answers.answering import DECIDERS, _speakers
from polythetic.estimators import Explanation


class Asked(np.ndarray):
    """Labels that count how often one of them is looked at."""

    looks = 0

    def __getitem__(self, place):
        self.looks += 1
        return super().__getitem__(place)


def explanation(said):
    return Explanation(
        np.zeros(1), np.zeros((1, 2)), np.array([said]), (np.arange(len(said)) % 2).view(Asked), (), np.zeros(0)
    )


@pytest.mark.parametrize("kind", ["any", "ties", "against", "few"])
def test__speakers__are_the_first_of_all_that_spoke_for_it_in_order(kind, rng):
    said = {
        "any": rng.normal(size=50),
        "ties": rng.integers(-2, 3, size=50).astype(float),
        "against": -rng.random(50),
        "few": np.array([-0.5, 0.2, 0.3]),
    }[kind]
    why = explanation(said)
    in_order = [row for row in why.rows(0, most=len(said)) if row.share > 0]
    assert _speakers(why, 0) == in_order[:DECIDERS]


def test__speakers__of_thousands__only_those_that_are_named_are_looked_at(rng):
    why = explanation(rng.normal(size=10_000))
    assert len(_speakers(why, 0)) == why.support_labels.looks == DECIDERS
