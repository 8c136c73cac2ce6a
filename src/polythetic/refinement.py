"""Refinement: feature scales of the greatest leave-one-out likelihood (ours; beyond the paper).

Algorithm 1 looks at one class at a time, and fades as irrelevant features are added. The likelihood of the support
(see ``likelihood``) looks at all classes, and can be climbed: from scales that are all alike, from those of Algorithm 1
and from some that chance has shaken, under a penalty on their sum that grows as they rise; then the best is kept.

How far apart to begin. On ±1 features with the class an XOR of α of them, the kernel exp(−a Σ_f (x_f − y_f)²) is, up
to a factor, Π_f (1 + t x_f y_f) with t = tanh 2a. The pattern has the weight t^α in it, against noise that grows like
(1 + t²)^(F/2); the ratio is greatest at t² = α / (F − α), so that Σ_f a_f should be about √(αF) / 2. Twice or three
times as much did best, as attention is sharper than a sum; that is where the starts are.

How far to believe. With many features and few rows some scales fit by chance. What the likelihood gains over scales
that are all alike is held against what it takes to say which m of F features are kept, ln (F choose m): where the
gain is several times as great the scales stand, where it is less they are mixed with flat ones.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.arguments import whole_number
from polythetic.errors import InputError
from polythetic.likelihood import Rows, Slope, log_likelihood
from polythetic.rescaling import min_max
from polythetic.selection import AttentionScorer
from polythetic.standardisation import safe_root

# Chosen on tasks other than those reported; docs/refinement.md has what else was tried.
ALPHA = 3  # features that matter, as far as the size of a start goes
SIZE = 3.0  # of a start, in units of √(αF) / 2
SHAKEN = 0.5  # by how much chance shakes the logarithm of a start
WAVES = (2, 8, 24)  # starts: the first are flat and Algorithm 1's; later ones are for tasks that are undecided
CONVINCING = 2.0  # evidence that ends the search
BELIEF = 1.4  # evidence at which scales count for half as much as with all the evidence in the world
MOST_FLAT = 0.9  # the share of flat scales where there is no evidence
FLAT = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # Σ_f a_f of the flat scales to compare with
STRETCHES = (1.0, 1.4, 2.0)  # of the scales that a climb ends with
TRIED = 0.4  # of the steps after which a third of the starts of a wave go on

MOST_ROWS = 2048  # that look at each other in a step; of more, each step takes some at random
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
        seconds: begin no further wave of starts after so long.
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
        together = max(1, AT_ONCE // (max(WAVES) * min(n, MOST_ROWS) ** 2))
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
            judge = _Judge.of(views, spread)
            best = self._best(views, judge, until)
        w = best.w
        if self.unrolled:
            views = _Views(z, labels, mask, self.seed)
            w = best.stretch[:, None] * self._climb(views, best.start[:, None], everything=True).w[:, 0]
        return judge.believed(w, best.evidence)

    def _best(self, views: _Views, judge: _Judge, until: float) -> _Found:
        """Search in waves, each only where those before have found nothing that convinces."""
        best: _Found | None = None
        for starts in self._waves(views, judge):
            if best is None:
                best = judge.best_of(self._climb(views, starts))
                continue
            open_ = ((best.evidence < CONVINCING) & ~judge.plain).nonzero()[:, 0]
            if not len(open_) or time.monotonic() > until:
                break
            more = judge.of_tasks(open_).best_of(self._climb(views.of_tasks(open_), starts[open_]))
            best = best.improved(open_, more)
        assert best is not None
        return best

    def _waves(self, views: _Views, judge: _Judge) -> Iterator[Float[Tensor, "tasks starts F"]]:
        """Yield starts: flat and Algorithm 1's, then flat ones that chance has shaken."""
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
            yield (a / a.sum(-1, keepdim=True).clamp(min=1e-30) * total).sqrt()

    def _climb(self, views: _Views, start: Float[Tensor, "tasks starts F"], *, everything: bool = False) -> _Climbed:
        """Climb from every start, Adam's way; a quarter up, only the best third of them go on.

        Args:
            views: the rows.
            start: scales to begin with.
            everything: go on with all of them, and let gradients through.
        """
        w, origin = start, start
        m, v = torch.zeros_like(w), torch.zeros_like(w)
        slope = Slope()
        for step in range(1, self.steps + 1):
            rows = views.at(step)
            penalty = self.penalty * step / self.steps / rows.asked.clamp(min=1).to(w).sqrt()[:, None]
            value, gradient = _unrolled_slope(rows, w) if everything else slope(rows, w)
            gradient = gradient - penalty[..., None] * (w > 0)
            m, v = 0.9 * m + 0.1 * gradient, 0.999 * v + 0.001 * gradient**2
            ascent = m / (1 - 0.9**step) / ((v / (1 - 0.999**step) + 1e-16).sqrt())
            w = (w + self.rate * ascent).clamp(min=0)
            if not everything and step == round(TRIED * self.steps):
                keep = max(1, w.shape[1] // 3)
                best = (value - penalty * w.sum(-1)).topk(keep, -1).indices[..., None].expand(-1, -1, w.shape[-1])
                w, origin, m, v = (x.gather(1, best) for x in (w, origin, m, v))
        return _Climbed(w, origin)


class _Climbed(NamedTuple):
    """Scales, and where their climb began."""

    w: Float[Tensor, "tasks starts F"]
    start: Float[Tensor, "tasks starts F"]


class _Found(NamedTuple):
    """The best scales of each task."""

    w: Float[Tensor, "tasks F"]
    start: Float[Tensor, "tasks F"]  # where their climb began
    stretch: Float[Tensor, " tasks"]  # by which they are greater than at its end
    value: Float[Tensor, " tasks"]
    evidence: Float[Tensor, " tasks"]

    def improved(self, tasks: Tensor, other: _Found) -> _Found:
        """Take what others found for some of the tasks where it is better."""
        better = other.value > self.value[tasks]
        parts = [part.clone() for part in self]
        for part, new in zip(parts, other, strict=True):
            part[tasks[better]] = new[better]
        return _Found(*parts)


class _Views:
    """What each step sees of the rows: all of them, or of more than ``MOST_ROWS`` some at random."""

    def __init__(self, z: Tensor, labels: Tensor, mask: Tensor | None, seed: int):
        self.z, self.labels, self.mask, self._seed = z, labels, mask, seed
        self._all = Rows.of(z, labels, mask) if z.shape[-2] <= MOST_ROWS else None

    def at(self, step: int) -> Rows:
        """Return what a step sees."""
        if self._all is not None:
            return self._all
        chance = np.random.default_rng([self._seed, len(WAVES), step])
        some = torch.from_numpy(chance.permutation(self.z.shape[-2])[:MOST_ROWS])
        return Rows.of(self.z[:, some], self.labels[:, some], None if self.mask is None else self.mask[:, some])

    def of_tasks(self, tasks: Tensor) -> _Views:
        """Return what is seen of some of the tasks."""
        return _Views(self.z[tasks], self.labels[tasks], None if self.mask is None else self.mask[tasks], self._seed)

    def by_algorithm_1(self) -> Float[Tensor, "tasks F"]:
        """Return squared scales by Algorithm 1, none of them zero."""
        return 0.05 + min_max(AttentionScorer()(self.z, self.labels, self.mask)) ** 2


@dataclass(frozen=True)
class _Judge:
    """Compares scales with flat ones, and says how far to believe them."""

    rows: Rows
    alive: Float[Tensor, "tasks F"]  # 1 for features that are not constant
    flat: Float[Tensor, "tasks F"]  # the best scales that take no choosing
    flat_value: Float[Tensor, " tasks"]  # their likelihood
    plain: Bool[Tensor, " tasks"]  # they explain so much that the way up is plain from anywhere

    @classmethod
    def of(cls, views: _Views, spread: Float[Tensor, "tasks F"]) -> _Judge:
        """Find the best scales that take no choosing: flat ones, and those that undo the standardising."""
        rows = views.at(0)
        z = rows.z[:, 0] if rows.absent is None else rows.z[:, 0].masked_fill(rows.absent[:, 0, :, None], 0)
        alive = (z.abs().amax(-2) > 0).to(z)
        # Divided by the largest first, so that no square overflows or vanishes.
        own = alive * (spread / spread.amax(-1, keepdim=True).clamp(min=1e-30)) ** 2
        shares = [a / a.sum(-1, keepdim=True).clamp(min=1e-30) for a in (alive, own)]
        totals = torch.tensor(FLAT).to(alive)
        tried = torch.cat([(a[:, None] * totals[:, None]).sqrt() for a in shares], 1)
        best = log_likelihood(rows, tried).max(-1)
        flat = tried.gather(1, best.indices[:, None, None].expand(-1, 1, alive.shape[-1]))[:, 0]
        gain = rows.asked * (best.values - log_likelihood(rows, torch.zeros_like(flat)[:, None])[:, 0])
        plain = gain > CONVINCING * ALPHA * alive.sum(-1).clamp(min=2).log()
        return cls(rows, alive, flat, best.values, plain)

    def of_tasks(self, tasks: Tensor) -> _Judge:
        """Return the judge of some of the tasks."""
        rows, facts = self.rows.of_tasks(tasks), (self.alive, self.flat, self.flat_value, self.plain)
        return _Judge(rows, *(fact[tasks] for fact in facts))

    def best_of(self, climbed: _Climbed) -> _Found:
        """Keep the scales of the greatest likelihood, less what it takes to say which features they keep."""
        # The penalty has pressed all scales down, which tells nothing of the features: let each try to be greater.
        w = torch.cat([stretch * climbed.w for stretch in STRETCHES], 1)
        start = climbed.start.repeat(1, len(STRETCHES), 1)
        stretch = torch.tensor(STRETCHES).to(w).repeat_interleave(climbed.w.shape[1])
        asked = self.rows.asked[:, None]
        log_p = log_likelihood(self.rows, w)
        effort = naming(kept(w), self.alive.sum(-1, keepdim=True))
        best = (asked * log_p - effort).max(-1)
        row, index = torch.arange(len(w)), best.indices
        evidence = (asked * (log_p - self.flat_value[:, None]) / effort)[row, index].clamp(min=0)
        return _Found(w[row, index], start[row, index], stretch[index], best.values, evidence)

    def believed(self, w: Float[Tensor, "tasks F"], evidence: Float[Tensor, " tasks"]) -> Float[Tensor, "tasks F"]:
        """Mix scales with flat ones as the evidence bids."""
        share = (MOST_FLAT / (1 + (evidence / BELIEF) ** 3))[:, None]
        a, flat = w * w, self.flat**2
        total, flat_total = (x.sum(-1, keepdim=True).clamp(min=1e-30) for x in (a, flat))
        mixed = (1 - share) * a / total + share * flat / flat_total
        return safe_root(mixed * ((1 - share) * total + share * flat_total))


def kept(w: Float[Tensor, "*any F"]) -> Float[Tensor, "*any"]:
    """Count the features that scales keep: m if m of them are alike and the others 0, and between whole numbers else.

    >>> kept(torch.tensor([[1.0, 1.0, 0.0], [2.0, 1.0, 0.0]]))
    tensor([2.0000, 1.4706])
    """
    a = w * w
    return a.sum(-1) ** 2 / (a * a).sum(-1).clamp(min=1e-30)


def naming(m: Float[Tensor, "*any"], F: Float[Tensor, "*#any"]) -> Float[Tensor, "*any"]:
    """Return what it takes to say which m of F features are kept: ln (F choose m), and to say one of them at least.

    >>> naming(torch.tensor([2.0]), torch.tensor([10.0])).exp()
    tensor([45.0000])
    """
    chosen = torch.lgamma(F + 1) - torch.lgamma(m + 1) - torch.lgamma((F - m).clamp(min=0) + 1)
    return torch.maximum(chosen, F.clamp(min=2).log())


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
