import os

import pytest

from tests.explore.asking import exploring
from tests.explore.browser import CHROMIUM, chromium


@pytest.fixture(scope="module")
def asker():
    with exploring() as asker:
        yield asker


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    if CHROMIUM is None:
        why = "no Chromium on this machine: the pages are not seen in a browser"
        if os.environ.get("POLYTHETIC_BROWSER") == "required":  # where a skip would hide that nobody looks
            pytest.fail(why)
        pytest.skip(why)
    with chromium(tmp_path_factory.mktemp("profile")) as tab:
        yield tab


@pytest.fixture
def tab(browser):
    browser.problems.clear()
    browser.look(1200)
    yield browser
    assert not browser.problems
