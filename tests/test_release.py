"""A release says one version everywhere, and pyproject.toml names nothing that is not there."""

import re
import tomllib
from importlib import import_module
from itertools import chain
from pathlib import Path
from runpy import run_path

import pytest

from polythetic import __version__

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUILD = PYPROJECT["tool"]["hatch"]["build"]["targets"]
lowest = run_path(str(ROOT / "tools" / "minimum.py"))["lowest"]
differences = run_path(str(ROOT / "tools" / "smoke.py"))["differences"]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test__version__changelog_and_citation__agree():
    assert "version" in PYPROJECT["project"]["dynamic"]
    entries = dict(re.findall(r"^## \[(.*)\] - (\d{4}-\d\d-\d\d)$", text("CHANGELOG.md"), re.MULTILINE))
    assert __version__ in entries, "CHANGELOG.md has no entry for it"
    citation = dict(re.findall(r"^(version|date-released): (.*)$", text("CITATION.cff"), re.MULTILINE))
    assert citation == {"version": __version__, "date-released": entries[__version__]}


def test__version__pages__do_not_repeat_it():
    for page in (ROOT / "README.md", ROOT / "mkdocs.yml", *(ROOT / "docs").rglob("*.md")):
        assert __version__ not in page.read_text(encoding="utf-8"), page


def test__files__named_by_pyproject__are_there():
    project = PYPROJECT["project"]
    named = [project["readme"], *project["license-files"], PYPROJECT["tool"]["hatch"]["version"]["path"]]
    for name in [*named, *BUILD["wheel"]["packages"], *BUILD["sdist"]["include"]]:
        assert (ROOT / name).exists(), name
    module, _, function = project["scripts"]["polythetic"].partition(":")
    assert callable(getattr(import_module(module), function))
    assert (ROOT / "src" / "polythetic" / "py.typed").exists()  # "Typing :: Typed"


def test__sdist__pages_and_settings__has_them_all():
    kept = {path.name for path in ROOT.iterdir() if path.suffix in {".md", ".cff", ".yml", ".txt", ".py"}}
    assert kept - set(BUILD["sdist"]["include"]) == set()


def test__lowest__of_every_requirement__is_its_bound():
    project = PYPROJECT["project"]
    extras = [needed for name, needed in project["optional-dependencies"].items() if name != "dev"]
    expected = [*project["dependencies"], *chain.from_iterable(extras)]
    assert [pin.replace("==", ">=") for pin in lowest()] == [each.partition(",")[0] for each in expected]


def test__lowest__no_bound__says_which(tmp_path):
    given = tmp_path / "pyproject.toml"
    given.write_text('[project]\ndependencies = ["numpy>=1.26", "scipy"]\n[project.optional-dependencies]\n')
    with pytest.raises(SystemExit, match="scipy: expected a lower bound"):
        list(lowest(given))


def test__differences__of_an_archive__says_what_is_missing_and_what_is_too_much():
    assert differences("it", {"a", "b"}, {"b", "c"}) == ["it lacks c", "it has a, which does not belong there"]
