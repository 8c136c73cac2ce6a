"""Pictures of four digits, a quadrant each: what can be told of one, and how it is made (§5, App. J)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.collection import Collection
from polythetic.episodes.assembly import NONE
from polythetic.episodes.chance import Chance, Numbers
from polythetic.errors import InputError

QUADRANTS = ("top-left", "top-right", "bottom-left", "bottom-right")
COLOURS = ("red", "green", "blue")
DIGITS = 10
DRAWS = 1000  # of one picture's digits, before it is said to be impossible

# The attributes of a picture by number: the four digits, then their four colours.
ATTRIBUTES = tuple(f"{quadrant} {what}" for what in ("digit", "colour") for quadrant in QUADRANTS)
VALUES = np.array([DIGITS] * 4 + [len(COLOURS)] * 4)  # how many values each can take


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

    def numbers(self, traits: Numbers, chance: Chance, *, without: Numbers | None = None) -> Numbers:
        """Choose an image for each digit of the traits [rows, 8], none of those in ``without``: [rows, 4]."""
        shown = traits[:, :4]
        chosen = self._choose(shown, chance)
        if without is None:
            return chosen
        for _ in range(DRAWS):
            clash = np.isin(chosen, without) & (shown != NONE)
            if not clash.any():
                return chosen
            chosen[clash] = self._choose(shown[clash], chance)
        raise InputError("digits", f"{len(self.digits)} pictures", "more pictures of each digit for tasks of this size")

    def _choose(self, shown: Numbers, chance: Chance) -> Numbers:
        members, starts, sizes = self._pool
        which = starts[shown] + (chance.uniform(*shown.shape) * sizes[shown]).astype(np.int64)
        return np.where(shown == NONE, NONE, members[which])

    @cached_property
    def _pool(self) -> tuple[Numbers, Numbers, Numbers]:
        """The images of all digits in one row, where each digit's begin, and how many there are."""
        sizes = np.array([len(members) for members in self.digits.members])
        return np.concatenate(self.digits.members), np.cumsum(sizes) - sizes, sizes

    def paint(self, traits: Numbers, numbers: Numbers) -> NDArray[np.float32]:
        """Paint pictures [rows, channels, 2·height, 2·width] from their records."""
        _, height, width = self.digits.examples.shape
        row, quadrant = np.nonzero(numbers != NONE)
        channel = traits[row, 4 + quadrant] if self.coloured else np.zeros_like(row)
        pictures = np.zeros((len(numbers), self.channels, 2, height, 2, width), np.float32)
        images = self.digits.examples.take(numbers[row, quadrant])[:, 0]
        pictures[row, channel, quadrant // 2, :, quadrant % 2] = images
        return pictures.reshape(len(numbers), *self.shape)
