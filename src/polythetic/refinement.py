"""Refinement: feature scales of the greatest leave-one-out likelihood (ours; beyond the paper).

Algorithm 1 looks at one class at a time, and fades as irrelevant features are added. The likelihood of the support
(see ``likelihood``) looks at all classes, and can be climbed: from scales that are all alike, from those of Algorithm 1
and from some that chance has shaken, under a penalty on their sum that grows as they rise; then the best is kept, and
believed as far as ``belief`` says. Where features are bits, ``parity`` has looked before for an XOR, and for any other
function of a few of them: if the class is an XOR, that is all; else one short climb begins with the bits that seem to
decide the class, and an XOR stands if it explains more.

How far apart to begin. On ±1 features with the class an XOR of α of them, the kernel exp(−a Σ_f (x_f − y_f)²) is, up
to a factor, Π_f (1 + t x_f y_f) with t = tanh 2a. The pattern has the weight t^α in it, against noise that grows like
(1 + t²)^(F/2); the ratio is greatest at t² = α / (F − α), so that Σ_f a_f should be about √(αF) / 2. Twice or three
times as much did best, as attention is sharper than a sum; that is where the starts are.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from polythetic.arguments import finite, whole_number
from polythetic.belief import ALPHA, BELIEF, CONVINCING, FLAT_OF_BITS, Climbed, Found, Judge
from polythetic.errors import InputError
from polythetic.likelihood import MANY_ROWS, Rows, Slope, log_likelihood
from polythetic.parity import Parities, parities
from polythetic.rescaling import min_max
from polythetic.selection import AttentionScorer
from polythetic.views import Views

# Chosen on tasks other than those reported; docs/refinement.md has what else was tried.
SIZE = 3.0  # of a start, in units of √(αF) / 2
SHAKEN = 0.5  # by how much chance shakes the logarithm of a start
WAVES = (2, 8, 24)  # starts: the first are flat and Algorithm 1's; later ones are for tasks that are undecided
CERTAIN, FAINT = 2.0, 0.05  # scales of the features of an XOR that is certain, and of others
EVENLY = 0.5  # for all features of bits, in shares of what their start has for those that seem to decide
BRIEF, FASTER = 0.3, 2.0  # of the steps, at so many times the rate, from such a start
TRIED = 0.4  # of the steps after which a third of the starts of a wave go on

AT_ONCE = 2**21  # numbers in the matrices of attention, or of scaled rows, of all tasks and starts together


@dataclass(frozen=True)
class RefinedScorer:
    """Scores features by the scales that make the support most likely, row by row, given all the others.

    The scores are the scales: what they stretch is what attention with the Euclidean similarity should look at.

    Attributes:
        starts: how many at most, a first look at some of many rows aside; fewer if some scales convince before, and
            one where all features are bits and ``parity`` has looked for what they decide.
        steps: of Adam, from each start; a third of them there.
        rate: of Adam; twice as much there.
        penalty: on the sum of the scales, over the root of the number of rows; reached with the last step.
        seed: of what chance shakes. The same for each task, so that none depends on those beside it.
        unrolled: let gradients through the steps to the features; without it the scales count as given.
        seconds: after so long, take no further step. The first wave of starts of the first tasks is seen to its end,
            and whatever is found is compared, so that it takes longer where there is much to do.
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
        finite("rate", self.rate, above=0)
        finite("penalty", self.penalty, least=0)
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
        pixels are, scales are mixed with these instead of flat ones, unless one unit drowns the others.
        """
        tasks, (n, F) = support.shape[:-2], support.shape[-2:]
        z, y = support.reshape(-1, n, F), labels.reshape(-1, n)
        m = None if mask is None else mask.reshape(-1, n)
        own = torch.ones_like(z[:, 0]) if spread is None else spread.detach().reshape(-1, F)
        until = math.inf if self.seconds is None else time.monotonic() + self.seconds
        with self._unwatched():
            found = Parities.none(z) if self.unrolled else parities(z, y, m, self.seed, until)
        # Of an XOR that is certain: its features where climbs would take them, others faintly, constants not at all.
        varies = _varies(z, m)
        scores = (CERTAIN * found.scales).clamp(min=FAINT) * varies
        open_ = ~found.certain & varies.any(-1)
        # Of bits there is one climb, and flat scales of several sizes to compare with.
        each = {True: n * max(len(FLAT_OF_BITS) * n, F), False: max(WAVES) * n * max(n, F)}
        together = {bits: 1 if n > MANY_ROWS else max(1, AT_ONCE // each[bits]) for bits in each}
        first_until = math.inf
        for part in chain(*(_parts(open_ & (found.exhausted == bits), together[bits]) for bits in each)):
            rows, classes, mask = z[part], y[part], None if m is None else m[part]
            if n > MANY_ROWS and mask is not None:  # a task alone needs no padding
                rows, classes, mask = rows[mask][None], classes[mask][None], None
            refined = self._refined(rows, classes, mask, own[part], found.of_tasks(part), until, first_until)
            scores, first_until = scores.index_copy(0, part, refined.to(scores)), until
        return scores.reshape(*tasks, F)

    def _unwatched(self) -> AbstractContextManager[None]:
        """Compute without gradients: a fifth faster on few rows if what comes of it is never to be differentiated."""
        return torch.no_grad() if self.unrolled else torch.inference_mode()

    def _refined(
        self,
        z: Tensor,
        labels: Tensor,
        mask: Tensor | None,
        spread: Tensor,
        parity: Parities,
        until: float,
        first_until: float,
    ) -> Float[Tensor, "tasks F"]:
        with self._unwatched():
            views = Views(z, labels, mask, self.seed)
            of_bits = bool(parity.exhausted.all())
            if of_bits:  # which have no units of their own
                judge = Judge.of(views.judged(), None, FLAT_OF_BITS)
                best = self._from_leads(views, judge, parity, first_until)
            else:
                judge = Judge.of(views.judged(), spread)
                best = self._best(views, judge, parity, until, first_until)
        if self.unrolled:
            views = Views(z, labels, mask, self.seed)
            w = best.stretch[:, None] * self._climb(views, best.start[:, None], unrolled=True).w[:, 0]
            return judge.believed(w, best.evidence)
        # What the best explains is counted on the rows that are judged: of many, some.
        rows = z.shape[1] if mask is None else mask.sum(-1)
        explains = (parity.nats > 0) & (parity.nats * judge.rows.asked / rows > judge.explained(best))
        w = torch.where(explains[:, None], parity.scales, best.w)
        return judge.believed(w, torch.where(explains, parity.evidence, best.evidence))

    def _from_leads(self, views: Views, judge: Judge, parity: Parities, until: float) -> Found:
        """Of bits, climb once, not far, from those that seem to decide the class; or these may do as they are."""
        led = (parity.leads > 0).any(-1)[:, None]
        a = torch.where(led, EVENLY / parity.leads.shape[-1] + _shares(parity.leads**2), 1.0)
        brief = replace(self, steps=max(1, round(BRIEF * self.steps)), rate=self.rate * FASTER)
        climbed = brief._climb(views.first_look() if views.many else views, _sized(a[:, None], judge), until=until)
        alone = torch.where(led, CERTAIN * parity.leads * judge.alive, climbed.w[:, 0])[:, None]
        return judge.best_of(Climbed(*(torch.cat([part, alone], 1) for part in climbed)))

    def _best(self, views: Views, judge: Judge, parity: Parities, until: float, first_until: float) -> Found:
        """Search in waves, each only where those before have found nothing that convinces."""
        best: Found | None = None
        looked = False  # at some of the rows, and no more
        for seen, starts in self._waves(views, judge, parity):
            if best is None:
                best, looked = judge.best_of(self._climb(seen, starts, until=first_until)), seen is not views
                continue
            enough = torch.where(judge.plain, BELIEF if looked else 0.0, CONVINCING)
            open_ = (best.evidence < enough).nonzero()[:, 0]
            if not len(open_) or time.monotonic() > until:
                break
            more = judge.of_tasks(open_).best_of(self._climb(seen.of_tasks(open_), starts[open_], until=until))
            best, looked = best.improved(open_, more), False
        assert best is not None
        return best

    def _waves(
        self, views: Views, judge: Judge, parity: Parities
    ) -> Iterator[tuple[Views, Float[Tensor, "tasks starts F"]]]:
        """Yield starts, and what a climb from them sees: two, then flat ones that chance has shaken.

        The first two are flat, and Algorithm 1's, or one that leans towards an XOR if such was found.
        """
        F = judge.alive.shape[-1]
        first = _by_algorithm_1(views) * judge.alive
        # By rank in Algorithm 1, so that chance has to do with a feature and not with where it stands.
        rank = first.argsort(dim=-1, descending=True, stable=True).argsort(-1)
        leaning = torch.where(parity.nats[:, None] > 0, 1 / F + _shares(parity.scales**2), first)
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
                a[:, 1:2] = leaning[:, None]
            starts = _sized(a, judge)
            if number == 0 and views.many and not self.unrolled:  # unrolled, the same climb must be had again
                yield views.first_look(), starts
            yield views, starts

    def _climb(
        self,
        views: Views,
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
        slope, rows, root = Slope(), None, w
        for step in range(1, self.steps + 1):
            if time.monotonic() > until:
                break
            if (seen := views.at(step)) is not rows:
                rows, root = seen, seen.asked.clamp(min=1).to(w).sqrt()[:, None]
            penalty = self.penalty * step / self.steps / root
            value, gradient = _unrolled_slope(rows, w) if unrolled else slope(rows, w)
            gradient = gradient - penalty[..., None] * (w > 0)
            m, v = torch.lerp(m, gradient, 0.1), torch.addcmul(0.999 * v, gradient, gradient, value=0.001)
            size = (v / (1 - 0.999**step) + 1e-16).sqrt()
            w = torch.addcdiv(w, m, size, value=self.rate / (1 - 0.9**step)).clamp(min=0)
            if not unrolled and step == round(TRIED * self.steps):
                keep = max(1, w.shape[1] // 3)
                best = (value - penalty * w.sum(-1)).topk(keep, -1).indices[..., None].expand(-1, -1, w.shape[-1])
                w, origin, m, v = (x.gather(1, best) for x in (w, origin, m, v))
        return Climbed(w, origin)


def _parts(which: Bool[Tensor, " tasks"], size: int) -> list[Int[Tensor, " some"]]:
    """Number some tasks, so many at once."""
    tasks = which.nonzero()[:, 0]
    return list(tasks.split(size)) if len(tasks) else []


def _varies(z: Float[Tensor, "tasks n F"], mask: Bool[Tensor, "tasks n"] | None) -> Bool[Tensor, "tasks F"]:
    """Say which features are not constant: of those that are, standardised, every value is zero."""
    return ((z != 0) if mask is None else (z != 0) & mask[..., None]).any(1)


def _sized(a: Float[Tensor, "tasks starts F"], judge: Judge) -> Float[Tensor, "tasks starts F"]:
    """Turn squared scales into starts of the right size, with no scale for what is constant."""
    F_alive = judge.alive.sum(-1)[:, None, None]
    total = SIZE * (ALPHA * F_alive).sqrt() / 2
    return (_shares(a * judge.alive[:, None]) * total).sqrt()


def _shares(a: Float[Tensor, "*any F"]) -> Float[Tensor, "*any F"]:
    return a / a.sum(-1, keepdim=True).clamp(min=1e-30)


def _by_algorithm_1(views: Views) -> Float[Tensor, "tasks F"]:
    """Return squared scales by Algorithm 1, none of them zero."""
    return 0.05 + min_max(AttentionScorer()(views.z, views.labels, views.mask)) ** 2


def _unrolled_slope(rows: Rows, w: Tensor) -> tuple[Tensor, Tensor]:
    """The likelihood and its gradient, which can itself be differentiated."""
    with torch.enable_grad():
        w = w if w.requires_grad else w.detach().requires_grad_()
        value = log_likelihood(rows, w)
        (gradient,) = torch.autograd.grad(value.sum(), w, create_graph=True)
    return value, gradient
