"""What a block of Conv4 does after its convolution, written plainly: batch norm by some rows, ReLU, max-pool."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor
from torch.nn.functional import max_pool2d

from polythetic.encoders.packing import Span

EPS = 1e-5  # of batch norm, as in PyTorch and the authors' code


def norm_relu_pool(
    y: Float[Tensor, "m C h w"], gamma: Float[Tensor, " C"], beta: Float[Tensor, " C"], spans: Sequence[Span]
) -> Float[Tensor, "m C h2 w2"]:
    """Return pool(ReLU(γ·(y − μ)/√(σ² + ε) + β)), with μ and σ² of the measured rows of each task.

    Nothing but differentiable torch operations: for ``torch.func``, for second derivatives, and as the measure of
    what is faster.

    >>> y = torch.tensor([[1.0, 3.0], [5.0, 7.0], [9.0, 9.0]]).reshape(3, 1, 1, 2).expand(3, 1, 2, 2)
    >>> task = Span(0, 2, 3)  # two rows of support, with mean 4 and variance 5, and a query
    >>> norm_relu_pool(y, torch.ones(1), torch.zeros(1), [task]).flatten()
    tensor([0.0000, 1.3416, 2.2361])
    """
    pooled = []
    for start, measured, stop in spans:
        mean = y[start:measured].mean((0, 2, 3), keepdim=True)
        variance = (y[start:measured] - mean).square().mean((0, 2, 3), keepdim=True)
        normal = (y[start:stop] - mean) * (variance + EPS).rsqrt()
        z = torch.relu(gamma[:, None, None] * normal + beta[:, None, None])
        pooled.append(max_pool2d(z, 2))
    return torch.cat(pooled) if pooled else max_pool2d(y, 2)
