"""Refinement: feature scales of the greatest leave-one-out likelihood (ours; beyond the paper).

Algorithm 1 looks at one class at a time, and fades as irrelevant features are added. The likelihood of the support
(see ``likelihood``) looks at all classes, and can be climbed: from scales that are all alike, from those of Algorithm 1
and from some that chance has shaken, under a penalty on their sum that grows as they rise; then the best is kept, and
believed as far as ``belief`` says.

How far apart to begin. On ±1 features with the class an XOR of α of them, the kernel exp(−a Σ_f (x_f − y_f)²) is, up
to a factor, Π_f (1 + t x_f y_f) with t = tanh 2a. The pattern has the weight t^α in it, against noise that grows like
(1 + t²)^(F/2); the ratio is greatest at t² = α / (F − α), so that Σ_f a_f should be about √(αF) / 2. Twice or three
times as much did best, as attention is sharper than a sum; that is where the starts are.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.arguments import whole_number
from polythetic.belief import ALPHA, CONVINCING, Climbed, Found, Judge
from polythetic.errors import InputError
from polythetic.likelihood import Rows, Slope, log_likelihood
from polythetic.rescaling import min_max
from polythetic.selection import AttentionScorer

# Chosen on tasks other than those reported; docs/refinement.md has what else was tried.
SIZE = 3.0  # of a start, in units of √(αF) / 2
SHAKEN = 0.5  # by how much chance shakes the logarithm of a start
WAVES = (2, 8, 24)  # starts: the first are flat and Algorithm 1's; later ones are for tasks that are undecided
TRIED = 0.4  # of the steps after which a third of the starts of a wave go on

# Every row is asked for its class, given all the others. Of many rows fewer are, at random:
MANY_ROWS = 512
ASKED = 256  # in a step of a first look, which is all that plain patterns need
JUDGED = 512  # where scales are compared
SEEN = 8192  # are those that they attend to, at most
LARGEST = 2**22  # numbers in a matrix of attention, in any other step
AT_ONCE = 2**21  # numbers in a matrix of attention of all tasks and starts together


@dataclass(frozen=True)
class RefinedScorer:
    """Scores features by the scales that make the support most likely, row by row, given all the others.

    The scores are the scales: what they stretch is what attention with the Euclidean similarity should look at.

    Attributes:
        starts: how many in all at most; fewer if some scales convince before.
        steps: of Adam, from each start.
        rate: of Adam.
        penalty: on the sum of the scales, over the root of the number of rows; reached with the last step.
        seed: of what chance shakes. The same for each task, so that none depends on those beside it.
        unrolled: let gradients through the steps to the features; without it the scales count as given.
        seconds: after so long, take no further step; but the first wave of starts is seen to its end.
    """

    starts: int = sum(WAVES)
    steps: int = 40
    rate: float = 0.1
    penalty: float = 0.8
    seed: int = 0
    unrolled: bool = False
    seconds: float | None = None
    asks_spread: ClassVar[bool] = True

    def __post_init__(self) -> None:
        whole_number("seed", self.seed, least=0)
        whole_number("starts", self.starts, least=1)
        whole_number("steps", self.steps, least=1)
        if not self.rate > 0:
            raise InputError("rate", self.rate, "a number above 0")
        if not self.penalty >= 0:
            raise InputError("penalty", self.penalty, "0 or more")
        if self.seconds is not None and not self.seconds > 0:
            raise InputError("seconds", self.seconds, "a number above 0, or None")

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        spread: Float[Tensor, "*tasks F"] | None = None,
    ) -> Float[Tensor, "*tasks F"]:
        """Score the features of a standardised support; 0 for those that are constant.

        ``spread`` says how far each was spread out before: where features in their own units are the better ones, as
        pixels are, scales are mixed with these instead of flat ones.
        """
        tasks, (n, F) = support.shape[:-2], support.shape[-2:]
        z, y = support.reshape(-1, n, F), labels.reshape(-1, n)
        m = None if mask is None else mask.reshape(-1, n)
        own = torch.ones_like(z[:, 0]) if spread is None else spread.detach().reshape(-1, F)
        until = math.inf if self.seconds is None else time.monotonic() + self.seconds
        together = max(1, AT_ONCE // (max(WAVES) * min(n, MANY_ROWS) ** 2))
        parts = [
            self._refined(z[part], y[part], None if m is None else m[part], own[part], until)
            for part in _slices(len(z), together)
        ]
        return torch.cat(parts).reshape(*tasks, F)

    def _refined(
        self, z: Tensor, labels: Tensor, mask: Tensor | None, spread: Tensor, until: float
    ) -> Float[Tensor, "tasks F"]:
        with torch.no_grad():
            views = _Views(z, labels, mask, self.seed)
            judge = Judge.of(views.judged(), spread)
            best = self._best(views, judge, until)
        w = best.w
        if self.unrolled:
            views = _Views(z, labels, mask, self.seed)
            w = best.stretch[:, None] * self._climb(views, best.start[:, None], unrolled=True).w[:, 0]
        return judge.believed(w, best.evidence)

    def _best(self, views: _Views, judge: Judge, until: float) -> Found:
        """Search in waves, each only where those before have found nothing that convinces."""
        best: Found | None = None
        for seen, starts in self._waves(views, judge):
            if best is None:
                best = judge.best_of(self._climb(seen, starts))
                continue
            open_ = ((best.evidence < CONVINCING) & ~judge.plain).nonzero()[:, 0]
            if not len(open_) or time.monotonic() > until:
                break
            more = judge.of_tasks(open_).best_of(self._climb(seen.of_tasks(open_), starts[open_], until=until))
            best = best.improved(open_, more)
        assert best is not None
        return best

    def _waves(self, views: _Views, judge: Judge) -> Iterator[tuple[_Views, Float[Tensor, "tasks starts F"]]]:
        """Yield starts, and what a climb from them sees: flat and Algorithm 1's, then flat ones shaken by chance."""
        F = judge.alive.shape[-1]
        first = views.by_algorithm_1() * judge.alive
        # By rank in Algorithm 1, so that chance has to do with a feature and not with where it stands.
        rank = first.argsort(dim=-1, descending=True, stable=True).argsort(-1)
        left = self.starts
        for number, size in enumerate(WAVES):
            size = min(size, left) if number + 1 < len(WAVES) else left
            left -= size
            if not size:
                return
            chance = np.random.default_rng([self.seed, number])  # feature by feature: one more changes no other
            shaken = torch.from_numpy(chance.standard_normal((F, size)) * SHAKEN).exp().to(first)
            a = shaken[rank].transpose(1, 2).clone()
            if number == 0:
                a[:, 0] = 1
                a[:, 1:2] = first[:, None]
            a = a * judge.alive[:, None]
            F_alive = judge.alive.sum(-1)[:, None, None]
            total = SIZE * (ALPHA * F_alive).sqrt() / 2
            starts = (a / a.sum(-1, keepdim=True).clamp(min=1e-30) * total).sqrt()
            if number == 0 and views.many:
                yield views.first_look(), starts
            yield views, starts

    def _climb(
        self,
        views: _Views,
        start: Float[Tensor, "tasks starts F"],
        *,
        unrolled: bool = False,
        until: float = math.inf,
    ) -> Climbed:
        """Climb from every start, Adam's way; part of the way up, only the best third of them go on.

        Args:
            views: the rows.
            start: scales to begin with.
            unrolled: go on with all of them, and let gradients through.
            until: when to stop, wherever they are.
        """
        w, origin = start, start
        m, v = torch.zeros_like(w), torch.zeros_like(w)
        slope = Slope()
        for step in range(1, self.steps + 1):
            if time.monotonic() > until:
                break
            rows = views.at(step)
            penalty = self.penalty * step / self.steps / rows.asked.clamp(min=1).to(w).sqrt()[:, None]
            value, gradient = _unrolled_slope(rows, w) if unrolled else slope(rows, w)
            gradient = gradient - penalty[..., None] * (w > 0)
            m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient**2
            ascent = m / (1 - 0.9**step) / ((v / (1 - 0.999**step) + 1e-16).sqrt())
            w = (w + self.rate * ascent).clamp(min=0)
            if not unrolled and step == round(TRIED * self.steps):
                keep = max(1, w.shape[1] // 3)
                best = (value - penalty * w.sum(-1)).topk(keep, -1).indices[..., None].expand(-1, -1, w.shape[-1])
                w, origin, m, v = (x.gather(1, best) for x in (w, origin, m, v))
        return Climbed(w, origin)


class _Views:
    """What each step sees of the rows: all of them; or where they are many, some at random among the others."""

    def __init__(self, z: Tensor, labels: Tensor, mask: Tensor | None, seed: int, *, asked: int | None = None):
        n = z.shape[-2]
        self.z, self.labels, self.mask, self._seed = z, labels, mask, seed
        self.many = n > MANY_ROWS
        self._asked = asked or LARGEST // min(n, SEEN)
        self._all = Rows.of(z, labels, mask) if n <= min(self._asked, SEEN) else None

    def at(self, step: int) -> Rows:
        """Return what a step sees."""
        return self._some(step, self._asked) if self._all is None else self._all

    def judged(self) -> Rows:
        """Return what scales are compared on."""
        return self._some(0, JUDGED) if self.many else self.at(0)

    def _some(self, step: int, asked: int) -> Rows:
        chance = np.random.default_rng([self._seed, len(WAVES), step])
        some = torch.from_numpy(chance.permutation(self.z.shape[-2])[:SEEN])
        mask = None if self.mask is None else self.mask[:, some]
        return Rows.of(self.z[:, some], self.labels[:, some], mask, first=asked)

    def first_look(self) -> _Views:
        """Return views that ask fewer rows."""
        return _Views(self.z, self.labels, self.mask, self._seed, asked=ASKED)

    def of_tasks(self, tasks: Tensor) -> _Views:
        """Return what is seen of some of the tasks."""
        mask = None if self.mask is None else self.mask[tasks]
        return _Views(self.z[tasks], self.labels[tasks], mask, self._seed, asked=self._asked)

    def by_algorithm_1(self) -> Float[Tensor, "tasks F"]:
        """Return squared scales by Algorithm 1, none of them zero."""
        return 0.05 + min_max(AttentionScorer()(self.z, self.labels, self.mask)) ** 2


def _unrolled_slope(rows: Rows, w: Tensor) -> tuple[Tensor, Tensor]:
    """The likelihood and its gradient, which can itself be differentiated."""
    with torch.enable_grad():
        w = w if w.requires_grad else w.detach().requires_grad_()
        value = log_likelihood(rows, w)
        (gradient,) = torch.autograd.grad(value.sum(), w, create_graph=True)
    return value, gradient


def _slices(total: int, size: int) -> Iterator[slice]:
    for first in range(0, total, size):
        yield slice(first, first + size)
