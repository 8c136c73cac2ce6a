"""The two tables that ``polythetic classify`` is asked with, and where its answers go."""

import pytest

from tests.cli.classifying import plants, write


@pytest.fixture
def known(tmp_path):
    return write(tmp_path / "known.csv", plants(40, seed=0))


@pytest.fixture
def new(tmp_path):
    return write(tmp_path / "new.csv", plants(12, seed=1))


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out"
