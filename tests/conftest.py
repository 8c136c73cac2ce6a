"""For every test: Hypothesis without chance; and Ctrl-C counts, also in tests that a script put in the background."""

import signal

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("polythetic", derandomize=True, deadline=None, max_examples=20)
settings.load_profile("polythetic")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # which the commands that are tested would inherit
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def rng():
    return np.random.default_rng(0)
