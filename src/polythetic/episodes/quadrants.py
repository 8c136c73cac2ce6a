"""Pictures of four digits, a quadrant each: what can be told of one, and how it is made (§5, App. J)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.collection import Collection
from polythetic.episodes.assembly import NONE
from polythetic.episodes.chance import Chance, Numbers
from polythetic.errors import InputError

QUADRANTS = ("top-left", "top-right", "bottom-left", "bottom-right")
COLOURS = ("red", "green", "blue")
DIGITS = 10
DRAWS = 100  # of images that the queries do not have, before the images are shared out

# The attributes of a picture by number: the four digits, then their four colours.
ATTRIBUTES = tuple(f"{quadrant} {what}" for what in ("digit", "colour") for quadrant in QUADRANTS)
VALUES = np.array([DIGITS] * 4 + [len(COLOURS)] * 4)  # how many values each can take


class _Pool(NamedTuple):
    """The images of all digits in one row, where each digit's begin, and how many each has."""

    numbers: Numbers
    starts: Numbers
    sizes: Numbers

    @classmethod
    def of(cls, members: Sequence[Numbers]) -> _Pool:
        sizes = np.array([len(numbers) for numbers in members])
        return cls(np.concatenate(members), np.cumsum(sizes) - sizes, sizes)

    def choose(self, shown: Numbers, chance: Chance) -> Numbers:
        """Choose an image for each digit, with replacement; none for none."""
        which = self.starts[shown] + (chance.uniform(*shown.shape) * self.sizes[shown]).astype(np.int64)
        return np.where(shown == NONE, NONE, self.numbers[which])

    def halves(self, chance: Chance) -> tuple[_Pool, _Pool]:
        """Share the images of each digit out between two pools, at random."""
        members = np.split(self.numbers, self.starts[1:])
        mixed = [chance.shuffled(numbers) for numbers in members]
        return _Pool.of([m[: len(m) // 2] for m in mixed]), _Pool.of([m[len(m) // 2 :] for m in mixed])


@dataclass(frozen=True, eq=False)
class Quadrants:
    """Makes pictures of four digits from a collection of digits.

    A picture is recorded as ``traits`` [8]: the digit in each quadrant, then its colour, −1 for none; and as
    ``number`` [4]: which image of the collection each digit is, −1 for a black quadrant.
    """

    digits: Collection
    coloured: bool

    def __post_init__(self) -> None:
        shape = self.digits.examples.shape
        if len(shape) != 3 or shape[0] != 1:
            raise InputError("digits", f"examples of shape {shape}", "grey pictures, [1, height, width]")
        if self.digits.classes != DIGITS:
            raise InputError("digits", f"{self.digits.classes} classes", f"a collection of {DIGITS}, one a digit")
        pools = zip(self.digits.class_names, self.digits.members, strict=True)
        if few := [name for name, members in pools if len(members) < 2]:
            raise InputError("digits", f"too few of {', '.join(few)}", "at least 2 pictures of each digit")

    @property
    def channels(self) -> int:
        """Three where there is colour, else one."""
        return len(COLOURS) if self.coloured else 1

    @property
    def shape(self) -> tuple[int, int, int]:
        """The shape of a picture."""
        _, height, width = self.digits.examples.shape
        return self.channels, 2 * height, 2 * width

    def images(self, support: Numbers, query: Numbers, chance: Chance) -> tuple[Numbers, Numbers]:
        """Choose an image for each digit of the traits [rows, 8] of support and queries, none for both: [rows, 4]."""
        pool = self._pool
        asked, seen = pool.choose(query[:, :4], chance), pool.choose(support[:, :4], chance)
        for _ in range(DRAWS):
            clash = np.isin(seen, asked) & (seen != NONE)
            if not clash.any():
                return seen, asked
            seen[clash] = pool.choose(support[:, :4][clash], chance)
        # The queries use up all the images of some digit: then half of each digit's images are theirs.
        first, second = pool.halves(chance)
        return first.choose(support[:, :4], chance), second.choose(query[:, :4], chance)

    def any_images(self, traits: Numbers, chance: Chance) -> Numbers:
        """Choose an image for each digit of the traits [rows, 8]: [rows, 4]."""
        return self._pool.choose(traits[:, :4], chance)

    @cached_property
    def _pool(self) -> _Pool:
        return _Pool.of(self.digits.members)

    def paint(self, traits: Numbers, numbers: Numbers) -> NDArray[np.float32]:
        """Paint pictures [rows, channels, 2·height, 2·width] from their records."""
        _, height, width = self.digits.examples.shape
        row, quadrant = np.nonzero(numbers != NONE)
        channel = traits[row, 4 + quadrant] if self.coloured else np.zeros_like(row)
        pictures = np.zeros((len(numbers), self.channels, 2, height, 2, width), np.float32)
        images = self.digits.examples.take(numbers[row, quadrant])[:, 0]
        pictures[row, channel, quadrant // 2, :, quadrant % 2] = images
        return pictures.reshape(len(numbers), *self.shape)
