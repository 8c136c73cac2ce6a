"""The same block, fast: one function with its gradient in closed form, so that little is computed and less is kept.

Max-pooling commutes with ReLU and with any increasing map, so the largest of four values is taken first and all that
follows happens on maps of a quarter of the size. Batch norm increases where γ > 0; the sign of γ goes into the filters.

Let x̂ = (y − μ)r, r = 1/√(σ² + ε), z = ReLU(γx̂ + β), g the gradient at γx̂ + β, and S the m values that were measured:

    ∂β = Σ g        ∂γ = Σ g x̂        ∂y_i = γr (g_i − 1[i ∈ S]/m (Σ g + x̂_i Σ g x̂))

with the sums over all rows of the task. The gradient g is zero but for the largest of each four.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import max_pool2d

from polythetic.encoders.block import EPS, norm_relu_pool
from polythetic.encoders.packing import Span


def signs(gamma: Float[Tensor, " C"]) -> Float[Tensor, " C"]:
    """Return −1 where γ < 0, else 1."""
    return torch.where(gamma.detach() < 0, -1.0, 1.0).to(gamma.dtype)


class NormReluPool(torch.autograd.Function):
    """``norm_relu_pool`` for slopes γ ≥ 0, and maps in channels-last order."""

    @staticmethod
    def forward(ctx: Any, y: Tensor, gamma: Tensor, beta: Tensor, spans: Sequence[Span]) -> Tensor:
        """Pool, then normalise, then cut off below zero."""
        largest, where = max_pool2d(y, 2, return_indices=True)
        measures = [_measure(y[start:measured]) for start, measured, _ in spans]
        z = torch.empty_like(largest)
        for (start, _, stop), (mean, r) in zip(spans, measures, strict=True):
            slope = gamma * r
            torch.addcmul(beta - slope * mean, _flat(largest[start:stop]), slope, out=_flat(z[start:stop]))
        z.relu_()
        ctx.save_for_backward(y, gamma, beta, largest, where, z)
        ctx.spans, ctx.measures = spans, measures
        return z

    @staticmethod
    def backward(ctx: Any, dz: Tensor) -> tuple[Tensor, Tensor, Tensor, None]:
        """Apply the formulas above."""
        y, gamma, beta, largest, where, z = ctx.saved_tensors
        if torch.is_grad_enabled():  # the gradient is to be differentiated again: take the plain way
            plain = norm_relu_pool(y, gamma, beta, ctx.spans)
            dy, dgamma, dbeta = torch.autograd.grad(plain, (y, gamma, beta), dz, create_graph=True)
            return dy, dgamma, dbeta, None

        dz = dz.contiguous(memory_format=torch.channels_last)
        g = torch.ops.aten.threshold_backward(dz, z, 0)  # at the largest
        dgamma, dbeta, lines = torch.zeros_like(gamma), torch.zeros_like(beta), []
        for (start, measured, stop), (mean, r) in zip(ctx.spans, ctx.measures, strict=True):
            its_g = _flat(g[start:stop])
            sum_g = its_g.sum(0)
            sum_gx = r * ((its_g * _flat(largest[start:stop])).sum(0) - mean * sum_g)
            dbeta += sum_g
            dgamma += sum_gx
            m = (measured - start) * y.shape[2] * y.shape[3]
            slope = -gamma * r * r * sum_gx / m  # what each measured value gets, as a line: slope · y + shift
            lines.append((slope, -gamma * r * sum_g / m - slope * mean))
            its_g.mul_(gamma * r)
        window = ([2, 2], [2, 2], [0, 0], [1, 1], False)
        dy = torch.ops.aten.max_pool2d_with_indices_backward(g, y, *window, where)
        for (start, measured, _), (slope, shift) in zip(ctx.spans, lines, strict=True):
            _flat(dy[start:measured]).addcmul_(_flat(y[start:measured]), slope).add_(shift)
        return dy, dgamma, dbeta, None


def _flat(x: Float[Tensor, "n C h w"]) -> Float[Tensor, "nhw C"]:
    """See maps in channels-last order as rows of channels."""
    return x.permute(0, 2, 3, 1).view(-1, x.shape[1])


def _measure(y: Float[Tensor, "n C h w"]) -> tuple[Float[Tensor, " C"], Float[Tensor, " C"]]:
    """Return the mean of each channel, and 1/√(σ² + ε).

    Each column of the map is measured for itself, then all together: torch adds one value after the other, and
    single precision loses four digits over some 100,000 of them, but not over some 1,000.
    """
    n, C, h, w = y.shape
    columns = y.permute(0, 2, 3, 1).view(n, h, w * C).permute(0, 2, 1)[..., None]  # [n, w · C, h, 1]
    means, variances = (x.view(w, C) for x in torch.batch_norm_update_stats(columns, None, None, 0.0))
    mean = means.mean(0)
    variance = variances.mean(0) + (means - mean).square().mean(0)
    return mean, (variance + EPS).rsqrt()
