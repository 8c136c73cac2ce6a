"""Ctrl-C reaches every process at once: few words, and the same command goes on where it was."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.jobs import works

ROOT = Path(__file__).parents[2]


def start(folder):
    """In a group of its own, as a terminal would have it."""
    command = [sys.executable, "-m", "tests.jobs.stoppable", str(folder)]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **pipes, cwd=ROOT, start_new_session=True)


def test__machine__ctrl_c__few_words_and_goes_on_where_it_was(tmp_path):
    running = start(tmp_path)
    while len(list((tmp_path / "cells").glob("*.json"))) < 3 or not list(tmp_path.glob("strings/checkpoint-*.json")):
        assert running.poll() is None, running.stderr.read()
        time.sleep(0.02)
    os.killpg(running.pid, signal.SIGINT)
    said, complained = running.communicate(timeout=60)
    assert running.returncode == 130
    assert said == ""
    assert complained.count("\n") == 1
    assert "the same command goes on from there" in complained
    again = start(tmp_path)
    said, complained = again.communicate(timeout=120)
    assert (again.returncode, said, complained) == (0, "", "")
    assert sorted((tmp_path / "log").read_text().split()) == ["0", "1", "2", "3"]
    (_, first), (_, second) = works.begun(tmp_path / "strings")
    assert first == 0
    assert second >= 10
