"""Belief: which of several scales of the features to keep, and how far to trust them (ours; beyond the paper).

With many features and few rows some scales fit by chance. What the likelihood gains over scales
that take no choosing is held against what it takes to say which m of F features are kept, ln (F choose m): where the
gain is several times as great the scales stand, where it is less they are mixed with flat ones.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor

from polythetic.likelihood import Rows, log_likelihood
from polythetic.standardisation import safe_root

# Chosen on tasks other than those reported; docs/refinement.md has what else was tried.
ALPHA = 3  # features that matter, as far as the size of a start goes
CONVINCING = 2.0  # evidence that ends the search
BELIEF = 1.4  # evidence at which scales count for half as much as with all the evidence in the world
MOST_FLAT = 0.9  # the share of flat scales where there is no evidence
FLAT = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)  # Σ_f a_f of the flat scales to compare with
FLAT_OF_BITS = FLAT[::2]  # where all features are bits, as there is one climb alone to compare with
ALONE = 1.8  # features of those that vary: if their own units leave no more than so many, it is the units that differ
STRETCHES = (1.0, 1.4, 2.0)  # of the scales that a climb ends with


@dataclass(frozen=True)
class Judge:
    """Compares scales with flat ones, and says how far to believe them."""

    rows: Rows
    alive: Float[Tensor, "tasks F"]  # 1 for features that are not constant
    flat: Float[Tensor, "tasks F"]  # the best scales that take no choosing
    flat_value: Float[Tensor, " tasks"]  # their likelihood
    plain: Bool[Tensor, " tasks"]  # they explain so much that the way up is plain from anywhere

    @classmethod
    def of(cls, rows: Rows, spread: Float[Tensor, "tasks F"] | None, totals: Sequence[float] = FLAT) -> Judge:
        """Find the best scales that take no choosing: flat ones, and those that undo the standardising by a spread.

        The latter where the features have units in common, as pixels do. Where one, or one and some of another, is
        spread out so much further than the rest that it alone would count, as square millimetres beside ratios, its
        units are all that this tells.
        """
        z = rows.z[:, 0] if rows.absent is None else rows.z[:, 0].masked_fill(rows.absent[:, 0, :, None], 0)
        alive = (z.abs().amax(-2) > 0).to(z)
        shapes = [alive]
        if spread is not None:  # divided by the largest first, so that no square overflows or vanishes
            own = alive * spread / spread.amax(-1, keepdim=True).clamp(min=1e-30)
            shapes.append(torch.where((kept(own) > ALONE)[:, None], own**2, alive))
        a = torch.stack(shapes, 1)
        tried = (a / a.sum(-1, keepdim=True).clamp(min=1e-30)).sqrt()
        best = log_likelihood(rows, tried, [math.sqrt(total) for total in totals]).max(-1)
        # Of every shape the smallest total comes first, then the next.
        sizes = torch.tensor(totals).to(alive)[best.indices // len(shapes)].sqrt()
        flat = tried[torch.arange(len(tried)), best.indices % len(shapes)] * sizes[:, None]
        gain = rows.asked * (best.values - rows.at_random)
        plain = gain > CONVINCING * ALPHA * alive.sum(-1).clamp(min=2).log()
        return cls(rows, alive, flat, best.values, plain)

    def of_tasks(self, tasks: Tensor) -> Judge:
        """Return the judge of some of the tasks."""
        rows, facts = self.rows.of_tasks(tasks), (self.alive, self.flat, self.flat_value, self.plain)
        return Judge(rows, *(fact[tasks] for fact in facts))

    def best_of(self, climbed: Climbed) -> Found:
        """Keep the scales of the greatest likelihood, less what it takes to say which features they keep."""
        # The penalty has pressed all scales down, which tells nothing of the features: let each try to be greater.
        w = torch.cat([stretch * climbed.w for stretch in STRETCHES], 1)
        start = climbed.start.repeat(1, len(STRETCHES), 1)
        stretch = torch.tensor(STRETCHES).to(w).repeat_interleave(climbed.w.shape[1])
        asked = self.rows.asked[:, None]
        rows, some = self.rows.without_unscaled(climbed.w)
        log_p = log_likelihood(rows, climbed.w.gather(-1, some.expand(-1, climbed.w.shape[1], -1)), STRETCHES)
        effort = naming(kept(w), self.alive.sum(-1, keepdim=True))
        best = (asked * log_p - effort).max(-1)
        row, index = torch.arange(len(w)), best.indices
        evidence = (asked * (log_p - self.flat_value[:, None]) / effort)[row, index].clamp(min=0)
        return Found(w[row, index], start[row, index], stretch[index], best.values, evidence)

    def explained(self, found: Found) -> Float[Tensor, " tasks"]:
        """Return how many nats more than blind guesses some scales make of the classes, less those to name them."""
        return found.value - self.rows.asked * self.rows.at_random

    def believed(self, w: Float[Tensor, "tasks F"], evidence: Float[Tensor, " tasks"]) -> Float[Tensor, "tasks F"]:
        """Mix scales with flat ones as the evidence bids."""
        share = (MOST_FLAT / (1 + (evidence / BELIEF) ** 3))[:, None]
        a, flat = w * w, self.flat**2
        total, flat_total = (x.sum(-1, keepdim=True).clamp(min=1e-30) for x in (a, flat))
        mixed = (1 - share) * a / total + share * flat / flat_total
        return safe_root(mixed * ((1 - share) * total + share * flat_total))


class Climbed(NamedTuple):
    """Scales, and where their climb began."""

    w: Float[Tensor, "tasks starts F"]
    start: Float[Tensor, "tasks starts F"]


class Found(NamedTuple):
    """The best scales of each task."""

    w: Float[Tensor, "tasks F"]
    start: Float[Tensor, "tasks F"]  # where their climb began
    stretch: Float[Tensor, " tasks"]  # by which they are greater than at its end
    value: Float[Tensor, " tasks"]
    evidence: Float[Tensor, " tasks"]

    def improved(self, tasks: Tensor, other: Found) -> Found:
        """Take what others found for some of the tasks where it is better."""
        better = other.value > self.value[tasks]
        parts = [part.clone() for part in self]
        for part, new in zip(parts, other, strict=True):
            part[tasks[better]] = new[better]
        return Found(*parts)


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
