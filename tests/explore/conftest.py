import pytest

from tests.explore.asking import exploring


@pytest.fixture(scope="module")
def asker():
    with exploring() as asker:
        yield asker
