"""Every block of code in the README and the documentation runs, and prints what stands beside it."""

import re
import sys

import pytest

from tests.docs.commands import parse
from tests.docs.pages import PAGES, blocks, prose
from tests.docs.running import NOT_RUN, SLOW, of_kind, run_page

WITH_CODE = [page for page in PAGES if blocks(page)]
LINES = {page: [line for block in blocks(page) for line in block.commands] for page in WITH_CODE}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A working directory, and what is imported from it forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for file in tmp_path.glob("*.py"):
        sys.modules.pop(file.stem, None)


@pytest.mark.parametrize("page", WITH_CODE)
def test__page__its_blocks__run_and_print_what_is_quoted(page, folder):
    run_page(page, folder)


@pytest.mark.slow
@pytest.mark.parametrize("page", [page for page, lines in LINES.items() if any(of_kind(line, SLOW) for line in lines)])
def test__page__its_slow_lines__run(page, folder):
    run_page(page, folder, slow=True)


@pytest.mark.parametrize("page", PAGES)
def test__page__blocks__are_fenced_and_of_a_kind_that_is_run(page):
    assert {block.language for block in blocks(page)} <= {"python", "sh", "text"}
    assert not re.findall(r"^(?: {4}|\t).*", prose(page), re.MULTILINE), "a block that is indented is not run"
    assert "```" not in prose(page)


@pytest.mark.parametrize(
    "line", sorted({line for lines in LINES.values() for line in lines if line.startswith("poly")})
)
def test__line_of_polythetic__run_or_not__is_parsed(line):
    parse(line)


def test__lines_that_are_not_run__are_all_on_a_page():
    lines = [line for each in LINES.values() for line in each]
    assert all(any(re.fullmatch(kind, line) for line in lines) for kind in [*NOT_RUN, *SLOW])
