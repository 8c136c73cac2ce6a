"""The leave-one-out likelihood of a support: what attention makes of each row's class when it sees all the others.

With features scaled by w, row i pays row j the attention P_ij ∝ exp(−Σ_f w_f² (z_if − z_jf)²), j ≠ i, of which a_i, the
sum over the rows j of its own class, goes to that class. A label may be wrong, or a row far from all others: with doubt
d its class is as if drawn blindly from theirs, so that p_i = (1 − d) a_i + d b_i, where b_i is the share of its class
among them, and no row decides alone. The likelihood of w is the mean of log p_i. It asks nothing of the world beyond
the support.

Goldberger, Roweis, Hinton & Salakhutdinov, Neighbourhood Components Analysis, 2004, have Σ a_i of a linear map in the
place of it; Yang, Wang & Zuo, Neighborhood Component Feature Selection, 2012, Σ a_i of scales.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

DOUBT = 0.2  # chosen on tasks other than those reported; docs/refinement.md has what else was tried
LEAST = 1e-30  # a probability below this counts as this
LOST = 1e-19  # attention below this counts as none: its squares would be denormal numbers, which take ten times as long
NARROWER = 0.9  # of the features that are looked at: if no more are left, the others are left out
MANY_ROWS = 512  # beyond, tries are looked at one by one, each without the features that it gives no scale


class Rows(NamedTuple):
    """The rows of some tasks, as the likelihood sees them; the second dimension is for scales to be tried on them.

    The first m of the n rows are asked for their class, all of them or fewer; each attends to all n.
    """

    z: Float[Tensor, "tasks 1 n F"]
    same: Float[Tensor, "tasks 1 m n"]  # 1 for two different rows of one class
    asks: Float[Tensor, "tasks 1 m"]  # a share for each row that has company in its class; they sum to 1
    blind: Float[Tensor, "tasks 1 m"]  # the share of its class among the others
    absent: Bool[Tensor, "tasks 1 n"] | None = None  # True for padding

    @classmethod
    def of(
        cls,
        z: Float[Tensor, "tasks n F"],
        labels: Int[Tensor, "tasks n"],
        mask: Bool[Tensor, "tasks n"] | None = None,
        first: int | None = None,
    ) -> Rows:
        """Lay out standardised rows; a row that is the only one of its class is seen, but not asked.

        Args:
            z: the rows.
            labels: their classes.
            mask: False for padding.
            first: ask the first so many; None is all.
        """
        same = (labels[:, :first, None] == labels[:, None, :]).to(z.dtype)
        same.diagonal(dim1=-2, dim2=-1).zero_()
        if mask is not None:
            same = same * (mask[:, :first, None] & mask[:, None, :])
        company = same.sum(-1)
        others = z.shape[-2] - 1 if mask is None else mask.sum(-1, keepdim=True) - 1
        blind = company / torch.as_tensor(others).clamp(min=1)
        asks = (company > 0).to(z.dtype)
        asks = asks / asks.sum(-1, keepdim=True).clamp(min=1)
        return cls(z[:, None], same[:, None], asks[:, None], blind[:, None], None if mask is None else ~mask[:, None])

    @property
    def asked(self) -> Int[Tensor, " tasks"]:
        """How many rows are asked."""
        return (self.asks[:, 0] > 0).sum(-1)

    @property
    def at_random(self) -> Float[Tensor, " tasks"]:
        """The likelihood of scales that are all 0: every row attends to all others alike."""
        return (self.blind.clamp(min=LEAST).log() * self.asks).sum(-1)[:, 0]

    def of_tasks(self, tasks: Tensor | slice) -> Rows:
        """Return some of the tasks."""
        absent = None if self.absent is None else self.absent[tasks]
        return Rows(self.z[tasks], self.same[tasks], self.asks[tasks], self.blind[tasks], absent)

    def of_features(self, features: Int[Tensor, " kept"]) -> Rows:
        """Return all the rows, with some of their features."""
        return self._replace(z=self.z[..., features])

    def without_unscaled(self, w: Float[Tensor, "tasks tries F"]) -> tuple[Rows, Int[Tensor, "tasks 1 kept"]]:
        """Return the rows with as many features as are needed for all that have a scale, and the features' numbers."""
        kept = (w > 0).any(1, keepdim=True).float().topk(max(1, _most_kept(w)), -1).indices
        return self._replace(z=self.z.gather(-1, kept[:, None].expand(-1, -1, self.z.shape[-2], -1))), kept


def _most_kept(w: Float[Tensor, "tasks tries F"]) -> int:
    """Count the features that any of a task's tries gives a scale, of the task with most."""
    return int((w > 0).any(1).sum(-1).max())


def log_likelihood(
    rows: Rows, w: Float[Tensor, "tasks tries F"], stretches: Sequence[float] = (1.0,)
) -> Float[Tensor, "tasks all"]:
    """Return the mean log-probability of the rows' own classes; differentiable, any number of times.

    Args:
        rows: of which tasks.
        w: scales to be tried on them.
        stretches: first all of the scales times the first of these, then times the next: distances are measured once.

    >>> z = torch.tensor([[[-1.0], [-1.0], [1.0], [1.0]]])
    >>> rows = Rows.of(z, torch.tensor([[0, 0, 1, 1]]))
    >>> log_likelihood(rows, torch.tensor([[[0.0], [1.0]]])).exp()  # blind: one row of three is of the same class
    tensor([[0.3333, 0.8384]])
    """
    if rows.z.shape[-2] > MANY_ROWS and w.shape[1] * len(stretches) > 1:
        tries = [stretch * scales for stretch in stretches for scales in w.split(1, 1)]
        return torch.cat([log_likelihood(rows, scales) for scales in tries], 1)
    logits = _logits(rows, w, rows.z * rows.z)
    if len(stretches) > 1:
        squares = torch.tensor(stretches).to(w) ** 2
        logits = (squares[:, None, None, None] * logits[:, None]).flatten(1, 2)
    attention = torch.threshold(logits.softmax(-1), LOST, 0.0)
    return (_doubted(rows, (attention * rows.same).sum(-1)).log() * rows.asks).sum(-1)


def _doubted(rows: Rows, a: Float[Tensor, "tasks tries m"]) -> Float[Tensor, "tasks tries m"]:
    return ((1 - DOUBT) * a + DOUBT * rows.blind).clamp(min=LEAST)


class Slope:
    """The likelihood and its gradient in closed form: several times as fast as differentiating automatically.

    With a_i and p_i as above and shares r_i of the rows that are asked, G_ij = r_i (1 − d) / p_i · P_ij
    (a_i − [same class]) is minus the derivative by the logits. As its rows sum to zero, dL / dw_f =
    2 w_f (Σ_j z_jf² Σ_i G_ij − 2 Σ_i z_if Σ_j G_ij z_jf).

    The three m × n matrices are kept from one call to the next, as to be given new memory takes as long as to fill it;
    and so are the squares of the features. Where a scale is 0, so is the slope, and a climb stays there: of one try a
    task, features are left out for good when many have come to that.

    >>> z = torch.tensor([[[-1.0, 0.3], [-1.0, -0.8], [1.0, 0.5], [1.0, -0.4]]])
    >>> rows = Rows.of(z, torch.tensor([[0, 0, 1, 1]]))
    >>> value, gradient = Slope()(rows, torch.full((1, 1, 2), 0.5))
    >>> bool(gradient[0, 0, 0] > 0 > gradient[0, 0, 1])  # more of the first feature, less of the second
    True
    """

    def __init__(self) -> None:
        self._room = self._z = self._squared = torch.empty(0)
        self._narrow: tuple[Rows, Rows, Tensor] | None = None

    def __call__(
        self, rows: Rows, w: Float[Tensor, "tasks tries F"]
    ) -> tuple[Float[Tensor, "tasks tries"], Float[Tensor, "tasks tries F"]]:
        """Return value and gradient at some scales of every task."""
        if rows.z.shape[-2] <= MANY_ROWS:
            return self._at(rows, w) if w.shape[1] > 1 else self._narrowed(rows, w)
        value, gradient = w.new_empty(w.shape[:2]), torch.zeros_like(w)
        for task, scales in itertools.product(*map(range, w.shape[:2])):
            kept = w[task, scales].nonzero()[:, 0]  # the further up, the fewer; where a scale is 0, so is the slope
            alone = rows.of_tasks(slice(task, task + 1)).of_features(kept)
            value[task, scales], gradient[task, scales, kept] = self._at(alone, w[task, scales, kept][None, None])
        return value, gradient

    def _narrowed(self, rows: Rows, w: Float[Tensor, "tasks 1 F"]) -> tuple[Tensor, Tensor]:
        """Leave out features for good once many more are left out than were before."""
        if self._narrow is None or self._narrow[0] is not rows:
            self._narrow = rows, rows, torch.arange(w.shape[-1]).expand(w.shape)
        _, some, kept = self._narrow
        if _most_kept(w) <= NARROWER * kept.shape[-1]:
            some, kept = rows.without_unscaled(w)
            self._narrow = rows, some, kept
        if kept.shape[-1] == w.shape[-1]:
            return self._at(rows, w)
        value, gradient = self._at(some, w.gather(-1, kept))
        return value, torch.zeros_like(w).scatter_(-1, kept, gradient)

    def _at(self, rows: Rows, w: Tensor) -> tuple[Tensor, Tensor]:
        z, same, asks, *_ = rows
        logits, P, of_class = self._matrices(rows, w)
        squares = self._squares(z)
        torch.threshold_(torch.softmax(_logits(rows, w, squares, out=logits), -1, out=P), LOST, 0.0)
        a = torch.mul(P, same, out=of_class).sum(-1)
        p = _doubted(rows, a)
        value = (p.log() * asks).sum(-1)
        r = (1 - DOUBT) * asks / p
        G = P.mul_((r * a)[..., None]).sub_(of_class.mul_(r[..., None]))
        towards = torch.matmul(G.sum(-2)[..., None, :], squares)[..., 0, :]
        between = (z[..., : G.shape[-2], :] * torch.matmul(G, z)).sum(-2)
        return value, 2 * w * (towards - 2 * between)

    def _squares(self, z: Tensor) -> Tensor:
        if z is not self._z:
            self._z, self._squared = z, z * z
        return self._squared

    def _matrices(self, rows: Rows, w: Tensor) -> tuple[Tensor, ...]:
        shape = (3, *w.shape[:2], *rows.same.shape[-2:])
        if self._room.numel() < math.prod(shape):
            self._room = w.new_empty(math.prod(shape))
        return self._room[: math.prod(shape)].view(shape).unbind()


def _logits(
    rows: Rows, w: Tensor, squares: Float[Tensor, "tasks 1 n F"], out: Tensor | None = None
) -> Float[Tensor, "tasks tries m n"]:
    """2 Σ_f w_f² z_if z_jf − Σ_f w_f² z_jf²; −∞ on the diagonal.

    That is −Σ_f w_f² (z_if − z_jf)², but for what depends on i alone, which softmax does not see.
    """
    z, m = rows.z.expand(-1, w.shape[1], -1, -1).flatten(0, 1), rows.same.shape[-2]
    a = (w * w)[..., None, :]
    q = torch.matmul(a, squares.mT).flatten(0, 1)
    asking = (rows.z[..., :m, :] * a).flatten(0, 1)
    product = torch.baddbmm(q, asking, z.mT, beta=-1, alpha=2, out=None if out is None else out.flatten(0, 1))
    logits = product.unflatten(0, w.shape[:2])
    logits.diagonal(dim1=-2, dim2=-1).fill_(-math.inf)
    return logits if rows.absent is None else logits.masked_fill_(rows.absent[..., None, :], -math.inf)
