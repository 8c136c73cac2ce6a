"""``polythetic train`` and ``polythetic evaluate``, as people and machines use them."""

import json
import os
import signal
import subprocess
import time

import pytest

from polythetic.checkpoints import last_checkpoint
from polythetic.cli.train import _lesson
from polythetic.experiments import BUDGETS
from tests.cli.test_cli import COMMAND, polythetic
from tests.torchrun import torchrun

SMALL = ["boolean", "PN", "--set", "n=5", "--set", "alpha=1", "--embedding", "8", "--tasks", "60"]
PICTURES = ["mnist-clean", "FS+MN", "--set", "shots=3", "--set", "queries=1", "--tasks", "3", "--validation-tasks", "2"]


def answer(*arguments, **options):
    done = polythetic(*arguments, **options)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test__train__then_evaluate__with_its_own_head_and_others(tmp_path):
    run = str(tmp_path / "run")
    made = answer("train", *SMALL, "--out", run, "--json")
    assert made["run"] == run
    assert made["settings"]["schedule"]["tasks"] == 60
    assert made["metrics"]["step"] == 60
    assert {"loss", "accuracy", "validation_same"} <= made["metrics"].keys()
    own = answer("evaluate", run, "--tasks", "50", "--json")
    assert own["accuracy"].keys() == {"PN"}
    assert answer("evaluate", run, "--tasks", "1", "--json")["accuracy"]["PN"]["stderr"] is None  # JSON has no NaN
    others = answer("evaluate", run, "boolean", "--method", "NN", "--method", "FS+MN", "--tasks", "50", "--json")
    assert others["accuracy"].keys() == {"NN", "FS+MN"}
    assert all(0 <= facts["mean"] <= 100 for facts in others["accuracy"].values())


def test__train__pictures__through_the_selection(tmp_path):
    run = str(tmp_path / "run")
    made = answer("train", *PICTURES, "--out", run, "--json", env={**os.environ, "OMP_NUM_THREADS": "1"})
    assert {"validation_monothetic", "validation_polythetic"} <= made["metrics"].keys()
    found = answer("evaluate", run, "--set", "polythetic=1", "--tasks", "2", "--json")
    assert found["suite"] == "mnist-clean"


def test__train__the_same_command_again__has_nothing_left_to_do(tmp_path):
    first = answer("train", *SMALL, "--out", str(tmp_path), "--json")
    assert answer("train", *SMALL, "--out", str(tmp_path), "--json") == first


def test__train__longer__goes_on_and_equals_a_run_that_was_long_from_the_start(tmp_path):
    short, long = tmp_path / "short", tmp_path / "long"
    answer("train", *SMALL, "--out", str(short), "--json")
    longer = [*SMALL[:-1], "90"]
    answer("train", *longer, "--out", str(short), "--json")
    answer("train", *longer, "--out", str(long), "--json")
    a, b = last_checkpoint(short), last_checkpoint(long)
    assert a.step == b.step == 90
    assert all((a.tensors[name] == b.tensors[name]).all() for name in a.tensors)


def test__train__other_settings_in_the_same_folder__are_refused(tmp_path):
    answer("train", *SMALL, "--out", str(tmp_path), "--json")
    done = polythetic("train", *SMALL, "--seed", "1", "--out", str(tmp_path))
    assert done.returncode == 2
    assert "a run with other settings is there (schedule)" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test__train__ctrl_c_or_terminated__saves_and_says_how_to_go_on(tmp_path, sent):
    arguments = ["train", *SMALL[:-1], "100000", "--out", str(tmp_path), "--checkpoint-every", "10"]
    running = subprocess.Popen([*COMMAND, *arguments], stderr=subprocess.PIPE, text=True)
    while not list(tmp_path.glob("checkpoint-*.json")):
        time.sleep(0.05)
        assert running.poll() is None
    running.send_signal(sent)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130
    assert "stopped after step" in said
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert last_checkpoint(tmp_path).step > 0


def test__torchrun__train__leaves_one_run(tmp_path):
    arguments = ["train", *SMALL, "--tasks-per-step", "4", "--out", str(tmp_path), "--json"]
    done = torchrun("-m", "polythetic", *arguments)
    assert json.loads(done.stdout)["metrics"]["step"] == 15
    assert last_checkpoint(tmp_path).step == 15


@pytest.mark.parametrize(
    ("suite", "method", "budget", "kind"),
    [
        ("mnist-full", "FS+MN", "standard", "full"),
        ("mnist-clean", "MAML", "standard", "maml"),
        ("omniglot-characters", "PN", "paper", "omniglot"),
        ("tiered", "PN", "quick", "omniglot"),
    ],
)
def test__lesson__is_as_long_as_that_of_the_tables(suite, method, budget, kind):
    assert _lesson(suite, method, budget) == BUDGETS[budget].lessons[kind].tasks_of(method)


def test__lesson__on_binary_strings__is_the_longest_of_table_1():
    assert _lesson("boolean", "PN", "paper") == 10_000


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["train", "nonsense", "PN"], "suite = 'nonsense': expected one of boolean"),
        (["train", "boolean", "XX"], "method = 'XX': expected one of"),
        (["train", "boolean", "NN"], "method = 'NN'"),
        (["train", "boolean", "PN", "--variant", "theirs"], "--variant = 'theirs': expected one of ours, authors"),
        (["train", "boolean", "PN", "--budget", "huge"], "--budget = 'huge': expected one of quick, standard, paper"),
        (["train", "boolean", "PN", "--set", "n"], "--set = 'n': expected name=value"),
        (["train", "boolean", "PN", "--set", "colour=3"], "colour"),
        (["train", "boolean", "PN", "--encoder", "conv4"], "encoder"),
        (["train", "boolean", "PN", "--learning-rate", "0"], "learning_rate = 0.0: expected a number above 0"),
        (["evaluate", "run", "--split", "foo"], "--split = 'foo': expected one of evaluation, validation, training"),
        (["evaluate", "run", "--variant", "z"], "--variant = 'z': expected one of ours, authors"),
        (["evaluate", "no-such-run"], "no-such-run is not the folder of a run"),
    ],
)
def test__user_error__is_one_line_and_exit_code_2(arguments, said, tmp_path):
    done = polythetic(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
