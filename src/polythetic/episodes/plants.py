"""Three classes of plants, defined by one feature, by pairs of features or by none alone (Figure 1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from polythetic.episodes.chance import Chance
from polythetic.episodes.episode import Episode

Pattern: TypeAlias = tuple[int, ...]  # the value of each feature: filaments, anthers and, if there is a third, the base

SHOTS, QUERIES = 20, 10  # rows of support, and queries, a class


@dataclass(frozen=True)
class Example:
    """Three classes, each a set of patterns over a few features.

    Attributes:
        title: in a line.
        values: how many each feature can take.
        patterns: of each class.
        shown: members of each class to draw, by their patterns' numbers.
    """

    title: str
    values: tuple[int, ...]
    patterns: tuple[tuple[Pattern, ...], ...]
    shown: tuple[int, ...]

    def seen(self, label: int, feature: int) -> set[int]:
        """Return the values of a feature that occur in a class."""
        return {pattern[feature] for pattern in self.patterns[label]}

    def necessary(self) -> list[tuple[int, int, int]]:
        """List (class, feature, value) where every member of the class has the value."""
        found = ((k, f, self.seen(k, f)) for k, f in self._classes_and_features())
        return [(k, f, min(values)) for k, f, values in found if len(values) == 1]

    def sufficient(self) -> list[tuple[int, int, int]]:
        """List (class, feature, value) where only members of the class have the value."""
        found = []
        for k, f in self._classes_and_features():
            elsewhere = set().union(*(self.seen(other, f) for other in range(3) if other != k))
            found += [(k, f, value) for value in sorted(self.seen(k, f) - elsewhere)]
        return found

    def told_apart(self) -> list[tuple[int, int, int]]:
        """List (class, class, feature) where the feature alone tells the two classes apart."""
        pairs = product(combinations(range(3), 2), range(len(self.values)))
        return [(j, k, f) for (j, k), f in pairs if not self.seen(j, f) & self.seen(k, f)]

    @property
    def members(self) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
        """One member for each pattern, as indicators, and their classes."""
        labels = np.repeat(np.arange(3), [len(patterns) for patterns in self.patterns])
        return indicators(np.concatenate([np.array(patterns) for patterns in self.patterns]), self.values), labels

    def _classes_and_features(self) -> Iterator[tuple[int, int]]:
        return product(range(3), range(len(self.values)))


EXAMPLES = {
    "one": Example(
        "one feature decides: filaments",
        (3, 2, 2),
        tuple(tuple((k, a, b) for a in (0, 1) for b in (0, 1)) for k in range(3)),
        (0, 1, 3),
    ),
    "pairs": Example(
        "one feature for each pair",
        (2, 2, 2),
        (((1, 0, 0), (1, 1, 0)), ((0, 1, 0), (0, 1, 1)), ((0, 0, 1), (1, 0, 1))),
        (0, 1),
    ),
    "none": Example(
        "no feature alone",
        (3, 3),
        tuple(tuple((i, j) for i in range(3) for j in range(3) if (i + j) % 3 == k) for k in range(3)),
        (0, 1, 2),
    ),
}


def indicators(values: NDArray[np.int64], counts: tuple[int, ...]) -> NDArray[np.float32]:
    """Write features out as a column of 0 and 1 for each value they can take.

    >>> indicators(np.array([[1, 0]]), (2, 3)).tolist()
    [[0.0, 1.0, 1.0, 0.0, 0.0]]
    """
    columns = [np.eye(count, dtype=np.float32)[values[..., f]] for f, count in enumerate(counts)]
    return np.concatenate(columns, -1)


@dataclass(frozen=True)
class PlantTasks:
    """Tasks of an example: members drawn at random from each class, with irrelevant features beside."""

    example: Example
    irrelevant: int

    def batch(self, seed: int, start: int, stop: int) -> Episode:
        """Return tasks ``start`` to ``stop`` of the seed; each depends on the seed and its number alone."""
        support, query = zip(*(self._task(Chance(seed, number)) for number in range(start, stop)), strict=True)
        labels = [torch.arange(3).repeat_interleave(rows).repeat(stop - start, 1) for rows in (SHOTS, QUERIES)]
        return Episode(torch.from_numpy(np.stack(support)), labels[0], torch.from_numpy(np.stack(query)), labels[1])

    def _task(self, chance: Chance) -> list[NDArray[np.float32]]:
        return [self._members(chance, rows) for rows in (SHOTS, QUERIES)]

    def _members(self, chance: Chance, rows: int) -> NDArray[np.float32]:
        """Draw so many members of each class."""
        drawn = [np.array(patterns)[chance.below(len(patterns), rows)] for patterns in self.example.patterns]
        v = self.example.values[0]  # irrelevant features look like the first that matters
        noise = chance.below(v, 3 * rows, self.irrelevant)
        return indicators(np.column_stack([np.concatenate(drawn), noise]), self.example.values + (v,) * self.irrelevant)
