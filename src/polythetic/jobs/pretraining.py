"""The work of App. G: pre-train eight heads, count what they name rightly, take what they say for features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from jaxtyping import Int
from torch import Tensor
from torch.nn.functional import one_hot

from polythetic.datasets import mnist
from polythetic.episodes.categorical import CategoricalPictures
from polythetic.episodes.digits import DigitTasks
from polythetic.episodes.episode import Episode
from polythetic.episodes.quadrants import COLOURS, DIGITS
from polythetic.evaluation import accuracy_of
from polythetic.learners.answers import head_on_answers
from polythetic.learners.categorical import CategoricalEncoder, named_rightly, pretrain, read
from polythetic.runs import EVALUATION_SEED

TRUTH = "truth"  # in the place of a read-out: what is there to be said, as if the heads never erred

Features = Callable[[Episode], dict[str, tuple[Tensor, Tensor]]]


@dataclass(frozen=True)
class Pretraining:
    """All that a pre-training depends on; the paper has 800 batches of 16.

    Attributes:
        batches: how many.
        batch_size: pictures a batch.
        decay: let the learning rate fall to zero.
        statistics: of the batch norm, in few-shot tasks: ``"support"`` or ``"joint"``.
        seed: of the weights at the start, and of the pictures.
    """

    batches: int
    batch_size: int = 16
    decay: bool = False
    statistics: str = "support"
    seed: int = 0

    def encoder(self) -> CategoricalEncoder:
        """Make the encoder as it is before training."""
        torch.manual_seed(self.seed)
        return CategoricalEncoder(statistics=self.statistics)


def learn_to_name(settings: Pretraining) -> dict[str, Tensor]:
    """Pre-train on all but the evaluation digits, and return the weights."""
    encoder = pretrain(
        settings.encoder(),
        CategoricalPictures(mnist("training")),
        batches=settings.batches,
        batch_size=settings.batch_size,
        decay=settings.decay,
        seed=settings.seed,
    )
    return {name: tensor.detach().clone() for name, tensor in encoder.state_dict().items()}


def count_named(weights: dict[str, Tensor], settings: Pretraining, examples: int, seed: int = 0) -> dict[str, Tensor]:
    """Return how much of the digits, and of the colours, is named rightly, in per cent, picture by picture."""
    pictures = CategoricalPictures(mnist("evaluation"))
    right = named_rightly(_trained(weights, settings), pictures, examples=examples, seed=EVALUATION_SEED + seed)
    digits, colours = right.double().split(4, 1)
    return {"digits": 100 * digits.mean(1), "colours": 100 * colours.mean(1)}


def measure_answers(
    weights: dict[str, Tensor],
    settings: Pretraining,
    read_outs: Sequence[str],
    heads: Mapping[str, Mapping[str, Any]],
    polythetic: float,
    start: int,
    stop: int,
    seed: int = 0,
) -> dict[str, Tensor]:
    """Return the accuracies, in per cent, of heads on the answers of a pre-trained encoder, task by task.

    Args:
        weights: that ``learn_to_name`` gave.
        settings: that it was given.
        read_outs: of the same answers.
        heads: by what they are called here, the arguments of ``head_on_answers``.
        polythetic: the share of polythetic tasks.
        start: the number of the first task.
        stop: that of the first task after the last.
        seed: of the tasks.

    Returns:
        by ``"READ-OUT HEAD"``, an accuracy a task.
    """
    encoder = _trained(weights, settings)

    def features(episode: Episode) -> dict[str, tuple[Tensor, Tensor]]:
        seen, asked = encoder.task_logits(episode.support, episode.query)
        return {read_out: (read(seen, read_out), read(asked, read_out)) for read_out in read_outs}

    return _measure(features, heads, polythetic, range(start, stop), seed)


def measure_truth(
    heads: Mapping[str, Mapping[str, Any]], polythetic: float, start: int, stop: int, seed: int = 0
) -> dict[str, Tensor]:
    """Return the accuracies of heads on the true labels of the same pictures: the most that pre-training could give."""

    def features(episode: Episode) -> dict[str, tuple[Tensor, Tensor]]:
        seen, asked = (multi_hot(episode.attributes[f"{side}_traits"]) for side in ("support", "query"))
        return {TRUTH: (seen, asked)}

    return _measure(features, heads, polythetic, range(start, stop), seed)


def _measure(
    features: Features,
    heads: Mapping[str, Mapping[str, Any]],
    polythetic: float,
    numbers: range,
    seed: int,
) -> dict[str, Tensor]:
    tasks = DigitTasks(mnist("evaluation"), "full", polythetic=polythetic)
    methods = {label: head_on_answers(**head) for label, head in heads.items()}
    found: dict[str, list[float]] = {}
    with torch.no_grad():
        for number in numbers:
            episode = tasks.batch(EVALUATION_SEED + seed, number, number + 1)
            for read_out, (seen, asked) in features(episode).items():
                for label, method in methods.items():
                    predicted = method.predict(seen, episode.support_labels, asked)
                    found.setdefault(f"{read_out} {label}", []).append(float(accuracy_of(predicted, episode)[0]))
    return {label: torch.tensor(values, dtype=torch.float64) for label, values in found.items()}


def _trained(weights: dict[str, Tensor], settings: Pretraining) -> CategoricalEncoder:
    encoder = settings.encoder()
    encoder.load_state_dict(weights)
    return encoder.eval()


def multi_hot(traits: Int[Tensor, "*rows 8"]) -> Tensor:
    """Return the answers of heads that never err: a 1 for each digit and each colour that is there."""
    digits, colours = one_hot(traits[..., :4], DIGITS), one_hot(traits[..., 4:], len(COLOURS))
    return torch.cat([digits.flatten(-2), colours.flatten(-2)], -1).float()
