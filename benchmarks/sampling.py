"""Speed of sampling: episodes a second on this machine's cores, and their share of a training step."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from statistics import median

import torch

from polythetic import speed
from polythetic.encoders import encoder_for
from polythetic.episodes.suites import Suite, suite_named
from polythetic.learners import EpisodicLearner
from polythetic.learners.heads import head_named
from polythetic.results import Result, Row, row, save

OUT = Path("results/benchmarks")
COMMAND = "python -m benchmarks.sampling"
SUITES = ("mnist-clean", "mnist-colourless", "mnist-full", "omniglot-characters", "omniglot-alphabets")
EPISODES = 300
CORES = 2


def sampled(name: str, seed: int, episodes: int = EPISODES) -> float:
    """Draw episodes one at a time, as training does, and return the seconds that one takes."""
    suite = suite_named(name, split="training", options={"polythetic": 0.5} if name.startswith("mnist") else {})
    suite.batch(seed, 0, 1)  # the first reads the data
    start = time.perf_counter()
    for number in range(episodes):
        suite.batch(seed, number, number + 1)
    return (time.perf_counter() - start) / episodes


def training_step(suite: Suite) -> float:
    """Return the seconds that one step of training a prototype network takes, sampling left out."""
    learner = EpisodicLearner(encoder_for(suite.example_shape), head_named("PN"))
    optimiser = torch.optim.Adam(learner.parameters())
    episode = suite.batch(0, 0, 1)
    taken = []
    for _ in range(6):
        start = time.perf_counter()
        optimiser.zero_grad()
        learner.loss(episode)[0].backward()
        optimiser.step()
        taken.append(time.perf_counter() - start)
    return median(taken)


def measure(name: str) -> list[Row]:
    one = median(sampled(name, seed) for seed in range(3))
    with ProcessPoolExecutor(CORES) as pool:
        both = max(pool.map(sampled, [name] * CORES, range(CORES)))
    suite = suite_named(name, split="training")
    episode = suite.batch(0, 0, 1)
    images = episode.support.shape[1] + episode.query.shape[1]
    setting = {"suite": name, "images": images, "shape": list(suite.example_shape)}
    step = training_step(suite)
    return [
        row("one process", setting, "episodes a second", 1 / one),
        row(f"{CORES} processes", setting, "episodes a second", CORES / both),
        row("one process", setting, "% of a training step", 100 * one / step, step_seconds=step),
    ]


def main() -> None:
    speed.on()
    rows = [entry for name in SUITES for entry in measure(name)]
    for entry in rows:
        print(f"{entry['setting']['suite']:22} {entry['method']:12} {entry['metric']:22} {entry['mean']:9.2f}")
    save(Result("sampling", "standard", COMMAND, seed=0, rows=rows), OUT, force=True)


if __name__ == "__main__":
    main()
