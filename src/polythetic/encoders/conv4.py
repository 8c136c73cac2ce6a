"""Conv4: four blocks of convolution, batch norm, ReLU and max-pool, and a linear layer (App. F)."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor, nn
from torch.nn.functional import conv2d

from polythetic.arguments import one_of, whole_number
from polythetic.encoders.block import norm_relu_pool
from polythetic.encoders.encoder import Encoder
from polythetic.encoders.fused import NormReluPool, signs
from polythetic.encoders.packing import Span, pack
from polythetic.errors import InputError

BLOCKS = 4
SMALLEST = 2**BLOCKS  # pixels: each block halves the picture


class Conv4(Encoder):
    """Four times Conv 3×3 → batch norm → ReLU → max-pool 2×2, then a linear layer.

    Batch norm has no memory: a task is normalised by statistics of its own, in training and at test. By default they
    are of the support alone, so that a query's features do not depend on the other queries, and one query can be
    classified by itself. ``statistics="joint"`` takes support and queries together, as the authors' code does.

    The convolutions have no bias: subtracting the mean would cancel it.

    Args:
        channels: of the pictures; 1 for grey, 3 for colour.
        embedding: how many features come out.
        size: of the pictures, (height, width), 16 or more each.
        width: channels of each block.
        statistics: ``"support"`` or ``"joint"``.
        fused: take the fast formulation; under ``torch.func`` and for second derivatives, the plain one is taken
            anyhow. Both give the same values and gradients, but for rounding.

    >>> encoder = Conv4(1, size=(28, 28))
    >>> support, query = encoder(torch.rand(2, 10, 1, 28, 28), torch.rand(2, 3, 1, 28, 28))
    >>> support.shape, query.shape
    (torch.Size([2, 10, 64]), torch.Size([2, 3, 64]))
    """

    def __init__(
        self,
        channels: int,
        *,
        embedding: int = 64,
        size: tuple[int, int],
        width: int = 64,
        statistics: str = "support",
        fused: bool = True,
    ):
        super().__init__()
        one_of("statistics", statistics, ("support", "joint"))
        sides = [whole_number("size", side, least=SMALLEST, meaning="pixels: four blocks halve them") for side in size]
        height, breadth = (side // SMALLEST for side in sides)
        self.example = (whole_number("channels", channels, least=1), *sides)
        self.statistics = statistics
        self.fused = fused
        width = whole_number("width", width, least=1)
        self.blocks = nn.ModuleList(Block(channels if i == 0 else width, width) for i in range(BLOCKS))
        self.linear = nn.Linear(width * height * breadth, whole_number("embedding", embedding, least=1))

    def forward(
        self,
        support: Shaped[Tensor, "*tasks n ..."],
        query: Shaped[Tensor, "*tasks q ..."],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n F"], Float[Tensor, "*tasks q F"]]:
        """Encode all rows of all tasks in one batch, each task normalised by its own statistics."""
        for name, pictures in (("support", support), ("query", query)):
            if tuple(pictures.shape[-3:]) != self.example:
                expected = "×".join(map(str, self.example))
                raise InputError(
                    name, "×".join(map(str, pictures.shape)), f"pictures of {expected}, rows of them first"
                )
        packed = pack(support, query, mask, query_mask, example_dims=3)
        spans = packed.spans(joint=self.statistics == "joint")
        fused = self.fused and not _transformed()
        x = packed.rows.to(self.linear.weight.dtype)
        if fused:
            x = _channels_last(x)
        for block in self.blocks:
            x = block(x, spans, fused=fused)
        return packed.unpack(self.linear(x.flatten(1)))

    def extra_repr(self) -> str:
        """Say what the blocks do not."""
        return f"example={self.example}, statistics={self.statistics!r}, fused={self.fused}"


class Block(nn.Module):
    """One block of the four; filters start as in ``nn.Conv2d``, γ at 1 and β at 0."""

    def __init__(self, channels: int, width: int):
        super().__init__()
        self.conv = nn.Conv2d(channels, width, 3, padding=1, bias=False)
        self.gamma = nn.Parameter(torch.ones(width))
        self.beta = nn.Parameter(torch.zeros(width))

    def forward(self, x: Float[Tensor, "m c h w"], spans: Sequence[Span], *, fused: bool) -> Tensor:
        """Return maps of half the height and width."""
        if not fused:
            return norm_relu_pool(self.conv(x), self.gamma, self.beta, spans)
        sign = signs(self.gamma)  # γ(y − μ) = |γ|(sy − sμ), with s the sign
        y = conv2d(x, self.conv.weight * sign[:, None, None, None], padding=1)
        y = y.contiguous(memory_format=torch.channels_last)  # which it is already, unless in double precision
        z: Tensor = NormReluPool.apply(y, self.gamma * sign, self.beta, spans)
        return z


def _channels_last(x: Float[Tensor, "m c h w"]) -> Float[Tensor, "m c h w"]:
    """Put the channels of a pixel side by side in memory, which is how convolutions are quickest."""
    x = x.contiguous(memory_format=torch.channels_last)
    _, c, h, w = x.shape
    # With a single channel both orders are one, and torch takes the slow one unless the strides spell it out.
    return x.as_strided(x.shape, (h * w, 1, w, 1)) if c == 1 else x


def _transformed() -> bool:
    """Say whether ``torch.func`` is at work, which cannot look into a function with a gradient of its own."""
    return bool(torch._C._are_functorch_transforms_active())
