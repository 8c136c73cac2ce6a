"""§5, App. F, G and I: the settings that the paper names, read from the code's own objects."""

from __future__ import annotations

from collections.abc import Iterator
from inspect import signature
from math import isqrt
from typing import Any

from torch import nn

from polythetic.encoders.conv4 import Block, Conv4
from polythetic.episodes import BooleanTasks
from polythetic.episodes.suites import SUITES
from polythetic.experiments.appendix_a import IRRELEVANT, suites
from polythetic.experiments.appendix_g import PRETRAINING
from polythetic.experiments.figure13 import SUITE
from polythetic.experiments.learned import training
from polythetic.learners.categorical import CategoricalEncoder, pretrain
from polythetic.report.evidence import VARIANTS, Evidence
from polythetic.report.ledger import Claim, Point, asking, of_settings
from polythetic.report.numbers import listed, percentage

NAMES = ("ways", "shots", "queries")


def _usual(make: Any, *names: str) -> tuple[Any, ...]:
    """Return the defaults of a function's arguments."""
    return tuple(signature(make).parameters[name].default for name in names)


def characters(evidence: Evidence) -> Iterator[Point]:
    """Look up the tasks of characters."""
    sizes = _usual(SUITES["omniglot-characters"].make, *NAMES)
    yield Point("ours: {}-way, {}-shot, {} queries a class".format(*sizes), sizes == (20, 5, 15))


def alphabets(evidence: Evidence) -> Iterator[Point]:
    """Look up the tasks of alphabets; of their sizes the paper gives the ways alone."""
    sizes = _usual(SUITES["omniglot-alphabets"].make, "ways", "characters", "shots", "queries")
    words = "ours: {}-way; of each alphabet {} characters, {} drawings of each in the support and {} to be told"
    yield Point(words.format(*sizes), sizes[0] == 3)


def convolutions(evidence: Evidence) -> Iterator[Point]:
    """Count the blocks of the encoder, their channels and filters, and what they leave of a picture."""
    encoder = Conv4(1, size=(32, 32))
    blocks = [block for block in encoder.blocks if isinstance(block, Block)]
    channels, filters = ({getattr(block.conv, name) for block in blocks} for name in ("out_channels", "kernel_size"))
    left = isqrt(encoder.linear.in_features // max(channels))
    words = (
        f"ours: {len(blocks)} blocks of {max(channels)} channels, filters of {max(filters)[0]} × {max(filters)[1]}, "
    )
    words += f"32 × 32 pixels become {left} × {left}"
    yield Point(words, (len(blocks), channels, filters, left) == (4, {64}, {(3, 3)}, 32 // 2**4))


def momentum(evidence: Evidence) -> Iterator[Point]:
    """Look for running statistics."""
    found = [module.momentum for module in Conv4(1, size=(28, 28)).modules() if hasattr(module, "momentum")]
    none = "ours: none; with either settings a task is normalised by its own statistics, in tests too: no running mean"
    yield Point(f"{found}" if found else none, found == [0.01] * 4)


def embedding(evidence: Evidence) -> Iterator[Point]:
    """Look up the width of the last layer."""
    width = Conv4(1, size=(28, 28)).linear.out_features
    yield Point(f"ours: {width}", width == 64)


def learning_rate(evidence: Evidence) -> Iterator[Point]:
    """Look up the rate of the first and of the last step."""
    for variant, name in VARIANTS.items():
        schedule = training("omniglot-characters", "PN", tasks=1000, variant=variant).schedule
        first, last = schedule.rate_of(1), schedule.rate_of(schedule.steps)
        words = f"{first}" if first == last else f"{first} at first, falling to nothing by the end"
        yield Point(f"{name}: {words}", first == last == 0.001)


def outputs(evidence: Evidence) -> Iterator[Point]:
    """Measure the layers of the network with eight heads."""
    network = CategoricalEncoder()
    linear = [network.convolutions.linear, *(layer for layer in network.head if isinstance(layer, nn.Linear))]
    *hidden, last = [layer.out_features for layer in linear]
    words = f"ours: {last} outputs after {len(hidden)} hidden layers of {listed(hidden, str)}"
    yield Point(words, (last, hidden) == (52, [512, 512]))


def batches(evidence: Evidence) -> Iterator[Point]:
    """Look up how long the network with eight heads is pre-trained."""
    (count,) = _usual(pretrain, "batches")
    for variant, name in VARIANTS.items():
        size = PRETRAINING[variant].keywords["batch_size"]
        yield Point(f"{name}: {count} of {size}", (count, size) == (800, 16))


@asking("within 1 point of 50")
def fair_noise(evidence: Evidence) -> Iterator[Point]:
    """Look the probability up, and count the noise bits of a few tasks."""
    suite = BooleanTasks(n=5, alpha=2, repetitions=5)
    episode = suite.batch(0, 0, 500)
    noise = episode.support > 0
    active = noise.gather(2, episode.attributes["active"][:, None].expand(-1, suite.support_size, -1))
    bits = noise.numel() - active.numel()
    share = 100 * int(noise.sum() - active.sum()) / bits
    words = f"ours: {suite.p}; {percentage(share)} % of {bits:,} noise bits are +"
    yield Point(words, suite.p == 0.5 and abs(share - 50) < 1)


def figure_13(evidence: Evidence) -> Iterator[Point]:
    """Look up how Figure 13's task is made."""
    found = (SUITE.alpha, SUITE.n - SUITE.alpha, SUITE.repetitions)
    words = "ours: α = {}, β = {}, r = {}; {} rows of support, {} queries"
    yield Point(words.format(*found, SUITE.support_size, SUITE.query_size), found == (2, 3, 1))


def pairs_repeated(evidence: Evidence) -> Iterator[Point]:
    """Look up how often each combination of an active pair stands in the tasks of App. A."""
    found = {suite.repetitions for beta in IRRELEVANT for suite in suites(beta, "balanced")}
    yield Point(f"ours: r = {listed(sorted(found), str)}", found == {5})


def figure_4(evidence: Evidence) -> Iterator[Point]:
    """Look up how Figure 4's task was made, and when it is shown."""
    settings = [entry["setting"] for entry in evidence.rows("figure4", metric="score")]
    ((alpha, n),) = {(setting["alpha"], setting["n"]) for setting in settings}
    rounds = sorted({setting["R"] for setting in settings})
    words = f"ours: α = {alpha}, β = {n - alpha}, after {listed(rounds, str)} rounds"
    yield Point(words, (alpha, n - alpha, rounds) == (3, 3, [0, 5, 10, 25]))


CLAIMS = [
    Claim(
        "“three active and three irrelevant features (α=β=3)”, “n={0,5,10,25}”", "§4, Figure 4", figure_4, of_settings
    ),
    Claim(
        "“5 examples for 20 classes (20-way, 5 shot) … 15 examples per class”",
        "Table 3, App. F",
        characters,
        of_settings,
    ),
    Claim("“3-way alphabets”", "Table 3", alphabets, of_settings),
    Claim(
        "“with 4 blocks … (64 output channels and 3 × 3 filters) … and 2 × 2 max pooling”",
        "App. F",
        convolutions,
        of_settings,
    ),
    Claim("“batch normalisation (momentum 0.01)”", "App. F", momentum, of_settings),
    Claim("“a linear layer to map the data into a 64-dimensional embedding space”", "App. F", embedding, of_settings),
    Claim("“an Adam optimise with learning rate 0.001”", "App. F", learning_rate, of_settings),
    Claim("“output vector ∈ ℝ⁵² … two hidden layers with 512 units each”", "App. G", outputs, of_settings),
    Claim("“pre-trained over 800 batches of 16 examples”", "App. F, App. G", batches, of_settings),
    Claim("“randomly sampled from a Bernoulli distribution with protability 0.5”", "App. I", fair_noise, of_settings),
    Claim("“r=5 repetitions for each XOR combination”", "App. A", pairs_repeated, of_settings),
    Claim("“α=2 active components … β=3 noisy bits, and r=1 repetitions”", "App. I, Figure 13", figure_13, of_settings),
]
