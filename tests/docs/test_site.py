"""The documentation builds without a warning and shows every public name; its figures are those of the results."""

import os
import re
import subprocess
import sys
from pkgutil import resolve_name

from tests.committed import rows
from tests.docs.pages import PAGES, ROOT, text_of

SHOWN = re.compile(r"^::: (\S+)$", re.MULTILINE)  # what mkdocstrings makes a page from


def test__documentation__built__has_no_warning_and_shows_every_page_and_public_name(tmp_path):
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    for page in PAGES[1:]:
        name = page.removeprefix("docs/").removesuffix(".md").removesuffix("index")
        html = (tmp_path / name / "index.html").read_text(encoding="utf-8")
        shown = {name.rpartition(".")[2] for name in re.findall(r'id="(polythetic\.[\w.]+)"', html)}
        for module in SHOWN.findall(text_of(page)):
            assert public(resolve_name(module)) <= shown, f"{page}: {module}"


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
