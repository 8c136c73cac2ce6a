"""Effects of columns on a label, one by one, by pairs and by threes, with p-values from permuted labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import whole_number
from polythetic.interactions.contrasts import Contrast, contrasts_of
from polythetic.interactions.information import Information
from polythetic.interactions.levels import Levels, orthonormal
from polythetic.interactions.permutations import LEVEL, MOST_ROWS, ORDERS, enough_permutations, times_more
from polythetic.progress import Progress, Silent

AT_ONCE = 2**22  # numbers that a block of contrasts has
SHUFFLED = 64  # labels at once
ROUNDING = 1e-9


@dataclass(frozen=True)
class Effect:
    """What a set of columns does to the label that no part of it does.

    Attributes:
        members: the columns, by number.
        p: how often the greatest effect of any set of so many columns is as great when labels are permuted.
        together: bits that the columns tell of the label together, less what chance would.
        apart: bits that they tell in parts, one by one or a pair and one, whichever is more; 0 for one column.
    """

    members: tuple[int, ...]
    p: float
    together: float
    apart: float

    @property
    def found(self) -> bool:
        """Whether it is told from chance, and worth more than its parts."""
        return self.p <= LEVEL and (len(self.members) == 1 or self.together > self.apart)


def find_effects(
    levels: Sequence[Levels],
    labels: NDArray[Any],
    *,
    among: Sequence[int] | None = None,
    permutations: int | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> list[Effect]:
    """Find what columns do to a label alone, and what pairs and threes of some of them do only together.

    The labels are permuted so often; the greatest effect of all sets of the same size, over each permutation, is what
    chance makes. If ``among`` was chosen with an eye on the labels, other columns might have been: p is then multiplied
    by how many times more sets all columns have than these.

    Args:
        levels: of each column.
        labels: one for each row.
        among: the columns that pairs and threes are taken from; all unless given.
        permutations: how many; p is never less than 1 / (1 + permutations). Enough unless given.
        seed: fixes them.
        progress: is told how far it is.

    Returns:
        Effects, by the number of columns and then by p.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.integers(2, size=(40, 6))
    >>> found = find_effects([Levels.of_numbers(column) for column in x.T], x[:, 1] ^ x[:, 4], permutations=199)
    >>> [(effect.members, effect.p) for effect in found if effect.found]
    [((1, 4), 0.005)]
    """
    columns = range(len(levels))
    among = columns if among is None else among
    if permutations is not None:
        whole_number("permutations", permutations, least=1)
    codes = np.unique(labels, return_inverse=True)[1]
    if len(codes) > MOST_ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(len(codes), MOST_ROWS, replace=False))
        levels = [each.of_rows(rows) for each in levels]
        codes = np.unique(codes[rows], return_inverse=True)[1]
    y = _standardised(codes)
    telling = Information([each.coarse for each in levels], codes)
    progress = progress or Silent()
    progress.start("permuting labels", sum(comb(len(columns if order == 1 else among), order) for order in ORDERS))
    found: list[Effect] = []
    for order in ORDERS:
        looked_at = columns if order == 1 else among
        count = permutations or enough_permutations(len(columns), len(looked_at), len(codes), order)
        known = {effect.members for effect in found if effect.found}
        members, p = _p_values(contrasts_of(levels, looked_at, order, known), y, count, seed, progress)
        p = np.minimum(1.0, p * times_more(len(columns), len(looked_at), order))
        effects = [
            Effect(m, float(p_m), telling.together(m), telling.apart(m)) for m, p_m in zip(members, p, strict=True)
        ]
        found += sorted(effects, key=lambda effect: (effect.p, effect.apart - effect.together))
    return found


def _standardised(codes: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return labels [n, K − 1], uncorrelated, such that any contrast of permuted ones has mean 0 and variance 1."""
    shown = (codes == np.arange(codes.max() + 1)[:, None]).astype(float)
    return orthonormal(shown - shown.mean(1, keepdims=True)).T * np.sqrt(len(codes) - 1)


def _p_values(
    contrasts: Iterator[Contrast], y: NDArray[np.float64], permutations: int, seed: int, progress: Progress
) -> tuple[list[tuple[int, ...]], NDArray[np.float64]]:
    members: list[tuple[int, ...]] = []
    seen: list[NDArray[np.float64]] = []
    by_chance = np.full(permutations, -np.inf)
    for block in _blocks(contrasts, len(y)):
        basis = np.concatenate([each.together for each in block])  # [D, n]
        owner = np.repeat(np.arange(len(block)), [len(each.together) for each in block])
        inflation = np.concatenate([each.inflation(y) for each in block])
        members += [each.members for each in block]
        seen.append(_sizes(((basis @ y) ** 2 / inflation).sum(1), owner, len(block), y.shape[1]))
        start = 0
        for shuffled in _shuffled(y, permutations, seed):  # the same for each block
            s = shuffled.shape[1]
            made = basis @ shuffled.reshape(len(y), -1)
            squares = (made**2).reshape(len(basis), s, y.shape[1]).sum(-1)
            largest = _sizes(squares, owner, len(block), y.shape[1]).max(0)
            by_chance[start : start + s] = np.maximum(by_chance[start : start + s], largest)
            start += s
        progress.advance(len(block))
    if not members:
        return [], np.zeros(0)
    beaten = np.searchsorted(np.sort(by_chance), np.concatenate(seen) - ROUNDING)
    return members, (1 + permutations - beaten) / (1 + permutations)


def _shuffled(y: NDArray[np.float64], permutations: int, seed: int) -> Iterator[NDArray[np.float64]]:
    """Yield permuted labels [n, s, K − 1], some at a time."""
    rng = np.random.default_rng(seed)
    step = max(1, SHUFFLED // y.shape[1])
    for start in range(0, permutations, step):
        numbers = np.tile(np.arange(len(y)), (min(step, permutations - start), 1))
        yield y[rng.permuted(numbers, axis=1).T]


def _blocks(contrasts: Iterator[Contrast], n: int) -> Iterator[list[Contrast]]:
    """Yield contrasts by the few hundreds, so that large tables do not fill the memory."""
    block: list[Contrast] = []
    size = 0
    for each in contrasts:
        block.append(each)
        size += (len(each.together) + len(each.less)) * n
        if size > AT_ONCE:
            yield block
            block, size = [], 0
    if block:
        yield block


def _sizes(squares: NDArray[np.float64], owner: NDArray[np.int64], count: int, classes: int) -> NDArray[np.float64]:
    """Sum squares [D, …] by set, and make sums of few and of many comparable (Wilson and Hilferty's cube root of χ²).

    A set that can do nothing, as its columns are constant or say the same, comes last.
    """
    d = np.bincount(owner, minlength=count)
    some = d > 0
    starts = (np.cumsum(d) - d)[some]
    k = (d[some] * classes).reshape(-1, *[1] * (squares.ndim - 1))
    size = np.full((count, *squares.shape[1:]), -np.inf)
    if some.any():
        size[some] = (np.cbrt(np.add.reduceat(squares, starts) / k) - (1 - 2 / (9 * k))) / np.sqrt(2 / (9 * k))
    return size
