"""Multi-categorical pre-training: learn every digit and every colour of a picture, then use the answers as features.

App. G. Nothing in such a label is irrelevant, so an ordinary classifier can be trained first, and few-shot tasks
solved with what it says.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor, nn

from polythetic.arguments import one_of, whole_number
from polythetic.encoders.conv4 import Conv4
from polythetic.encoders.encoder import Encoder
from polythetic.episodes.categorical import CategoricalPictures, Labelled
from polythetic.episodes.quadrants import COLOURS, DIGITS
from polythetic.progress import Progress, Silent

HEADS = [DIGITS] * 4 + [len(COLOURS)] * 4  # the answers that each of the eight heads chooses from
HIDDEN = 512
READ_OUTS = ("softmax", "sigmoid")


class CategoricalEncoder(Encoder):
    """A convolutional network with eight heads, whose answers, 52 numbers, are the features of a picture.

    Args:
        size: of the pictures, (height, width).
        read_out: ``"softmax"``, the probabilities that each head was trained to give, or ``"sigmoid"``, elementwise.
        statistics: of the batch norm, ``"support"`` or ``"joint"`` as in ``Conv4``.

    >>> support, query = CategoricalEncoder((56, 56))(torch.rand(4, 3, 56, 56), torch.rand(1, 3, 56, 56))
    >>> support.shape, query.shape, support.sum(1).round()  # each of eight heads sums to one
    (torch.Size([4, 52]), torch.Size([1, 52]), tensor([8., 8., 8., 8.], grad_fn=<RoundBackward0>))
    """

    def __init__(self, size: tuple[int, int] = (56, 56), *, read_out: str = "softmax", statistics: str = "support"):
        super().__init__()
        one_of("read_out", read_out, READ_OUTS)
        self.read_out = read_out
        self.convolutions = Conv4(len(COLOURS), size=size, embedding=HIDDEN, statistics=statistics)
        self.head = nn.Sequential(nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, sum(HEADS)))

    def forward(
        self,
        support: Shaped[Tensor, "*tasks n ..."],
        query: Shaped[Tensor, "*tasks q ..."],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n 52"], Float[Tensor, "*tasks q 52"]]:
        """Return what the heads say of support and queries."""
        seen, asked = self.task_logits(support, query, mask, query_mask)
        return read(seen, self.read_out), read(asked, self.read_out)

    def task_logits(
        self,
        support: Shaped[Tensor, "*tasks n ..."],
        query: Shaped[Tensor, "*tasks q ..."],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n 52"], Float[Tensor, "*tasks q 52"]]:
        """Return the logits of all heads side by side, of support and queries."""
        seen, asked = self.convolutions(support, query, mask, query_mask)
        return self.head(seen), self.head(asked)

    def logits(self, pictures: Float[Tensor, "n 3 h w"]) -> tuple[Float[Tensor, "n k"], ...]:
        """Return the logits of each head, for pictures normalised by their own statistics."""
        return self.task_logits(pictures, pictures[:0])[0].split(HEADS, -1)


def read(logits: Float[Tensor, "*rows 52"], read_out: str) -> Float[Tensor, "*rows 52"]:
    """Turn logits into features: the probabilities of each head, or the sigmoid of every logit.

    >>> read(torch.zeros(1, 52), "softmax").sum().round(), read(torch.zeros(1, 52), "sigmoid").sum()
    (tensor(8.), tensor(26.))
    """
    one_of("read_out", read_out, READ_OUTS)
    if read_out == "sigmoid":
        return logits.sigmoid()
    return torch.cat([part.softmax(-1) for part in logits.split(HEADS, -1)], -1)


def pretrain(
    encoder: CategoricalEncoder,
    pictures: CategoricalPictures,
    *,
    batches: int = 800,
    batch_size: int = 16,
    learning_rate: float = 1e-3,
    decay: bool = False,
    seed: int = 0,
    progress: Progress | None = None,
    note: Callable[[int, float], Any] = lambda batch, loss: None,
) -> CategoricalEncoder:
    """Train the eight heads with cross-entropy: 800 batches of 16 pictures in the paper.

    Args:
        encoder: what learns, in place.
        pictures: what it learns from.
        batches: how many.
        batch_size: pictures a batch.
        learning_rate: Adam's.
        decay: let the learning rate fall to zero along half a cosine, instead of staying as it is.
        seed: of the pictures.
        progress: is told of every batch.
        note: is told the loss of every batch.
    """
    whole_number("batches", batches, least=1)
    progress = progress or Silent()
    progress.start("pre-training", batches)
    optimiser = torch.optim.Adam(encoder.parameters(), lr=learning_rate)
    encoder.train()
    for batch in range(batches):
        for group in optimiser.param_groups:
            group["lr"] = learning_rate * (1 + math.cos(math.pi * batch / batches)) / 2 if decay else learning_rate
        labelled = pictures.batch(seed, batch * batch_size, (batch + 1) * batch_size)
        loss = categorical_loss(encoder, labelled)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        note(batch, loss.item())
        progress.advance(1, f"loss {loss.item():.3f}")
    encoder.eval()
    return encoder


def categorical_loss(encoder: CategoricalEncoder, labelled: Labelled) -> Float[Tensor, ""]:
    """Return the mean cross-entropy of the eight heads."""
    truth = torch.cat([labelled.digits, labelled.colours], 1)  # [n, 8]
    logits = encoder.logits(labelled.pictures)
    return torch.stack([nn.functional.cross_entropy(z, y) for z, y in zip(logits, truth.T, strict=True)]).mean()


def named_rightly(
    encoder: CategoricalEncoder, pictures: CategoricalPictures, *, examples: int = 1600, seed: int = 0
) -> Bool[Tensor, "n 8"]:
    """Say which of four digits and four colours are named rightly, picture by picture; a hundred at a time."""
    right = []
    with torch.no_grad():
        for start in range(0, examples, 100):
            labelled = pictures.batch(seed, start, min(start + 100, examples))
            truth = torch.cat([labelled.digits, labelled.colours], 1)
            right.append(torch.stack([z.argmax(-1) for z in encoder.logits(labelled.pictures)], 1) == truth)
    return torch.cat(right)


def categorical_accuracy(
    encoder: CategoricalEncoder, pictures: CategoricalPictures, *, examples: int = 1600, seed: int = 0
) -> tuple[float, float]:
    """Return the share of digits, and of colours, that are named rightly, in per cent."""
    digits, colours = named_rightly(encoder, pictures, examples=examples, seed=seed).float().split(4, 1)
    return 100 * digits.mean().item(), 100 * colours.mean().item()
