"""Training: it learns, it can be killed at any moment, and several processes learn as one does."""

import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from torch import nn

from polythetic.checkpoints import last_checkpoint
from polythetic.classifiers import method_named
from polythetic.distributed import Team
from polythetic.encoders import Pointwise
from polythetic.episodes import BooleanTasks
from polythetic.errors import InputError
from polythetic.evaluation import evaluate
from polythetic.learners import MAML, EpisodicLearner
from polythetic.metrics import JsonLines
from polythetic.training import NotFiniteError, Schedule, train
from tests.torchrun import torchrun

SUITE = BooleanTasks(n=5, alpha=1)


def learner(seed=0, method="PN"):
    torch.manual_seed(seed)
    # No bias at the end: prototypes do not feel it, so its gradient is rounding, which Adam would blow up.
    layers = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Linear(16, 8, bias=False))
    encoder = Pointwise(layers, example_dims=1)
    return MAML(encoder, steps=2, rate=0.1) if method == "MAML" else EpisodicLearner(encoder, method_named(method))


def weights(trained):
    return torch.cat([p.detach().flatten() for p in trained.parameters()])


def test__training__one_bit_among_five__is_learned():
    before = evaluate({"": learner().eval()}, SUITE, tasks=200, seed=9)[""].mean
    trained = train(learner(), SUITE, Schedule(tasks=300, learning_rate=1e-2))
    after = evaluate({"": trained}, SUITE, tasks=200, seed=9)[""].mean
    assert before < 80
    assert after > 84


def test__training__through_the_selection__changes_the_encoder():
    trained = train(learner(method="FS+MN"), BooleanTasks(n=5), Schedule(tasks=20))
    assert not torch.equal(weights(trained), weights(learner()))


def test__training__stopped_and_resumed_anywhere__ends_bit_identical(tmp_path):
    schedule = Schedule(tasks=40, checkpoint_every=7)
    whole = weights(train(learner(), SUITE, schedule))

    class Stop(Exception):  # noqa: N818
        pass

    class Fragile(BooleanTasks):
        def batch(self, seed, start, stop):
            if start in breaking:
                breaking.remove(start)
                raise Stop
            return super().batch(seed, start, stop)

    breaking = [3, 11, 25, 39]
    suite = Fragile(n=5, alpha=1)
    for _ in range(5):
        try:
            resumed = train(learner(), suite, schedule, folder=tmp_path)
        except Stop:
            continue
    assert not breaking
    assert torch.equal(weights(resumed), whole)


SCRIPT = """
import sys
from pathlib import Path
from tests.test_training import SUITE, learner
from polythetic.metrics import JsonLines
from polythetic.training import Schedule, train
folder = Path(sys.argv[1])
train(learner(), SUITE, Schedule(tasks=1500, checkpoint_every=20), folder=folder,
      metrics=lambda step: JsonLines(folder / "metrics.jsonl", step=step))
"""


def start(folder):
    return subprocess.Popen([sys.executable, "-c", SCRIPT, str(folder)], env={**os.environ, "OMP_NUM_THREADS": "1"})


def test__training__killed_at_random_moments__ends_bit_identical(tmp_path):
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    assert start(whole).wait() == 0
    chance, kills = random.Random(0), 0
    while kills < 4:
        running = start(killed)
        seen = len(list(killed.glob("checkpoint-*")))
        while running.poll() is None and len(list(killed.glob("checkpoint-*"))) == seen and seen == 0:
            time.sleep(0.01)  # until it trains
        time.sleep(chance.uniform(0.05, 2.5))
        if running.poll() is not None:
            break
        running.send_signal(signal.SIGKILL)
        running.wait()
        kills += 1
    assert kills > 0
    assert start(killed).wait() == 0
    first, second = (last_checkpoint(folder) for folder in (whole, killed))
    assert first.step == second.step == 1500
    assert first.tensors.keys() == second.tensors.keys()
    assert all(torch.equal(first.tensors[name], second.tensors[name]) for name in first.tensors)
    assert (whole / "metrics.jsonl").read_text() == (killed / "metrics.jsonl").read_text()


def test__ctrl_c__saves_and_says_how_to_go_on(tmp_path):
    running = subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path)], stderr=subprocess.PIPE, text=True)
    while not list(tmp_path.glob("checkpoint-*.json")):
        time.sleep(0.02)
    running.send_signal(signal.SIGINT)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 1
    assert "StoppedError: stopped after step" in said
    assert "the same command goes on from there" in said
    step = re.search(r"stopped after step ([\d,]+) of 1,500;", said)[1]
    assert last_checkpoint(tmp_path).step == int(step.replace(",", ""))


class NotANumber(EpisodicLearner):
    def loss(self, episode):
        value, log_p = super().loss(episode)
        return value * float("nan"), log_p


class InfiniteSlope(EpisodicLearner):
    def loss(self, episode):
        value, log_p = super().loss(episode)
        return value + self.encoder.module[0].weight.abs().sqrt().sum(), log_p


def test__a_loss_that_is_not_a_number__stops_and_says_after_which_task():
    broken = learner()
    broken.__class__ = NotANumber
    with pytest.raises(NotFiniteError, match=r"task 0: the loss is nan; try a smaller learning rate"):
        train(broken, SUITE, Schedule(tasks=5))


def test__a_gradient_that_is_not_a_number__stops_and_names_the_parameter():
    broken = learner()
    with torch.no_grad():
        broken.encoder.module[0].weight.zero_()
    broken.__class__ = InfiniteSlope
    with pytest.raises(NotFiniteError, match=r"the gradient of encoder\.module\.0\.weight is not finite"):
        train(broken, SUITE, Schedule(tasks=5))


def test__features_that_are_not_numbers__stop_and_say_where():
    broken = learner()
    with torch.no_grad():
        broken.encoder.module[0].weight.fill_(float("inf"))
    with pytest.raises(NotFiniteError, match="task 0: support = "):
        train(broken, SUITE, Schedule(tasks=5))


def test__frozen_learner__is_refused():
    frozen = learner().requires_grad_(False)
    with pytest.raises(InputError, match="something to learn"):
        train(frozen, SUITE, Schedule(tasks=5))


def test__metrics__of_steps_after_the_checkpoint__are_dropped_on_going_on(tmp_path):
    path = tmp_path / "metrics.jsonl"
    lines = JsonLines(path, step=0)
    for step in (1, 2, 3):
        lines.write(step, {"loss": float(step)})
    with path.open("a") as file:
        file.write('{"step": 4, "lo')  # killed while writing
    JsonLines(path, step=2).write(3, {"loss": 0.5})
    assert [json.loads(line)["loss"] for line in path.read_text().splitlines()] == [1, 2, 0.5]


@pytest.mark.parametrize("size", [1, 2, 3])
def test__team__shares__are_all_the_tasks_once(size):
    shares = [list(Team(rank, size).share(10, 17)) for rank in range(size)]
    assert [task for share in shares for task in share] == list(range(10, 17))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


TORCHRUN = """
import json, os, sys
from pathlib import Path
from tests.test_training import SUITE, learner
from polythetic.distributed import team
from polythetic.metrics import JsonLines, Nowhere
from polythetic.training import Schedule, train
folder = Path(sys.argv[1])
with team() as us:
    train(learner(method=sys.argv[2]), SUITE, Schedule(tasks=50, tasks_per_step=3), folder=folder, team=us,
          metrics=lambda step: JsonLines(folder / "metrics.jsonl", step=step) if us.leads else Nowhere())
"""


@pytest.mark.parametrize("method", ["PN", "MAML"])
def test__torchrun__two_processes__give_the_losses_and_weights_of_one(tmp_path, method):
    script = tmp_path / "script.py"
    script.write_text(TORCHRUN)
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(Path.cwd())}
    one, two = tmp_path / "one", tmp_path / "two"
    subprocess.run([sys.executable, script, one, method], check=True, env=environment)
    torchrun(script, two, method, PYTHONPATH=str(Path.cwd()))
    curves = [[json.loads(line)["loss"] for line in (f / "metrics.jsonl").read_text().splitlines()] for f in (one, two)]
    assert len(curves[0]) == 17
    torch.testing.assert_close(torch.tensor(curves[0]), torch.tensor(curves[1]), rtol=1e-4, atol=1e-5)
    first, second = (last_checkpoint(folder).tensors for folder in (one, two))
    for name in first:
        torch.testing.assert_close(first[name], second[name], rtol=1e-3, atol=1e-5)
