"""The README's code runs and says what it says; its numbers are those of the result files."""

import os
import re
import subprocess
import sys
from pathlib import Path
from runpy import run_path

import pytest

from polythetic.results import Result, row, save
from tests.committed import rows

ROOT = Path(__file__).parents[1]
PAGES = sorted(
    str(page.relative_to(ROOT))
    for page in (ROOT / "docs").rglob("*.md")
    if "```python" in page.read_text(encoding="utf-8")
)
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", ["README.md", *PAGES])
def test__page__code__prints_what_its_comments_say(page, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code = "\n".join(re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL))
    exec(compile(code, page, "exec"), {})
    expected = re.findall(r"print\(.*\) +# (.*)", code)
    assert capsys.readouterr().out.splitlines() == expected


def test__readme__tables__are_those_of_the_results():
    checked = subprocess.run(
        [sys.executable, ROOT / "tools" / "readme_table.py", "--check"], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stderr


def test__readme_table__of_a_stand_in__says_so_and_leaves_out_columns_that_were_not_run(tmp_path):
    rows = [
        row(method, {"C": 2, "G": 5, "dataset": "stand-in", "variant": "ours"}, "accuracy", 90.0, tasks=500, paper=83.5)
        for method in ("FS+MN", "PN")
    ]
    save(Result("table4", "standard", "polythetic reproduce table4", 0, rows), tmp_path)
    made = run_path(str(ROOT / "tools" / "readme_table.py"))["block"](tmp_path)
    assert made.startswith("Accuracy (%) on a stand-in for tieredImageNet, features of a frozen network")
    assert "\n|  | C=2, G=5 |\n|---|---:|\n| FS+MN, paper | 83.5 |\n| FS+MN, ours | 90.0 |\n" in made
    assert "| MN, ours | – |" in made


def test__readme__what_was_learned__equals_the_result_file():
    text = re.search(r"<!-- learning -->(.*?)<!-- /learning -->", README, re.DOTALL).group(1)
    at = {e["setting"]["tasks"]: e for e in rows("benchmarks/learning") if e["cell"] == "mnist-colourless-fs-mn"}
    figures = [float(figure) for figure in re.findall(r"\d+\.\d", text)]
    kinds = ("monothetic", "polythetic")
    assert figures == [round(at[k]["mean"], 1) for k in kinds] + [at[k]["paper"] for k in kinds]
    assert all(at[k]["train_tasks"] == 1000 for k in kinds)


def test__documentation__builds_without_a_warning(tmp_path):
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path / "site")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert built.returncode == 0, built.stderr
    assert "WARNING" not in built.stderr
    assert (tmp_path / "site" / "how-to" / "own-data" / "index.html").exists()
