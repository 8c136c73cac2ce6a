"""Two kinds of work that the learned tables are made of: train a learner, and put heads on what it has learned."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from polythetic.episodes.suites import suite_named
from polythetic.evaluation import accuracy_of
from polythetic.learners import EpisodicLearner
from polythetic.learners.heads import head_named
from polythetic.pipeline import predict_with_all
from polythetic.runs import EVALUATION_SEED, RunSettings, encoder_of, run


def train(settings: RunSettings, folder: Path) -> dict[str, Tensor]:
    """Train a learner in a folder, or go on where the folder has it, and return its weights."""
    return {name: tensor.detach().clone() for name, tensor in run(settings, folder).state_dict().items()}


def measure(
    weights: dict[str, Tensor],
    settings: RunSettings,
    suite: str,
    options: Mapping[str, Any],
    heads: Mapping[str, Mapping[str, Any] | None],
    start: int,
    stop: int,
    seed: int = 0,
) -> dict[str, Tensor]:
    """Return the accuracies, in per cent, of heads on the same encoder, task by task.

    Args:
        weights: that ``train`` gave.
        settings: that it was given.
        suite: to evaluate on, by name.
        options: of the suite.
        heads: by what they are called here, the arguments of ``head_named``; None is the head that was trained.
        start: the number of the first task.
        stop: that of the first task after the last.
        seed: of the tasks; they are never those of training.
    """
    tasks = suite_named(suite, split="evaluation", options=dict(options))
    learner = settings.learner(tasks)
    learner.load_state_dict(weights)
    learner.eval()
    methods = {label: head_named(**head) for label, head in heads.items() if head is not None}
    if isinstance(learner, EpisodicLearner):  # its own head, too, takes features: they are made once for all
        methods |= {label: learner.method for label, head in heads.items() if head is None}
    encoder = encoder_of(learner) if methods else None
    found: dict[str, list[float]] = {label: [] for label in heads}
    with torch.no_grad():
        for number in range(start, stop):
            episode = tasks.batch(EVALUATION_SEED + seed, number, number + 1)
            masks = {"mask": episode.support_mask, "query_mask": episode.query_mask}
            predicted = {}
            if encoder is not None:
                support, query = encoder(episode.support, episode.query, *masks.values())
                predicted = predict_with_all(methods, support, episode.support_labels, query, **masks)
            for label in heads:
                if label not in predicted:
                    own = learner.predict(episode.support, episode.support_labels, episode.query, **masks)
                    predicted[label] = own
                found[label].append(float(accuracy_of(predicted[label], episode)[0]))
    return {label: torch.tensor(values, dtype=torch.float64) for label, values in found.items()}
