"""Learners on pictures so narrow that a whole experiment is a matter of seconds."""

import pytest

from polythetic.encoders import Conv4
from polythetic.jobs import Store
from polythetic.results import Result
from tests.experiments.tiny import TINY


def narrow_encoder(example_shape, *, statistics, **_):
    channels, *size = example_shape
    return Conv4(channels, size=tuple(size), width=4, embedding=8, statistics=statistics)


def ran_narrowly(experiment, folder):
    """Run an experiment from end to end at the tiny budget, all as it is but for the width of encoders."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("polythetic.runs.encoder_for", narrow_encoder)
        rows = experiment.run(TINY, store=Store(folder / "cells"), folder=folder)
    return Result(experiment.name, "quick", "polythetic reproduce", 0, rows)
