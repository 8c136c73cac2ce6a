"""``make setup`` says in one line why it cannot go on."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def installed(tmp_path, **environment):
    command = ["/bin/sh", str(ROOT / "tools" / "setup.sh"), str(tmp_path / "venv")]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)


def test__setup__no_python__one_line_that_says_so(tmp_path):
    done = installed(tmp_path, PATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "no Python 3.11 or later" in done.stderr


@pytest.mark.slow
def test__setup__no_package_index__one_line_that_says_so(tmp_path):
    nowhere = {"PIP_INDEX_URL": "http://127.0.0.1:9/simple", "PIP_CONFIG_FILE": os.devnull}
    done = installed(tmp_path, PATH=os.environ["PATH"], PYTHON=shutil.which("python3"), **nowhere)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "is a package index reachable? ERROR: " in done.stderr
