"""The documentation builds without a warning and shows every public name; its figures are those of the results."""

import json
import os
import re
import subprocess
import sys
from pkgutil import resolve_name

import pytest

from tests.committed import rows
from tests.docs.pages import PAGES, ROOT, text_of

SHOWN = re.compile(r"^::: (\S+)$", re.MULTILINE)  # what mkdocstrings makes a page from
AS_MAKE_DOES = re.search(r"mkdocs (build.*?) >", text_of("Makefile"))[1]
PROMPT = '<span class="gp">&gt;&gt;&gt; </span>'  # as it is coloured in a block of code


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The documentation, built without a warning."""
    folder = tmp_path_factory.mktemp("site")
    built = build("--site-dir", str(folder))
    assert built.returncode == 0, built.stderr
    return folder


def build(*options):
    """Build what `make docs` does, and as it does."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *AS_MAKE_DOES.split(), *options],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )


def test__documentation__something_wrong__is_a_warning_and_fails(tmp_path):
    said_of = {
        "[a page](gone.md)": "'gone.md', but the target is not found",
        "[a heading](#gone)": "there is no such anchor on this page",
        "[a place](/gone/)": "absolute link '/gone/'",
        "[a folder](gone/)": "unrecognized relative link 'gone/'",
    }
    pages = tmp_path / "docs"
    pages.mkdir()
    (pages / "index.md").write_text("\n\n".join(["# Pages", *said_of]), encoding="utf-8")
    (pages / "other.md").write_text("# A page that is not in the nav\n", encoding="utf-8")
    ours = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "docs_dir": str(pages),
        "nav": ["index.md"],
        "plugins": [],
        "hooks": [],
    }
    (tmp_path / "mkdocs.yml").write_text(json.dumps(ours), encoding="utf-8")
    built = build("--config-file", str(tmp_path / "mkdocs.yml"), "--site-dir", str(tmp_path / "site"))
    assert built.returncode != 0
    warnings = re.findall("^WARNING .*", built.stderr, re.MULTILINE)
    for said in [*said_of.values(), 'not included in the "nav"']:
        assert sum(said in warning for warning in warnings) == 1, said


def test__documentation__built__shows_every_page_and_public_name(site):
    for page in PAGES[1:]:
        name = page.removeprefix("docs/").removesuffix(".md").removesuffix("index")
        html = (site / name / "index.html").read_text(encoding="utf-8")
        shown = {name.rpartition(".")[2] for name in re.findall(r'id="(polythetic\.[\w.]+)"', html)}
        for module in SHOWN.findall(text_of(page)):
            assert public(resolve_name(module)) <= shown, f"{page}: {module}"


def test__reference__examples_of_docstrings__are_code_and_no_quotations(site):
    html = "".join(page.read_text(encoding="utf-8") for page in (site / "reference").rglob("*.html"))
    assert "<blockquote" not in html
    assert html.count("&gt;&gt;&gt;") == html.count(PROMPT) > 200


def public(module):
    """The functions and classes that a module offers."""
    return {name for name in getattr(module, "__all__", []) if callable(getattr(module, name))}


def test__encoder_page__what_was_learned__equals_the_result_file():
    text = re.search(r"<!-- learning -->(.*?)<!-- /learning -->", text_of("docs/how-to/encoder.md"), re.DOTALL)[1]
    at = {e["setting"]["tasks"]: e for e in rows("benchmarks/learning") if e["cell"] == "mnist-colourless-fs-mn"}
    figures = [float(figure) for figure in re.findall(r"\d+\.\d", text)]
    kinds = ("monothetic", "polythetic")
    assert figures == [round(at[k]["mean"], 1) for k in kinds] + [at[k]["paper"] for k in kinds]
    assert all(at[k]["train_tasks"] == 1000 for k in kinds)
