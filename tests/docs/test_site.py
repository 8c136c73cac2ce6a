"""The documentation builds without a warning and shows every public name; its figures are those of the results."""

import os
import re
import subprocess
import sys
from pkgutil import resolve_name

import pytest

from tests.committed import rows
from tests.docs.pages import PAGES, ROOT, text_of

SHOWN = re.compile(r"^::: (\S+)$", re.MULTILINE)  # what mkdocstrings makes a page from
PROMPT = '<span class="gp">&gt;&gt;&gt; </span>'  # as it is coloured in a block of code


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The documentation, built."""
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    return folder


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
