"""Speed of a training step of Conv4: ours against the same step written plainly, and how near it comes to arithmetic.

Each is measured in a process of its own, since what ``polythetic.speed`` does would help the plain one, too. The two
take turns, step by step, so that whatever else the machine does meets both; reported are medians of the rounds' ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

from polythetic.results import Result, Row, row, save

OUT = Path("results/benchmarks")
COMMAND = "python -m benchmarks.training_step"
WARM_UP, ROUNDS = 3, 25
MATRIX = 2048  # rows and columns of the product that measures arithmetic


@dataclass(frozen=True)
class Shape:
    """The size of an episode."""

    support: int
    query: int
    classes: int
    channels: int
    side: int

    def flops(self) -> int:
        """Count multiplications and additions of convolutions and linear layer, forward and backward.

        Each layer has three products: its outputs, the gradient of its weights, and the gradient of its inputs, which
        the first layer does not need.
        """
        rows, total, side, inputs = self.support + self.query, 0, self.side, self.channels
        for number in range(4):
            total += 2 * rows * side * side * 64 * inputs * 9 * (3 if number else 2)
            side, inputs = side // 2, 64
        return total + 2 * rows * 64 * side * side * 64 * 3


SHAPES = {
    "polythetic MNIST": Shape(support=96, query=32, classes=2, channels=3, side=56),
    "Omniglot": Shape(support=100, query=300, classes=20, channels=1, side=28),
}


def ours(shape: Shape) -> Callable[[], None]:
    """Prepare a step as ``polythetic train`` takes it."""
    from polythetic import speed

    speed.on()
    import torch

    from polythetic.classifiers import method_named
    from polythetic.encoders import Conv4
    from polythetic.episodes.episode import Episode
    from polythetic.learners.episodic import EpisodicLearner

    torch.manual_seed(0)
    episode = Episode(*_examples(shape))
    learner = EpisodicLearner(Conv4(shape.channels, size=(shape.side, shape.side)), method_named("PN"))
    optimiser = torch.optim.Adam(learner.parameters(), lr=1e-3)

    def step() -> None:
        optimiser.zero_grad()
        learner.loss(episode)[0].backward()
        optimiser.step()

    return step


def plain(shape: Shape) -> Callable[[], None]:
    """Prepare the same step as one would first write it, and as the authors did."""
    import torch
    from torch import nn

    torch.manual_seed(0)
    support, labels, query, query_labels = _examples(shape)
    blocks: list[nn.Module] = []
    for number in range(4):
        convolution = nn.Conv2d(64 if number else shape.channels, 64, 3, padding=1)
        blocks += [convolution, nn.BatchNorm2d(64, momentum=0.01), nn.ReLU(), nn.MaxPool2d(2)]
    network = nn.Sequential(*blocks, nn.Flatten(), nn.Linear(64 * (shape.side // 16) ** 2, 64))
    optimiser = torch.optim.Adam(network.parameters(), lr=1e-3)

    def step() -> None:
        optimiser.zero_grad()
        x, q = network(torch.cat((support, query))).split((shape.support, shape.query))
        prototypes = torch.stack([x[labels == k].mean(0) for k in range(shape.classes)])
        nn.functional.cross_entropy(-torch.cdist(q, prototypes).square(), query_labels).backward()
        optimiser.step()

    return step


def product(_: Shape) -> Callable[[], None]:
    """Prepare the product of two large matrices."""
    import torch

    a, b = torch.rand(MATRIX, MATRIX), torch.rand(MATRIX, MATRIX)
    out = torch.empty(MATRIX, MATRIX)

    def multiply() -> None:
        torch.mm(a, b, out=out)

    return multiply


WORK: dict[str, Callable[[Shape], Callable[[], None]]] = {"plain": plain, "ours": ours, "product": product}


def _examples(shape: Shape) -> Any:
    import torch

    def rows(count: int) -> tuple[torch.Tensor, torch.Tensor]:
        return torch.rand(count, shape.channels, shape.side, shape.side), torch.arange(count) % shape.classes

    return *rows(shape.support), *rows(shape.query)


def work(name: str, shape: str) -> None:
    """Take a step for every line that comes in, and answer with its seconds: on the clock, and of processors."""
    step = WORK[name](SHAPES[shape])
    for _ in range(WARM_UP):
        step()
    for _ in sys.stdin:
        clock, processors = time.perf_counter(), time.process_time()
        step()
        print(json.dumps([time.perf_counter() - clock, time.process_time() - processors]), flush=True)


class Worker:
    """A process that takes a step whenever it is asked to."""

    def __init__(self, name: str, shape: str):
        command = [sys.executable, "-m", "benchmarks.training_step", "--work", name, "--shape", shape]
        environment = os.environ | {"OMP_WAIT_POLICY": "PASSIVE"}  # for all, or a busy machine would favour ours
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )

    def step(self) -> tuple[float, float]:
        """Take a step and return the seconds it took: on the clock, and of processors."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(file=self._process.stdin, flush=True)
        clock, processors = json.loads(self._process.stdout.readline())
        return clock, processors

    def stop(self) -> None:
        """End the process."""
        self._process.communicate()


def measure(name: str, rounds: int) -> list[Row]:
    """Let the three take turns."""
    workers = {work: Worker(work, name) for work in WORK}
    for worker in workers.values():
        worker.step()  # until all are ready
    taken = [{work: worker.step() for work, worker in workers.items()} for _ in range(rounds)]
    for worker in workers.values():
        worker.stop()

    def typical(value: Callable[[dict[str, tuple[float, float]]], float]) -> float:
        return median(value(one) for one in taken)

    shape = SHAPES[name]
    setting = {"episode": name, **shape.__dict__}
    arithmetic, product = shape.flops(), 2 * MATRIX**3
    rate = typical(lambda one: product / one["product"][0])
    return [
        row("plain", setting, "seconds", typical(lambda one: one["plain"][0])),
        row("ours", setting, "seconds", typical(lambda one: one["ours"][0])),
        row("ours", setting, "times faster than plain", typical(lambda one: one["plain"][0] / one["ours"][0])),
        row("plain", setting, "seconds of processors", typical(lambda one: one["plain"][1])),
        row("ours", setting, "seconds of processors", typical(lambda one: one["ours"][1])),
        row("ours", setting, "times less work than plain", typical(lambda one: one["plain"][1] / one["ours"][1])),
        row("matrix product", setting, "GFLOP/s", rate / 1e9, rows=MATRIX),
        row("arithmetic alone", setting, "seconds", arithmetic / rate, gigaflops=arithmetic / 1e9),
        row(
            "ours",
            setting,
            "percent of the time that the arithmetic alone needs",
            100 * typical(lambda one: arithmetic / product * one["product"][1] / one["ours"][1]),
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", choices=WORK)
    parser.add_argument("--shape", choices=SHAPES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    given = parser.parse_args()
    if given.work:
        work(given.work, given.shape)
        return
    rows = [entry for name in SHAPES for entry in measure(name, given.rounds)]
    for entry in rows:
        print(f"{entry['setting']['episode']:18} {entry['method']:18} {entry['metric']:52} {entry['mean']:9.3f}")
    save(Result("training_step", "standard", COMMAND, seed=0, rows=rows), OUT, force=True)


if __name__ == "__main__":
    main()
