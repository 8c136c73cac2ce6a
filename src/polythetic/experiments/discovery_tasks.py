"""The tasks of `discovery`: an XOR of α of n features, bits or genotypes, labels right or some of them wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from polythetic.arguments import one_of
from polythetic.baselines.categories import indicators
from polythetic.episodes import BooleanTasks
from polythetic.experiments.budgets import Budget

VALUES = {"binary": 2, "genotype": 3}
QUERIES = 200


@dataclass(frozen=True)
class Setting:
    """What is hidden, and among how much.

    Attributes:
        n: features.
        alpha: features that matter.
        features: ``"binary"``, fair bits; or ``"genotype"``, 0, 1 or 2 copies of an allele that half of the chromosomes
            carry, by Hardy and Weinberg ¼, ½, ¼ of the rows. The class is the parity of active features that are 1, so
            that α − 1 of them say nothing of it; and no feature is rarer than another, which would give it away.
        noise: the share of the support's labels that are wrong, in per cent.
    """

    n: int
    alpha: int
    features: str = "binary"
    noise: int = 0

    def __post_init__(self) -> None:
        one_of("features", self.features, VALUES)

    @property
    def chance(self) -> float:
        """The share of active features, in per cent, among α drawn blindly."""
        return 100 * self.alpha / self.n


class Drawn(NamedTuple):
    """Tasks as every method is given them."""

    support: Int[Tensor, "tasks rows n"]
    labels: Int[Tensor, "tasks rows"]
    query: Int[Tensor, "tasks q n"]
    query_labels: Int[Tensor, "tasks q"]  # all of them right
    active: Int[Tensor, "tasks alpha"]


def drawn(setting: Setting, rows: int, tasks: int, seed: int) -> Drawn:
    """Draw tasks, every row on its own; each task depends on the seed and its number alone.

    >>> drawn(Setting(n=10, alpha=2, features="genotype"), rows=40, tasks=3, seed=0).support.unique().tolist()
    [0, 1, 2]
    """
    sizes: dict[str, Any] = {"n": setting.n, "alpha": setting.alpha, "rows": rows, "query_rows": QUERIES}
    episode = BooleanTasks(design="iid", label_noise=setting.noise / 100, **sizes).batch(seed, 0, tasks)
    x = (torch.cat([episode.support, episode.query], 1) > 0).long()
    if setting.features == "genotype":  # who has not one copy has none or two
        coins = [np.random.default_rng([seed, task]).integers(2, size=x.shape[1:]) for task in range(tasks)]
        x = torch.where(x == 1, x, 2 * torch.from_numpy(np.stack(coins)))
    support, query = x[:, :rows], x[:, rows:]
    return Drawn(support, episode.support_labels, query, episode.query_labels, episode.attributes["active"])


def columns(x: Int[Tensor, "*rows n"], features: str) -> Float[Tensor, "*rows F"]:
    """Give attention what it can measure distances on: bits as they are, genotypes as an indicator a value."""
    return x.to(torch.get_default_dtype()) if features == "binary" else indicators(x, VALUES[features])


class Plan(NamedTuple):
    """Which settings are measured, on how many rows, how often."""

    settings: list[Setting]
    ladder: tuple[int, ...]
    tasks: int

    @classmethod
    def of(cls, budget: Budget) -> Plan:
        """Return the plan for a budget: a corner of it all for the quick one."""
        tasks = max(2, budget.grid_tasks // 50)
        if budget.name == "quick":
            return cls([Setting(10, 2), Setting(10, 3), Setting(10, 3, "genotype", 10)], (40, 100), tasks)
        return cls(list(_everything()), (40, 100, 250, 640, 1600), tasks)


def _everything() -> Iterator[Setting]:
    for features in VALUES:
        for noise in (0, 10):
            for alpha in (2, 3, 4, 5):
                for n in (10, 20, 50, 100):
                    yield Setting(n, alpha, features, noise)
