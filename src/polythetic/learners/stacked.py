"""Many prototypical networks trained side by side: small encoders, stacked, in one batched computation.

A step of one small network is nearly all overhead. The steps of thirty take little longer if each of them is a
single product of stacked matrices, and a table of trained networks then takes minutes instead of hours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import softplus

from polythetic.encoders.mlp import MLP
from polythetic.episodes import BooleanTasks
from polythetic.errors import InputError
from polythetic.threads import one_thread

BLOCK = 100  # tasks drawn at a time


class Member(NamedTuple):
    """One of the networks: what it learns from, the size of its embedding, and the seed of its weights and tasks."""

    suite: BooleanTasks
    embedding: int
    seed: int


class Tasks(NamedTuple):
    """One task for every network.

    ``mix`` takes the rows of a support to the difference of the two prototypes, c₊ − c₋, and to the point midway.
    """

    support: Float[Tensor, "models S n"]
    mix: Float[Tensor, "models 2 S"]
    query: Float[Tensor, "models Q n"]
    labels: Float[Tensor, "models Q"]  # −1 or +1


def initial_encoder(member: Member) -> MLP:
    """Make a member's encoder with torch's own initial weights, drawn from its seed.

    >>> initial_encoder(Member(BooleanTasks(n=5), embedding=25, seed=0)).module[-1]
    Linear(in_features=100, out_features=25, bias=True)
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(member.seed)
        return MLP(member.suite.n, embedding=member.embedding)


def linear_layers(encoder: MLP) -> tuple[nn.Linear, nn.Linear]:
    """Return the two layers that learn."""
    first, last = (layer for layer in encoder.modules() if isinstance(layer, nn.Linear))
    return first, last


class StackedPrototypes:
    """Prototypical networks n → 100 → ReLU → d on Boolean tasks, each with its own weights, tasks and Adam.

    Adam works number by number, so that one over the stacked weights is one for each network; a test holds this
    against networks trained alone. ``members`` are sorted by embedding: those of one size share a matrix.

    Args:
        members: the networks; their tasks must be of one size.
        learning_rate: Adam's.
        dtype: of the weights; torch's default unless given.

    >>> suite = BooleanTasks(n=3)
    >>> stack = StackedPrototypes([Member(suite, embedding, seed) for embedding in (1, 9) for seed in (1, 2)])
    >>> stack.train_until(100)
    >>> stack.accuracy([suite] * 4, tasks=50, seed=0).shape
    (4, 50)
    """

    def __init__(self, members: Sequence[Member], *, learning_rate: float = 1e-3, dtype: torch.dtype | None = None):
        sizes = {(m.suite.n, m.suite.support_size, m.suite.query_size) for m in members}
        if len(sizes) != 1:
            raise InputError("members", f"tasks of sizes {sorted(sizes)}", "at least one, and tasks of one size")
        self.members = sorted(members, key=lambda member: member.embedding)
        self.seen = 0  # tasks, by each
        layers = [linear_layers(initial_encoder(member).to(dtype)) for member in self.members]
        self._first = torch.stack([first.weight.detach().T for first, _ in layers])  # [models, n, H]
        self._bias = torch.stack([first.bias.detach()[None] for first, _ in layers])  # [models, 1, H]
        self._last = [  # [models of that size, d, H]
            torch.stack([last.weight.detach() for _, last in layers if last.out_features == d])
            for d in dict.fromkeys(member.embedding for member in self.members)
        ]
        learned = [weights.requires_grad_() for weights in (self._first, self._bias, *self._last)]
        self._optimiser = torch.optim.Adam(learned, lr=learning_rate, fused=True)

    def train_until(self, tasks: int, *, advance: Callable[[int], None] = lambda steps: None) -> None:
        """Go on until every network has learned from the first ``tasks`` tasks of its seed.

        ``advance`` is told of every block of steps.
        """
        suites, seeds = [m.suite for m in self.members], [m.seed for m in self.members]
        with one_thread():
            for block in self._blocks(suites, seeds, self.seen, tasks):
                for task in block:
                    self._optimiser.zero_grad()
                    # A mean over the queries and a sum over the networks: none has a part in another's gradient.
                    softplus(-task.labels * self._log_odds(task)).mean(1).sum().backward()
                    self._optimiser.step()
                self.seen += len(block)
                advance(len(block))

    def accuracy(self, suites: Sequence[BooleanTasks], *, tasks: int, seed: int) -> NDArray[np.float64]:
        """Return the accuracy, in per cent, of every member on each of the first tasks of a suite, [models, tasks].

        There is one suite a member, which may be other than what it learned from; the seed is the same for all.
        """
        if len(suites) != len(self.members):
            raise InputError("suites", f"{len(suites)} suites", f"one for each of the {len(self.members)} members")
        found = []
        with one_thread(), torch.no_grad():
            for block in self._blocks(suites, [seed] * len(suites), 0, tasks):
                found += [((self._log_odds(t) > 0) == (t.labels > 0)).double().mean(1) for t in block]
        return 100 * torch.stack(found, 1).numpy()

    @torch.no_grad()
    def encoders(self) -> list[MLP]:
        """Return the encoder of every member by itself, ready for any learner."""
        last = [weight for stacked in self._last for weight in stacked]
        made = []
        for member, weight, bias, last_weight in zip(self.members, self._first, self._bias, last, strict=True):
            encoder = initial_encoder(member).to(weight.dtype)
            first_layer, last_layer = linear_layers(encoder)
            first_layer.weight.copy_(weight.T)
            first_layer.bias.copy_(bias[0])
            last_layer.weight.copy_(last_weight)
            made.append(encoder)
        return made

    def _log_odds(self, task: Tasks) -> Float[Tensor, "models Q"]:
        """Return log p(+) − log p(−) = ‖q − c₋‖² − ‖q − c₊‖² = 2 ⟨q − m, c₊ − c₋⟩, with m midway between the two.

        An embedding Wh + b is linear in the hidden units h. So b drops out, and ⟨Wh, Wδ⟩ = ⟨h, WᵀWδ⟩: rather than
        every row, W takes one vector a task, and n² dimensions cost little more than n.
        """
        h_support = torch.baddbmm(self._bias, task.support, self._first).relu()  # [models, S, H]
        h_query = torch.baddbmm(self._bias, task.query, self._first).relu()  # [models, Q, H]
        delta, m = torch.bmm(task.mix, h_support).split(1, 1)  # [models, 1, H] each
        deltas = delta.split([len(W) for W in self._last])
        v = torch.cat([torch.bmm(torch.bmm(δ, W.mT), W) for δ, W in zip(deltas, self._last, strict=True)]).mT
        return 2 * (torch.bmm(h_query, v) - torch.bmm(m, v)).squeeze(2)

    def _blocks(
        self, suites: Sequence[BooleanTasks], seeds: Sequence[int], start: int, stop: int
    ) -> Iterator[list[Tasks]]:
        """Yield tasks in blocks, those of each member side by side; members of one suite and seed share them."""
        streams = list(zip(suites, seeds, strict=True))
        unique = list(dict.fromkeys(streams))
        index = torch.tensor([unique.index(stream) for stream in streams])
        for first in range(start, stop, BLOCK):
            episodes = [suite.batch(seed, first, min(first + BLOCK, stop)) for suite, seed in unique]
            support, support_labels, query, labels = (  # [tasks, models, …]
                torch.stack([getattr(e, part) for e in episodes], 1).to(self._first.dtype)[:, index]
                for part in ("support", "support_labels", "query", "query_labels")
            )
            mix = prototype_mix(support_labels)
            yield [Tasks(*task) for task in zip(support, mix, query, labels, strict=True)]


def prototype_mix(labels: Float[Tensor, "*tasks S"]) -> Float[Tensor, "*tasks 2 S"]:
    """Return the weights that take rows of classes −1 and +1 to c₊ − c₋ and to (c₊ + c₋) / 2.

    >>> prototype_mix(torch.tensor([1.0, -1.0, 1.0, 1.0]))
    tensor([[ 0.3333, -1.0000,  0.3333,  0.3333],
            [ 0.1667,  0.5000,  0.1667,  0.1667]])
    """
    plus, minus = ((labels == sign).to(labels.dtype) for sign in (1, -1))
    plus, minus = plus / plus.sum(-1, keepdim=True), minus / minus.sum(-1, keepdim=True)
    return torch.stack([plus - minus, (plus + minus) / 2], -2)
