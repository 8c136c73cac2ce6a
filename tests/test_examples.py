"""Worked examples: each runs as a person would run it, and says what it should; those that need data skip aloud."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"


def output_of(name: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name)], capture_output=True, text=True, env={**os.environ}
    )
    if ran.returncode and ran.stderr.startswith("skipped: "):
        pytest.skip(ran.stderr.removeprefix("skipped: ").strip())
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test__every_example__is_tested():
    tested = Path(__file__).read_text(encoding="utf-8")
    assert all(f'"{path.name}"' in tested for path in EXAMPLES.glob("*.py"))


def test__xor_in_a_table__finds_both_columns():
    said = output_of("xor_in_a_table.py")
    assert "PolytheticClassifier: 100%" in said
    assert {said.split("most: ")[1][0], said.split("), ")[1][0]} == {"b", "e"}


def test__genotypes__finds_both_traits():
    said = output_of("genotypes.py")
    assert "found: rs103, rs111" in said
    assert "found: rs102, rs108, rs117" in said


def test__omniglot_alphabets__beats_prototypes():
    said = dict(line.split(": ") for line in output_of("omniglot_alphabets.py").splitlines()[1:])
    share = {name: int(right.split("%")[0]) for name, right in said.items()}
    assert share["PolytheticClassifier"] > share["prototypes"]


def test__photographs__are_mostly_right():
    accuracy = output_of("photographs.py").split("accuracy: ")[1].split(" %")[0]
    assert float(accuracy) >= 70
