"""MAML: an encoder that a few steps of gradient descent on a task's support adapt to the task.

Finn, Abbeel and Levine, Model-Agnostic Meta-Learning for Fast Adaptation of Deep Networks, 2017.
"""

from __future__ import annotations

import math
from itertools import product
from typing import NamedTuple, TypeAlias

import torch
from jaxtyping import Float, Int, Shaped
from torch import Tensor
from torch.func import functional_call
from torch.nn.functional import one_hot, pad

from polythetic.arguments import whole_number
from polythetic.encoders.encoder import Encoder
from polythetic.episodes.episode import Episode
from polythetic.errors import InputError
from polythetic.learners.learner import Learner

Parameters: TypeAlias = dict[str, Tensor]


class Head(NamedTuple):
    """A linear classifier, the threshold classifier of the paper (§2)."""

    W: Float[Tensor, "K F"]
    b: Float[Tensor, " K"]

    def __call__(self, x: Float[Tensor, "m F"]) -> Float[Tensor, "m K"]:
        """Return logits."""
        return x @ self.W.mT + self.b


class MAML(Learner):
    """Learns the parameters from which adaptation starts: those that do best on queries after steps on the support.

    On a task, encoder and head descend the cross-entropy of the support; what is adapted then classifies the queries.
    The head starts at zero, with one row a class of the task, so that a task may have any number of classes. In the
    descent the encoder sees the support alone; the queries come to it once, at the end, with the support.

    Tasks are adapted one after the other, each exactly, and all their graphs are kept until the backward pass: with
    large encoders give one task, or a few, at a time.

    Args:
        encoder: what is learned and adapted; all of its parameters are.
        steps: of adaptation in training mode.
        test_steps: of adaptation otherwise.
        rate: how far a step goes along the gradient.
        order: 2 for the exact gradient, through the steps; 1 takes the gradients of the steps for constants, which is
            quicker and leaner.

    >>> from polythetic.encoders import Pointwise
    >>> encoder = Pointwise(torch.nn.Linear(2, 2), example_dims=1)
    >>> rows, labels = torch.tensor([[3.0, 1.0], [-3.0, 1.0]]), torch.tensor([4, 7])
    >>> MAML(encoder).eval().predict(rows, labels, 2 * rows)
    tensor([4, 7])
    """

    def __init__(self, encoder: Encoder, *, steps: int = 5, test_steps: int = 10, rate: float = 0.4, order: int = 2):
        super().__init__()
        if not 0 < rate < math.inf:
            raise InputError("rate", rate, "a rate of descent, more than 0 and finite")
        self.encoder = encoder
        self.steps = whole_number("steps", steps, least=0)
        self.test_steps = whole_number("test_steps", test_steps, least=0)
        self.rate = rate
        self.order = whole_number("order", order, least=1, most=2, meaning="of the derivatives")

    def extra_repr(self) -> str:
        """Show the settings."""
        return f"steps={self.steps}, test_steps={self.test_steps}, rate={self.rate}, order={self.order}"

    def forward(self, episode: Episode) -> Float[Tensor, "*tasks q K"]:
        """Adapt to each task, then classify its queries; columns that a task has no class for are −∞."""
        tasks = episode.support_labels.shape[:-1]
        found = [self._log_probabilities(episode, task) for task in product(*map(range, tasks))]  # [q, K] each
        K = max(log_p.shape[-1] for log_p in found)
        same = [pad(log_p, (0, K - log_p.shape[-1]), value=-math.inf) for log_p in found]
        return torch.stack(same).reshape(*tasks, *same[0].shape)

    def _log_probabilities(self, episode: Episode, task: tuple[int, ...]) -> Float[Tensor, "q K"]:
        """Classify the queries of one task; rows that are padding never reach the encoder."""
        support, labels, query = (x[task] for x in (episode.support, episode.support_labels, episode.query))
        if episode.support_mask is not None:
            support, labels = support[episode.support_mask[task]], labels[episode.support_mask[task]]
        classes, y = labels.unique(return_inverse=True)  # ascending
        asked = query.new_ones(len(query), dtype=torch.bool) if episode.query_mask is None else episode.query_mask[task]

        theta, head = self._adapt(support, y, len(classes))
        _, features = functional_call(self.encoder, theta, (support, query[asked]))
        log_p = head(features).log_softmax(-1)
        everywhere = log_p.new_full((len(query), len(classes)), -math.log(len(classes)))  # padding: undecided
        return everywhere.masked_scatter(asked[:, None], log_p)

    def _adapt(self, support: Shaped[Tensor, "n ..."], y: Int[Tensor, " n"], K: int) -> tuple[Parameters, Head]:
        """Descend the mean cross-entropy of the support; return the parameters of the encoder, and the head.

        With features f, classes Y in ones and zeros, and E = (softmax(fWᵀ + b) − Y) / n the gradient at the logits,
        the gradients are Eᵀf at W, ΣE at b and EW at the features, from where autograd takes it to the encoder. At
        the first step W = 0, so the encoder has none and stays as it is: its features serve the second step, too.
        """
        through = self.order == 2 and torch.is_grad_enabled()  # the gradients are differentiated themselves
        theta: Parameters = dict(self.encoder.named_parameters())
        at, f = self._encode(support, theta, through)
        Y = one_hot(y, K).to(f.dtype)
        W, b = f.new_zeros(K, f.shape[-1]), f.new_zeros(K)
        for step in range(self.steps if self.training else self.test_steps):
            if step > 1:
                at, f = self._encode(support, theta, through)
            with torch.set_grad_enabled(through):
                E = ((f @ W.mT + b).softmax(-1) - Y) / len(Y)
                dW, db = E.mT @ f, E.sum(0)
            if step > 0:
                # Not torch.func.grad: under its transforms encoders cannot take their fast formulations, not even
                # where first derivatives will do; evaluation takes twice as long.
                gradient = torch.autograd.grad(
                    f, tuple(at.values()), E @ W, create_graph=through, materialize_grads=True
                )
                theta = {name: theta[name] - self.rate * g for name, g in zip(at, gradient, strict=True)}
            W, b = W - self.rate * dW, b - self.rate * db
        return theta, Head(W, b)

    def _encode(
        self, support: Shaped[Tensor, "n ..."], theta: Parameters, through: bool
    ) -> tuple[Parameters, Float[Tensor, "n F"]]:
        """Encode the support, and return with its features the parameters that they can be derived by."""
        at = {name: p if through and p.requires_grad else p.detach().requires_grad_() for name, p in theta.items()}
        # The encoder wants queries: few, so that they cost nothing, and padding, so that they count for nothing in
        # its statistics. Not fewer than two, as batch norm would have it.
        query, padding = support[:2], support.new_zeros(len(support[:2]), dtype=torch.bool)
        with torch.enable_grad():  # also under torch.no_grad(), where predictions are made
            f, _ = functional_call(self.encoder, at, (support, query, None, padding))
        return at, f
