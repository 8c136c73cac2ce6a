"""How good is a method? Mean and standard error over tasks, the same tasks for every method compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
import torch
from jaxtyping import Float, Int
from numpy.typing import NDArray
from torch import Tensor

from polythetic.arguments import whole_number
from polythetic.episodes.batches import batches
from polythetic.episodes.episode import Episode, TaskSuite
from polythetic.errors import InputError
from polythetic.progress import Progress, Silent
from polythetic.rescaling import TIE


@runtime_checkable
class Predictor(Protocol):
    """Anything that predicts the labels of queries; ``Method`` does."""

    def predict(self, support: Any, labels: Any, query: Any, *, mask: Any = None, query_mask: Any = None) -> Any:
        """Return a label for each query."""
        ...


@dataclass(frozen=True)
class Evaluation:
    """A figure for each task, in per cent, and what they come to.

    >>> Evaluation(np.array([50.0, 100.0]))
    75.0 ± 25.0
    """

    values: NDArray[np.float64]

    @property
    def mean(self) -> float:
        """The mean over tasks."""
        return float(self.values.mean())

    @property
    def std(self) -> float:
        """The standard deviation over tasks."""
        return float(self.values.std(ddof=1)) if len(self.values) > 1 else float("nan")

    @property
    def stderr(self) -> float:
        """The standard error of the mean."""
        return self.std / len(self.values) ** 0.5

    def __repr__(self) -> str:
        return f"{self.mean:.1f} ± {self.stderr:.1f}"


@dataclass(frozen=True)
class Repeated:
    """A figure for each task and each of several learners that are alike but for chance, in per cent.

    >>> Repeated(np.array([[50.0, 100.0], [50.0, 90.0]]))
    72.5 ± 22.6 (learners ± 3.5)
    """

    values: NDArray[np.float64]  # [learners, tasks]

    @property
    def mean(self) -> float:
        """The mean over learners and tasks."""
        return float(self.values.mean())

    @property
    def spread(self) -> float | None:
        """The standard deviation over learners, if there are several."""
        return float(self.values.mean(1).std(ddof=1)) if len(self.values) > 1 else None

    @property
    def std(self) -> float:
        """The standard deviation over tasks, of one learner."""
        return float(self.values.std(axis=1, ddof=1).mean()) if self.values.shape[1] > 1 else float("nan")

    @property
    def stderr(self) -> float:
        """The standard error of the mean, both learners and tasks being samples."""
        samples = [means for means in (self.values.mean(0), self.values.mean(1)) if len(means) > 1]
        return float(sum(means.var(ddof=1) / len(means) for means in samples) ** 0.5)

    @property
    def by_task(self) -> Evaluation:
        """The mean over learners, for each task."""
        return Evaluation(self.values.mean(0))

    def __repr__(self) -> str:
        spread = "" if self.spread is None else f" (learners ± {self.spread:.1f})"
        return f"{self.mean:.1f} ± {self.stderr:.1f}{spread}"


def evaluate(
    methods: Mapping[str, Predictor],
    suite: TaskSuite,
    *,
    tasks: int = 1000,
    seed: int = 0,
    batch_size: int = 250,
    dtype: torch.dtype | None = None,
    progress: Progress | None = None,
) -> dict[str, Evaluation]:
    """Measure the accuracy of every method on the same tasks of a suite.

    >>> from polythetic import BooleanTasks, method_named
    >>> methods = {name: method_named(name) for name in ("PN", "FS+MN")}
    >>> evaluate(methods, BooleanTasks(n=5), tasks=200)
    {'PN': 48.7 ± 0.8, 'FS+MN': 99.4 ± 0.3}
    """
    whole_number("tasks", tasks, least=1)
    whole_number("batch_size", batch_size, least=1)
    progress = progress or Silent()
    progress.start("evaluating", tasks)
    found: dict[str, list[NDArray[np.float64]]] = {name: [] for name in methods}
    with torch.no_grad():
        for episode in batches(suite, tasks=tasks, seed=seed, size=batch_size):
            episode = episode if dtype is None else episode.to(dtype)
            for name, method in methods.items():
                predicted = method.predict(
                    episode.support,
                    episode.support_labels,
                    episode.query,
                    mask=episode.support_mask,
                    query_mask=episode.query_mask,
                )
                found[name].append(accuracy_of(predicted, episode))
            progress.advance(len(episode.support))
    return {name: Evaluation(np.concatenate(parts)) for name, parts in found.items()}


def accuracy_of(predicted: Tensor, episode: Episode) -> NDArray[np.float64]:
    """Return the share of each task's queries that are labelled rightly, in per cent."""
    right = (predicted == episode.query_labels).double()
    if episode.query_mask is None:
        return 100 * right.mean(-1).numpy()
    counts = episode.query_mask.double()
    return 100 * ((right * counts).sum(-1) / counts.sum(-1)).numpy()


@dataclass(frozen=True)
class HeadToHead:
    """Two methods on the same tasks: who did better how often, and whether that could be chance."""

    wins: int
    ties: int
    losses: int
    sign_p: float
    wilcoxon_p: float


def head_to_head(first: Evaluation, second: Evaluation) -> HeadToHead:
    """Compare two evaluations task by task: the sign test on wins and losses, Wilcoxon's on their sizes.

    >>> a, b = Evaluation(np.array([90.0, 80.0, 70.0, 60.0])), Evaluation(np.array([80.0, 80.0, 60.0, 50.0]))
    >>> head_to_head(a, b)
    HeadToHead(wins=3, ties=1, losses=0, sign_p=0.25, wilcoxon_p=0.25)
    """
    from scipy.stats import binomtest

    if first.values.shape != second.values.shape:
        raise InputError("second", f"{len(second.values)} tasks", f"the {len(first.values)} tasks of first")
    difference = np.round(first.values - second.values, 9)  # equal accuracies may differ in their last digit
    wins, losses = int((difference > 0).sum()), int((difference < 0).sum())
    if wins + losses == 0:
        return HeadToHead(0, len(difference), 0, 1.0, 1.0)
    untied = difference[difference != 0]
    return HeadToHead(
        wins=wins,
        ties=len(difference) - wins - losses,
        losses=losses,
        sign_p=float(binomtest(wins, wins + losses).pvalue),
        wilcoxon_p=_wilcoxon(untied),
    )


def _wilcoxon(difference: NDArray[np.float64]) -> float:
    """Wilcoxon's signed-rank test, two-sided; exact for up to 16 differences, tied ones too, normal beyond."""
    from scipy.stats import rankdata, wilcoxon

    n = len(difference)
    if n > 16:
        return float(wilcoxon(difference, method="approx").pvalue)
    ranks = rankdata(np.abs(difference))
    all_signs = np.arange(2**n)[:, None] >> np.arange(n) & 1  # every way the signs could have fallen
    off_centre = np.abs(all_signs @ ranks - ranks.sum() / 2)
    observed = abs(ranks[difference > 0].sum() - ranks.sum() / 2)
    return float((off_centre >= observed - 1e-9).mean())


def active_share(scores: Float[Tensor, "*tasks F"], active: Int[Tensor, "*tasks alpha"]) -> Evaluation:
    """Give the share, in per cent, of each task's α active features among its α best-scored ones.

    Scores that are equal up to rounding are tied, and ties broken by index, as in ``top_k``.

    >>> active_share(torch.tensor([[0.9, 0.1, 0.8]]), torch.tensor([[0, 1]])).mean
    50.0
    """
    step = (TIE * scores.amax(-1, keepdim=True)).clamp(min=torch.finfo(scores.dtype).tiny)
    best = (scores / step).round().argsort(dim=-1, descending=True, stable=True)[..., : active.shape[-1]]
    found = (best[..., :, None] == active[..., None, :]).any(-2)
    return Evaluation(100 * found.double().mean(-1).flatten().numpy())
