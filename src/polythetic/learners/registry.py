"""Learners by the paper's names."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any

from polythetic.arguments import one_of
from polythetic.encoders import Encoder
from polythetic.errors import InputError
from polythetic.learners.episodic import EpisodicLearner
from polythetic.learners.heads import head_named
from polythetic.learners.learner import Learner
from polythetic.learners.maml import MAML
from polythetic.learners.relabelled import RelabelledPrototypes

RELABELLED = "RELABELLED-PN"  # ours


def learner_named(
    name: str, encoder: Encoder, *, variant: str = "ours", suite: str = "", options: Mapping[str, Any] | None = None
) -> Learner:
    """Make a learner on an encoder: MAML, prototypes of relabelled pictures, or a method on top of it.

    The authors' variant clips probabilities on digits, as their code does. The options are those of ``MAML``, or of
    ``head_named`` for the others.

    >>> import torch
    >>> from polythetic.encoders import Pointwise
    >>> type(learner_named("IMP", Pointwise(torch.nn.Linear(3, 2), example_dims=1))).__name__
    'EpisodicLearner'
    """
    method, options = name.upper(), options or {}
    makes = {"MAML": MAML, RELABELLED: RelabelledPrototypes}.get(method, head_named)
    parameters = signature(makes).parameters.values()
    for option in options:
        one_of(f"option of {method}", option, [p.name for p in parameters if p.kind is p.KEYWORD_ONLY])
    if method == "MAML":
        return MAML(encoder, **options)
    if method == RELABELLED:
        return RelabelledPrototypes(encoder)
    if method.endswith("NN"):
        raise InputError("method", repr(name), "one with a gradient, PN say; evaluate its encoder with --method NN")
    clipped = variant == "authors" and suite.startswith("mnist-")
    return EpisodicLearner(encoder, head_named(method, variant, **options), clip=0.05 if clipped else 0.0)
