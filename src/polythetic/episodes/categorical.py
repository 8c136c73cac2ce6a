"""Multi-categorical pictures: four coloured digits, and a label for each digit and each colour (App. G)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.functional import one_hot

from polythetic.arguments import whole_number
from polythetic.datasets.collection import Collection
from polythetic.episodes.chance import Chance
from polythetic.episodes.quadrants import COLOURS, DIGITS, VALUES, Quadrants


class Labelled(NamedTuple):
    """Pictures with eight labels each."""

    pictures: Float[Tensor, "n channels height width"]
    digits: Int[Tensor, "n 4"]  # one of ten each
    colours: Int[Tensor, "n 4"]  # one of three each

    @property
    def multi_hot(self) -> Float[Tensor, "n 52"]:
        """The eight labels as one vector: 4 × 10 for the digits, then 4 × 3 for the colours."""
        digits = one_hot(self.digits, DIGITS).flatten(1)
        return torch.cat([digits, one_hot(self.colours, len(COLOURS)).flatten(1)], 1).float()


@dataclass(frozen=True, eq=False)
class CategoricalPictures:
    """Pictures of four coloured digits drawn at random, for pre-training with a label for every digit and colour.

    >>> from polythetic.datasets import mnist
    >>> pictures = CategoricalPictures(mnist("training", source="embedded")).batch(seed=0, start=0, stop=16)
    >>> pictures.pictures.shape, pictures.multi_hot.sum(1)[:3]
    (torch.Size([16, 3, 56, 56]), tensor([8., 8., 8.]))
    """

    digits: Collection

    def batch(self, seed: int, start: int, stop: int) -> Labelled:
        """Return pictures ``start`` to ``stop`` of the seed; each depends on the seed and its number alone."""
        seed = whole_number("seed", seed, least=0, most=2**63 - 1)
        start = whole_number("start", start, least=0)
        stop = whole_number("stop", stop, least=start + 1, meaning="at least one picture")
        quadrants = Quadrants(self.digits, coloured=True)
        traits, numbers = [], []
        for number in range(start, stop):
            chance = Chance(seed, number)
            traits.append((chance.uniform(1, 8) * VALUES).astype(np.int64))
            numbers.append(quadrants.any_images(traits[-1], chance))
        labels = np.concatenate(traits)
        pictures = quadrants.paint(labels, np.concatenate(numbers))
        return Labelled(torch.from_numpy(pictures), *torch.from_numpy(labels).split(4, dim=1))
