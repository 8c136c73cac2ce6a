"""The README's code runs and says what it says; its numbers are those of the result files."""

import re
from pathlib import Path

import pytest

from polythetic.results import load

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
VARIANTS = {
    "FS+MN, authors' settings": ("FS+MN", "authors"),
    "FS+MN, ours, mean absolute deviation": ("FS+MN", "ours-mad"),
    "FS+MN, ours (default)": ("FS+MN", "ours"),
    "MN, ours (no selection)": ("MN", "ours"),
}


def test__readme__code__prints_what_its_comments_say(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    exec(compile(code, "README.md", "exec"), {})
    expected = re.findall(r"print\(.*\)\s+# (.*)", code)
    assert capsys.readouterr().out.splitlines() == expected


def table1():
    found = load(ROOT / "results" / "table1.json")
    assert found.budget == "standard"
    return {
        (e["method"], e["setting"]["variant"], e["setting"]["design"], e["setting"]["n"], e["setting"]["alpha"]): e
        for e in found.rows
        if e["metric"] == "accuracy"
    }


def readme_lines():
    block = re.search(r"<!-- table1 -->\n(.*?)<!-- /table1 -->", README, re.DOTALL).group(1)
    return [[cell.strip() for cell in line.strip("|\n ").split("|")] for line in block.splitlines()[2:]]


@pytest.mark.parametrize("line", readme_lines(), ids=lambda line: f"{line[0]} {line[1]}")
def test__readme__table_1__equals_the_result_file(line):
    at, (name, supports, *figures) = table1(), line
    design = {"balanced": "balanced", "i.i.d.": "iid"}[supports]
    cells = [(n, alpha) for n in (5, 10) for alpha in (2, 3, 4)]
    if name == "FS+MN, paper":
        entries = [at["FS+MN", "authors", design, *cell]["paper"] for cell in cells]
    else:
        entries = [at[*VARIANTS[name], design, *cell]["mean"] for cell in cells]
    assert figures == [f"{entry:.1f}" for entry in entries]


# What must hold of Table 1, FS+MN, over 1,000 tasks: variant, supports, floors for n = 5 and 10, XOR₂, ₃, ₄.
FLOORS = [
    ("ours-mad", "balanced", (97, 99, 99.5, 80, 85, 95)),
    ("ours", "iid", (97, 99, 98.5, 76, 84, 93)),
]


@pytest.mark.parametrize(("variant", "design", "floors"), FLOORS)
def test__committed_table_1__is_above_its_floors(variant, design, floors):
    cells = [(n, alpha) for n in (5, 10) for alpha in (2, 3, 4)]
    for cell, floor in zip(cells, floors, strict=True):
        entry = table1()["FS+MN", variant, design, *cell]
        assert entry["tasks"] == 1000
        assert entry["mean"] >= floor, (cell, entry["mean"])


def test__committed_table_1__authors_settings__are_within_three_points_of_the_paper():
    for (_, variant, design, *cell), entry in table1().items():
        if (variant, design) == ("authors", "balanced") and entry["paper"] is not None:
            assert abs(entry["mean"] - entry["paper"]) <= 3, cell
