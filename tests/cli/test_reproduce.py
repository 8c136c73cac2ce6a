"""``polythetic reproduce``, as people and machines use it."""

import json
import os
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

import pytest

from polythetic.cli.options import look_in
from polythetic.cli.reproduce import reproduce
from polythetic.datasets.storage.places import DATA_VARIABLE
from tests.cli.test_cli import COMMAND, polythetic


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["table99"], "experiment = 'table99': expected one of"),
        (["--budget", "huge"], "--budget = 'huge': expected one of quick"),
        (["figure3", "--out", os.devnull], os.devnull),
        (["--data", "nowhere"], "--data = nowhere: expected a folder"),
        (["--report-only"], "--out = results: expected a folder of results"),
        (["figure13", "--jobs", "2", "--cluster", "tcp://here:1"], "--jobs = 2: expected either --jobs or --cluster"),
    ],
)
def test__user_error__is_one_line_and_exit_code_2(arguments, said, tmp_path):
    done = polythetic("reproduce", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test__data__is_where_this_process_and_its_workers_look(tmp_path, monkeypatch):
    monkeypatch.setenv(DATA_VARIABLE, "elsewhere")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    look_in(None)
    assert os.environ[DATA_VARIABLE] == "elsewhere"
    look_in(Path("mine"))
    assert os.environ[DATA_VARIABLE] == str(tmp_path / "mine")  # whatever folder a worker runs in


def test__cluster__that_does_not_answer__is_said_in_a_line(tmp_path):
    pytest.importorskip("distributed")
    done = polythetic("reproduce", "figure13", "--cluster", "tcp://127.0.0.1:1", cwd=tmp_path)
    assert done.returncode == 2
    assert "--cluster = tcp://127.0.0.1:1: expected the address of a Dask scheduler" in done.stderr
    assert "Traceback" not in done.stderr


def test__reproduce__json__is_one_object_on_standard_output(tmp_path):
    done = polythetic("reproduce", "figure5", "figure13", "--jobs", "1", "--json", cwd=tmp_path)
    assert done.returncode == 0
    results = json.loads(done.stdout)["results"]
    assert [result["experiment"] for result in results] == ["figure5", "figure13"]
    written = tmp_path / "results" / "quick"
    assert json.loads((written / "figure5.json").read_text()) == results[0]
    names = {path.name for path in (written / "figures").iterdir()}
    assert names == {"figure5.png", "figure5.pdf", "figure13.png", "figure13.pdf"}
    page = (written / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 2
    assert "http" not in page.replace("https://www.w3.org", "")  # nothing is fetched


def test__reproduce__report_only__makes_the_report_of_what_is_kept(tmp_path):
    quick = tmp_path / "results" / "quick"
    polythetic("reproduce", "figure13", "--jobs", "1", cwd=tmp_path)
    (quick / "report.html").unlink()
    done = polythetic("reproduce", "--report-only", "--out", str(quick), "--runs", "elsewhere", cwd=tmp_path)
    assert done.returncode == 0
    assert "Figure 13" in done.stdout
    assert done.stderr == f"Report: {quick / 'report.html'}\n"
    assert (quick / "report.html").exists()
    assert not (tmp_path / "elsewhere").exists()


def test__reproduce__parts__are_kept_where_it_is_told_and_found_there_again(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def rows(**options):
        reproduce(["figure13"], runs=Path("kept"), json=True, **options)
        return json.loads(capsys.readouterr().out)["results"][0]["rows"]

    first = rows(jobs=1)
    (part,) = (tmp_path / "kept" / "cells").iterdir()
    assert not (tmp_path / "runs").exists()
    part.write_text(part.read_text().replace("support", "marked"))
    assert "marked" in str(rows(out=Path("elsewhere"), jobs=1))
    assert rows(force=True, jobs=2) == first
    assert "marked" not in part.read_text()


def test__reproduce__interrupted__says_how_to_go_on_and_does(tmp_path):
    arguments = ["reproduce", "figure13", "figure3", "--out", str(tmp_path), "--runs", str(tmp_path / "runs")]
    pipes = {"stderr": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    process = subprocess.Popen([*COMMAND, *arguments, "--jobs", "2"], **pipes, start_new_session=True)
    cells = tmp_path / "runs" / "cells"
    while len(list(cells.glob("[!.]*"))) < 3:  # figure13's only, and two of figure3's
        assert process.poll() is None
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)  # the workers, too, as from a keyboard
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from there" in stderr
    assert "Traceback" not in stderr
    kept = {path.name: path.stat().st_mtime_ns for path in cells.glob("[!.]*")}
    assert len(kept) < 42
    again = polythetic(*arguments, "--jobs", "1")
    assert "figure13: already" in again.stderr
    assert "Figure 13" in again.stdout
    assert "figure3: done" in again.stderr
    now = {path.name: path.stat().st_mtime_ns for path in cells.glob("[!.]*")}
    assert len(now) == 42
    assert kept.items() <= now.items()  # what was done was not done again


@pytest.mark.parametrize("sigint", [signal.SIG_DFL, signal.SIG_IGN])  # ignored where a script put it in the background
def test__reproduce__terminated__ends_its_workers(tmp_path, sigint):
    import psutil

    arguments = ["reproduce", "figure3", "--jobs", "2", "--out", str(tmp_path), "--runs", str(tmp_path / "runs")]
    begin = partial(signal.signal, signal.SIGINT, sigint)
    process = subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True, preexec_fn=begin)
    while not list((tmp_path / "runs" / "cells").glob("[!.]*")):
        assert process.poll() is None
        time.sleep(0.02)
    workers = psutil.Process(process.pid).children(recursive=True)
    process.terminate()
    assert "the same command goes on from there" in process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert len(workers) >= 2
    assert not psutil.wait_procs(workers, timeout=10)[1]


def test__reproduce__list__names_every_experiment():
    from polythetic.experiments import EXPERIMENTS

    assert [line.split()[0] for line in polythetic("reproduce", "--list").stdout.splitlines()] == list(EXPERIMENTS)
    listed = json.loads(polythetic("reproduce", "--list", "--json").stdout)["experiments"]
    assert list(listed) == list(EXPERIMENTS)
    assert listed["table1"]["question"].endswith("?")
