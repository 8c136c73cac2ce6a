"""Exhaustive search: every set of α features, judged by what a table of their values says of the class.

The ceiling: told α, and knowing nothing of the pattern but that it is one of α features, no other set is more probable.
A set cuts the rows into cells; the evidence for it is Π over cells of the probability of their labels, the chance of
each cell's class being drawn from Jeffreys' prior (Cooper & Herskovits, 1992, have it with a flat one).
"""

from __future__ import annotations

import math
from itertools import combinations

import torch
from jaxtyping import Float, Int
from torch import Tensor

from polythetic.arguments import whole_number
from polythetic.baselines.categories import indicators
from polythetic.errors import InputError

MOST = 300_000  # sets; the time is theirs


def affordable(n: int, alpha: int) -> bool:
    """Say whether there are few enough sets of α of n features.

    >>> affordable(50, 4), affordable(100, 4)
    (True, False)
    """
    return math.comb(n, alpha) <= MOST


def search_seconds(n: int, alpha: int) -> float:
    """Estimate how long a task takes on one core: rows matter less than sets that differ in their last feature only.

    >>> search_seconds(10, 2) < 0.01 < 60 < search_seconds(100, 5)
    True
    """
    return 1.5e-4 * math.comb(n, alpha - 1)


def best_set(x: Int[Tensor, "n F"], labels: Int[Tensor, " n"], alpha: int) -> Float[Tensor, " F"]:
    """Return 1 for the features of the best set and 0 for the others.

    >>> bits = torch.tensor([[0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1], [0, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    >>> best_set(bits, bits[:, 0] ^ bits[:, 2], alpha=2).tolist()
    [1.0, 0.0, 1.0]
    """
    n, F = x.shape
    whole_number("alpha", alpha, least=1, most=F, meaning=f"there are {F} features")
    if not affordable(F, alpha):
        raise InputError("alpha", alpha, f"fewer than {MOST:,} sets; of {F} features there are {math.comb(F, alpha):,}")
    values, (classes, y) = int(x.max()) + 1, labels.unique(return_inverse=True)
    K, columns = len(classes), indicators(x, values)
    tables = _logarithms(n, K)
    best, members = -math.inf, tuple(range(alpha))
    for first in combinations(range(F - 1), alpha - 1):  # and then every feature after them at once
        cell = y
        for feature in first:
            cell = cell * values + x[:, feature]
        after = first[-1] + 1 if first else 0
        cells = values ** (alpha - 1)
        counts = columns.new_zeros(K * cells, (F - after) * values).index_add_(0, cell, columns[:, after * values :])
        evidence = _evidence(counts.view(K, cells, F - after, values).long(), tables)
        value, last = evidence.max(0)
        if float(value) > best:
            best, members = float(value), (*first, after + int(last))
    return torch.zeros(F).index_fill_(0, torch.tensor(members), 1.0)


def _logarithms(n: int, K: int) -> tuple[Tensor, Tensor]:
    """For every count c, ln Γ(c + ½) and ln Γ(c + K/2), less what they are for none."""
    c = torch.arange(n + 1, dtype=torch.float64)
    return (c + 0.5).lgamma() - math.lgamma(0.5), (c + K / 2).lgamma() - math.lgamma(K / 2)


def _evidence(counts: Int[Tensor, "K cells last V"], tables: tuple[Tensor, Tensor]) -> Float[Tensor, " last"]:
    of_class, of_all = tables
    return of_class[counts].sum((0, 1, 3)) - of_all[counts.sum(0)].sum((0, 2))
