"""Learners by the paper's names."""

from __future__ import annotations

from polythetic.encoders import Encoder
from polythetic.errors import InputError
from polythetic.learners.episodic import EpisodicLearner
from polythetic.learners.heads import head_named
from polythetic.learners.learner import Learner
from polythetic.learners.maml import MAML


def learner_named(name: str, encoder: Encoder, *, variant: str = "ours", suite: str = "") -> Learner:
    """Make a learner on an encoder: MAML, or a method on top of it.

    The authors' variant clips probabilities on digits, as their code does.

    >>> import torch
    >>> from polythetic.encoders import Pointwise
    >>> type(learner_named("IMP", Pointwise(torch.nn.Linear(3, 2), example_dims=1))).__name__
    'EpisodicLearner'
    """
    method = name.upper()
    if method == "MAML":
        return MAML(encoder)
    if method.endswith("NN"):
        raise InputError("method", repr(name), "one with a gradient, PN say; evaluate its encoder with --method NN")
    clipped = variant == "authors" and suite.startswith("mnist-")
    return EpisodicLearner(encoder, head_named(method, variant), clip=0.05 if clipped else 0.0)
