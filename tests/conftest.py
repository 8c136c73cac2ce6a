"""For every test: Hypothesis without chance."""

import numpy as np
import pytest
from hypothesis import settings

settings.register_profile("polythetic", derandomize=True, deadline=None, max_examples=20)
settings.load_profile("polythetic")


@pytest.fixture
def rng():
    return np.random.default_rng(0)
