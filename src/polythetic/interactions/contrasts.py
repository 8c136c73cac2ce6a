"""Contrasts: what a set of columns may do together, apart from what some of them are known to do.

The labels do not enter: a contrast is a pattern over the rows, the product of its columns, orthogonal to what is known
already. So a pattern of two columns is seen in these two, and not again in every three that they are among.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from polythetic.interactions.levels import Levels, orthonormal

Set: TypeAlias = tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Contrast:
    """What a set of columns may do together.

    Attributes:
        members: the columns.
        together: [d, n] an orthonormal basis of it.
        less: [k, n] one of what each may do alone and some are known to do together.
    """

    members: Set
    together: NDArray[np.float64]
    less: NDArray[np.float64]

    def inflation(self, labels: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return [d, K]: how much more labels [n, K] vary where the contrast looks than they do on average, at least 1.

        How much they vary in a row is what ``less`` says of their squares, less the square of what it says of them.
        Where a rare level of one column has most of a rare class, labels vary much there and little elsewhere; a
        contrast that looks there is large without any other column's doing.
        """
        expected, square = (self.less.T @ (self.less @ y) for y in (labels, labels**2))
        return np.maximum(1.0, self.together**2 @ np.maximum(square - expected**2, 0))


def contrasts_of(
    levels: Sequence[Levels], columns: Sequence[int], order: int, known: Collection[Set] = ()
) -> Iterator[Contrast]:
    """Yield the contrasts of all sets of so many of the columns; ``known`` are sets of fewer that do something."""
    n = len(levels[0].coarse)
    constant = np.full((1, n), n**-0.5)

    @cache
    def alone(column: int) -> NDArray[np.float64]:
        return levels[column].alone()

    @cache
    def product(members: Set) -> NDArray[np.float64]:
        made = levels[members[0]].contrasts()
        for member in members[1:]:
            made = (made[:, None] * levels[member].contrasts()).reshape(-1, n)
        return made

    for members in combinations(columns, order):
        if order == 1:
            yield Contrast(members, levels[members[0]].alone(), constant)
            continue
        # Three columns that go with each other are, multiplied, much like one of them: so each is taken out, as fine
        # as it is if it does something. Pairs are taken out only if they do: with few rows it costs too much.
        doing = [alone(column) if (column,) in known else product((column,)) for column in members]
        doing += [product(part) for size in range(2, order) for part in combinations(members, size) if part in known]
        less = orthonormal(np.concatenate([constant, *doing]))
        made = (product(members[:-1])[:, None] * product(members[-1:])).reshape(-1, n)
        yield Contrast(members, orthonormal(made - (made @ less.T) @ less), less)
