"""NCFS: feature weights by gradient ascent on the leave-one-out accuracy of a soft nearest neighbour.

Yang, Wang & Zuo, Neighborhood Component Feature Selection for High-Dimensional Data, Journal of Computers 7 (1), 2012;
after Goldberger et al., Neighbourhood Components Analysis, 2004. With D_ij = Σ_f w_f² |x_if − x_jf|, row i picks j ≠ i
with probability ∝ exp(−D_ij / σ), and p_i is the probability that it picks one of its own class. Maximised is
Σ_i p_i − λ Σ_f w_f², from w = 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

FASTER, SLOWER = 1.01, 0.4  # the paper's: what the step is multiplied by after a gain, and after a loss


@dataclass(frozen=True)
class NCFS:
    """NCFS on columns that are 0 or 1, where |x − y| is (x − y)² and all sums are matrix products.

    Attributes:
        penalty: λ.
        width: σ, of the kernel.
        step: the first one, over the number of rows, so that it does not grow with them.
        enough: η: a change of the objective, over the number of rows, that ends the ascent.
        most: steps at most.
    """

    penalty: float = 1.0
    width: float = 1.0
    step: float = 3.0
    enough: float = 1e-4
    most: int = 200

    def __call__(self, x: Float[Tensor, "n F"], labels: Int[Tensor, " n"]) -> Float[Tensor, " F"]:
        """Return the weights w.

        >>> bits = torch.tensor([[0.0, 0, 1], [0, 1, 1], [1, 0, 1], [1, 1, 1]]).repeat(5, 1)
        >>> NCFS()(bits, (bits[:, 0] != bits[:, 1]).long()).argmin().item()  # the third says nothing
        2
        """
        same = labels[:, None] == labels
        same.fill_diagonal_(False)
        w = torch.ones_like(x[0])
        step, before = self.step / len(x), -torch.inf
        for _ in range(self.most):
            value, gradient = self._objective(x, same, w)
            if abs(value - before) < self.enough * len(x):
                break
            step *= FASTER if value > before else SLOWER
            before = value
            w = w + step * gradient
        return w.abs()

    def _objective(
        self, x: Float[Tensor, "n F"], same: Bool[Tensor, "n n"], w: Float[Tensor, " F"]
    ) -> tuple[float, Float[Tensor, " F"]]:
        scaled = x * (w * w)
        towards = (2 * scaled @ x.T - scaled.sum(-1)) / self.width  # −D_ij, but for what depends on i alone
        attention = towards.fill_diagonal_(-torch.inf).softmax(-1)
        of_class = attention * same
        p = of_class.sum(-1)
        pull = p[:, None] * attention - of_class  # [i, j]: what it would gain the objective to have them farther apart
        squares = x * x
        apart = pull.sum(1) @ squares + pull.sum(0) @ squares - 2 * (x * (pull @ x)).sum(0)
        return float(p.sum() - self.penalty * (w * w).sum()), 2 * (apart / self.width - self.penalty) * w
