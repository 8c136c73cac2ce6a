"""What pages speak of is there: names in Python, commands and options, targets of make, extras, files, links."""

import re
import tomllib
from importlib.util import find_spec
from pkgutil import resolve_name

import pytest

from tests.docs.commands import options_are_there
from tests.docs.pages import PAGES, ROOT, in_backticks, text_of

LINKING = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"]  # those of docs/ are checked by mkdocs
PLACEHOLDER = "polythetic COMMAND"


@pytest.mark.parametrize("page", PAGES)
def test__page__names_in_python__resolve(page):
    for name in sorted(set(re.findall(r"\bpolythetic(?:\.\w+)+", text_of(page)))):
        assert resolve_name(name) is not None


@pytest.mark.parametrize("page", PAGES)
def test__page__commands_in_prose__are_there(page):
    for line in in_backticks(page, "polythetic "):
        if not line.startswith(PLACEHOLDER):
            options_are_there(line)
    for line in in_backticks(page, "python -m "):
        assert find_spec(line.split()[2]) is not None


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "SECURITY.md"])
def test__page__targets_and_extras__are_there(page):
    targets = set(re.findall(r"^([a-z-]+):", text_of("Makefile"), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z-]+)", text_of(page), re.MULTILINE)) <= targets
    extras = tomllib.loads(text_of("pyproject.toml"))["project"]["optional-dependencies"]
    assert set(re.findall(r"polythetic\[(\w+)\]", text_of(page))) <= set(extras)


@pytest.mark.parametrize("page", LINKING)
def test__page__relative_links__lead_to_files_and_headings(page):
    for link in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if not link.startswith(("http:", "https:")):
            path, _, heading = link.partition("#")
            assert (ROOT / path).exists(), link
            assert not heading or heading in anchors(path or page), link


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test__contributing__where_things_are__names_what_is_there():
    places = text_of("CONTRIBUTING.md").split("## Where things are")[1]
    for name in re.findall(r"`([\w]+(?:\.py|/))`", places):
        assert any((folder / name).exists() for folder in (ROOT, ROOT / "src/polythetic", *ROOT.glob("src/*/datasets")))
