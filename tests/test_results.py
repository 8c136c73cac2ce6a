import json
import signal
import subprocess
import sys
import time

import pytest

from polythetic.errors import ResultError
from polythetic.files import write_atomically
from polythetic.results import Result, load, row, save


def result(budget="standard", mean=81.3):
    rows = [row("FS+MN", {"n": 10}, "accuracy", mean, stderr=0.3, tasks=1000, paper=75.9, paper_stderr=1.3)]
    return Result("table1", budget, "polythetic reproduce table1", 0, rows)


def test__save__then_load__gives_the_same(tmp_path):
    path = save(result(), tmp_path)
    assert path == tmp_path / "table1.json"
    assert load(path).rows == result().rows
    assert load(path).versions == result().versions
    keys = ["experiment", "budget", "command", "seed", "versions", "created", "rows"]
    assert list(json.loads(path.read_text())) == keys
    entry = json.loads(path.read_text())["rows"][0]
    assert list(entry)[:8] == ["method", "setting", "metric", "mean", "stderr", "tasks", "paper", "paper_stderr"]


def test__save__quick__goes_apart(tmp_path):
    assert save(result("quick"), tmp_path) == tmp_path / "quick" / "table1.json"


def test__save__smaller_budget__is_refused_unless_forced(tmp_path):
    path = save(result("paper", mean=1.0), tmp_path)
    with pytest.raises(ResultError, match=r"paper budget; --force"):
        save(result("standard", mean=2.0), tmp_path)
    assert load(path).rows[0]["mean"] == 1.0
    save(result("standard", mean=2.0), tmp_path, force=True)
    assert load(path).rows[0]["mean"] == 2.0


def test__save__larger_budget__replaces(tmp_path):
    save(result("standard", mean=1.0), tmp_path)
    assert load(save(result("paper", mean=2.0), tmp_path)).rows[0]["mean"] == 2.0


UNKNOWN_BUDGET = '{"experiment": "a", "budget": "huge", "command": "", "seed": 0, "rows": [{}]}'
NO_ROWS = '{"experiment": "a", "budget": "quick", "command": "", "seed": 0, "rows": []}'


@pytest.mark.parametrize("content", ["", "{", "[]", '{"experiment": "table1"}', UNKNOWN_BUDGET, NO_ROWS])
def test__load__of_something_else__says_so(tmp_path, content):
    path = tmp_path / "table1.json"
    path.write_text(content)
    with pytest.raises(ResultError, match=r"table1\.json is not a result"):
        load(path)


def test__write_atomically__failing__leaves_the_old_and_no_litter(tmp_path, monkeypatch):
    path = tmp_path / "file"
    write_atomically(path, b"old")

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test__write_atomically__killed__leaves_one_whole_version(tmp_path):
    """A process that rewrites a file over and over is killed (-9) at ten moments: the file is always whole."""
    path = tmp_path / "file"
    code = (
        "import sys; from pathlib import Path; from polythetic.files import write_atomically\n"
        "for i in range(10**9): write_atomically(Path(sys.argv[1]), bytes([i % 256]) * 2_000_000)"
    )
    for wait in range(10):
        path.unlink(missing_ok=True)
        process = subprocess.Popen([sys.executable, "-c", code, str(path)])
        while not path.exists():
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(0.003 * wait)
        process.send_signal(signal.SIGKILL)
        process.wait()
        content = path.read_bytes()
        assert len(content) == 2_000_000
        assert len(set(content)) == 1
