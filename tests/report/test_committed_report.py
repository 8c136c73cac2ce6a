"""The report of the committed results, read as its reader does."""

import re

import pytest

from polythetic.experiments import EXPERIMENTS
from polythetic.results import load
from tests.committed import RESULTS

HYPHEN = re.compile(r"(?<!\w)-\d")  # for a minus; 5-shot and 1e-09 have letters before it


@pytest.fixture(scope="module")
def sections():
    """Every experiment as it is laid out for people."""
    found = {name: load(RESULTS / f"{name}.json") for name in EXPERIMENTS if (RESULTS / f"{name}.json").exists()}
    return [EXPERIMENTS[name].section(result, RESULTS / "figures") for name, result in found.items()]


def test__report__negative_numbers__have_the_same_sign_everywhere(sections):
    for section in sections:
        cells = [cell for line in section.table.body for cell in line] if section.table else []
        assert not [words for words in (*section.text, *cells) if HYPHEN.search(words)]
