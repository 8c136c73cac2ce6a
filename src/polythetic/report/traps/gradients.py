"""What a clipped loss lets through of the gradient, where softmaxes are sure of themselves."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import torch
from torch import Tensor, nn

from polythetic.encoders import Pointwise
from polythetic.episodes.episode import Episode
from polythetic.learners.episodic import EpisodicLearner
from polythetic.learners.registry import learner_named

TASKS, FEATURES, SHOTS, QUERIES = 20, 64, 24, 8  # the sizes are those of digits, a group each of the last two
LABELS = torch.tensor([1, 0, 0, 1])  # of the four groups


class Passed(NamedTuple):
    """How sure a learner is of queries that it can know nothing of, and the gradient that is left of it."""

    beyond: float  # per cent of the queries whose probability is beyond the clip
    exact: float  # norm of the gradient of the loss
    clipped: float  # and of that of the clipped loss


@cache
def passed(variant: str) -> Passed:
    """Give FS+MN a batch of noise, and take both gradients. An untrained encoder on digits has about the same.

    >>> theirs, ours = passed("authors"), passed("ours")
    >>> theirs.beyond > 30, theirs.clipped < 0.6 * theirs.exact
    (True, True)
    >>> ours.beyond, ours.clipped == ours.exact
    (0.0, True)
    """
    clip = _learner("authors").clip
    exact, log_p = _gradient(variant, clip=0.0)
    clipped, _ = _gradient(variant, clip=clip)
    beyond = (log_p.exp().amax(-1) > 1 - clip).double().mean()
    return Passed(100 * float(beyond), exact, clipped)


def _learner(variant: str) -> EpisodicLearner:
    layer = nn.Linear(FEATURES, FEATURES, bias=False)
    nn.init.eye_(layer.weight)
    made = learner_named("FS+MN", Pointwise(layer, example_dims=1), variant=variant, suite="mnist-colourless")
    assert isinstance(made, EpisodicLearner)
    return made


def _gradient(variant: str, clip: float) -> tuple[float, Tensor]:
    """Return the norm of the gradient of the encoder's weights, and the log-probabilities."""
    learner = _learner(variant)
    learner.clip = clip
    loss, log_p = learner.loss(_noise())
    (gradient,) = torch.autograd.grad(loss, list(learner.parameters()))
    return float(gradient.norm()), log_p.detach()


def _noise() -> Episode:
    draw = torch.Generator().manual_seed(0)

    def rows(size: int) -> tuple[Tensor, Tensor]:
        features = torch.randn(TASKS, len(LABELS) * size, FEATURES, generator=draw)
        return features, LABELS.repeat_interleave(size).expand(TASKS, -1)

    return Episode(*rows(SHOTS), *rows(QUERIES))
