"""The README's code runs and says what it says; its numbers are those of the result files."""

import re
from pathlib import Path

import pytest

from tests.committed import CELLS, rows, table1

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
LABELS = {
    "FS+MN, authors' settings": "FS+MN, authors'",
    "FS+MN, ours, mean absolute deviation": "FS+MN, MAD",
    "FS+MN, ours (default)": "FS+MN",
    "MN, ours (no selection)": "MN",
}


def test__readme__code__prints_what_its_comments_say(capsys):
    code = "\n".join(re.findall(r"```python\n(.*?)```", README, re.DOTALL))
    exec(compile(code, "README.md", "exec"), {})
    expected = re.findall(r"print\(.*\) +# (.*)", code)
    assert capsys.readouterr().out.splitlines() == expected


def readme_lines():
    block = re.search(r"<!-- table1 -->\n(.*?)<!-- /table1 -->", README, re.DOTALL).group(1)
    return [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in block.splitlines()[2:]]


@pytest.mark.parametrize("line", readme_lines(), ids=lambda line: f"{line[0]} {line[1]}")
def test__readme__table_1__equals_the_result_file(line):
    at, (name, supports, *figures) = table1(), line
    design = {"balanced": "balanced", "i.i.d.": "iid"}[supports]
    if name == "FS+MN, paper":
        entries = [at["FS+MN, authors'", design, *cell]["paper"] for cell in CELLS]
    else:
        entries = [at[LABELS[name], design, *cell]["mean"] for cell in CELLS]
    assert figures == [f"{entry:.1f}" for entry in entries]


def test__readme__what_was_learned__equals_the_result_file():
    text = re.search(r"<!-- learning -->(.*?)<!-- /learning -->", README, re.DOTALL).group(1)
    at = {e["setting"]["tasks"]: e for e in rows("benchmarks/learning") if e["cell"] == "mnist-colourless-fs-mn"}
    figures = [float(figure) for figure in re.findall(r"\d+\.\d", text)]
    kinds = ("monothetic", "polythetic")
    assert figures == [round(at[k]["mean"], 1) for k in kinds] + [at[k]["paper"] for k in kinds]
    assert all(at[k]["train_tasks"] == 1000 for k in kinds)
