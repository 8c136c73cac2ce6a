"""The README is a short front page; its numbers are those of the result files."""

import re
import subprocess
import sys
from pathlib import Path

from polythetic.results import Result, row, save
from tools.readme_table import block

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test__readme__tables__are_those_of_the_results():
    command = [sys.executable, "-m", "tools.readme_table", "--check"]
    checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stderr


def test__readme_table__of_a_stand_in__says_so_and_leaves_out_columns_that_were_not_run(tmp_path):
    setting = {"C": 2, "G": 5, "dataset": "stand-in", "split": "evaluation", "variant": "ours"}
    facts = {"tasks": 500, "paper": 83.5, "categories": ["insect 10", "vessel 10", "solid 7"]}
    rows = [row(method, setting, "accuracy", 90.0, **facts) for method in ("FS+MN", "PN")]
    save(Result("table4", "standard", "polythetic reproduce table4", 0, rows), tmp_path)
    made = block(tmp_path)
    assert made.startswith("Accuracy (%) on a stand-in for tieredImageNet, features of a frozen network")
    assert "trained on all of ImageNet); C=2/G=5 of the test categories insect, vessel, solid. Insect: bee," in made
    assert "\n|  | C=2, G=5 |\n|---|---:|\n| FS+MN, paper | 83.5 |\n| FS+MN, ours | 90.0 |\n" in made
    assert "| MN, ours | – |" in made


def test__readme__front_page__is_short_and_leads_on():
    made = r"<!-- (own tables|results) -->.*?<!-- /\1 -->"
    assert len(re.sub(made, "", README, flags=re.DOTALL).splitlines()) < 90
    top = README[: README.index("## ")]
    assert "pip install" in top
    assert {"docs/index.md", "docs/tutorial.md", "docs/how-to/explore.md"} <= set(re.findall(r"\]\((docs/.*?)\)", top))
