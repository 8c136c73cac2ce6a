"""Methods on answers: what was chosen on validation digits, and the authors' left as they are."""

import pytest
import torch

from polythetic.errors import InputError
from polythetic.learners.answers import ATTENTION_SHARPNESS, EPS, head_on_answers
from polythetic.learners.heads import head_named


def test__head__ours__has_the_chosen_settings():
    assert head_on_answers("MN").classifier.sharpness == ATTENTION_SHARPNESS
    assert head_on_answers("FS+MN", repeats=0).selection.scorer.repeats == 0
    assert head_on_answers("PN") == head_named("PN")


@pytest.mark.parametrize("name", ["PN", "MN", "FS+MN"])
def test__head__authors__is_theirs_on_digits(name):
    assert head_on_answers(name, "authors") == head_named(name, "authors")


def test__head__unknown_variant__is_refused():
    with pytest.raises(InputError, match="variant = 'theirs': expected one of ours, authors"):
        head_on_answers("MN", "theirs")


def test__eps__keeps_answers_that_nobody_gives_from_counting(rng):
    bits = torch.from_numpy(rng.integers(0, 2, (60, 2))).float()
    labels = (bits[:, 0] != bits[:, 1]).long()
    never_said = 1e-3 * torch.from_numpy(rng.random((60, 40))).float()
    answers = torch.cat([bits, never_said], 1)
    right = head_on_answers("FS+MN").predict(answers[:40], labels[:40], answers[40:]) == labels[40:]
    assert EPS > 0.1
    assert right.all()
