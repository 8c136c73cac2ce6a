"""ResNet-12: the deeper network of the few-shot literature, and its public checkpoints.

Lee, Maji, Ravichandran and Soatto, Meta-Learning with Differentiable Convex Optimization, 2019 (the widths);
Ye, Hu, Zhan and Sha, FEAT, 2020, and Zhang, Cai, Lin and Shen, DeepEMD, 2020 (the checkpoints).
"""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor, nn
from torch.nn.functional import dropout, leaky_relu, max_pool2d

from polythetic.arguments import whole_number
from polythetic.encoders.encoder import Encoder
from polythetic.encoders.packing import pack
from polythetic.encoders.public_weights import read_weights, refuse_misfits
from polythetic.errors import InputError

WIDTHS = (64, 160, 320, 640)
SMALLEST = 16  # pixels: each of four blocks halves the picture
SLOPE = 0.1  # of the leaky ReLU below zero


class Shades(NamedTuple):
    """Mean and standard deviation of red, green and blue in the pictures that a network was trained on."""

    mean: tuple[float, ...]
    deviation: tuple[float, ...]


FEAT = Shades((0.47214064, 0.45330829, 0.40996128), (0.27718385, 0.26775041, 0.28449041))
DEEPEMD = Shades((0.49137255, 0.48235294, 0.44666667), (0.24705882, 0.24352941, 0.26156863))


class ResNet12(Encoder):
    """Four residual blocks of three convolutions, then the average over the picture: 640 features.

    Batch norm is the usual one: in training mode rows share the statistics of the whole batch; in evaluation mode,
    which is how a pre-trained network is used, remembered ones serve, and no row depends on another.

    Args:
        channels: of the pictures; 3 for the public checkpoints.
        embedding: features that a further linear layer makes of the 640; None for the 640 themselves.
        drop: the share of each block's outputs that is dropped in training.
        shades: what the pictures, between 0 and 1, are standardised by: ``FEAT`` or ``DEEPEMD`` with checkpoints from
            there; None leaves them as they are.

    >>> encoder = ResNet12().eval()
    >>> support, query = encoder(torch.rand(2, 3, 32, 32), torch.rand(1, 3, 32, 32))
    >>> support.shape, query.shape
    (torch.Size([2, 640]), torch.Size([1, 640]))
    """

    def __init__(
        self, channels: int = 3, *, embedding: int | None = None, drop: float = 0.0, shades: Shades | None = None
    ):
        super().__init__()
        if not 0 <= drop < 1:
            raise InputError("drop", drop, "a share from 0 up to, but not, 1")
        self.channels = whole_number("channels", channels, least=1)
        if shades is not None and not len(shades.mean) == len(shades.deviation) == channels:
            raise InputError("shades", shades, f"a mean and a deviation for each of {channels} channels")
        self.shades = shades
        # Named as in the checkpoints.
        self.layer1 = nn.Sequential(Block(channels, WIDTHS[0], drop))
        self.layer2 = nn.Sequential(Block(WIDTHS[0], WIDTHS[1], drop))
        self.layer3 = nn.Sequential(Block(WIDTHS[1], WIDTHS[2], drop))
        self.layer4 = nn.Sequential(Block(WIDTHS[2], WIDTHS[3], drop))
        self.linear = nn.Linear(WIDTHS[-1], embedding) if embedding is not None else nn.Identity()

    def forward(
        self,
        support: Shaped[Tensor, "*tasks n ..."],
        query: Shaped[Tensor, "*tasks q ..."],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n F"], Float[Tensor, "*tasks q F"]]:
        """Encode all rows of all tasks in one batch."""
        for name, pictures in (("support", support), ("query", query)):
            if pictures.ndim < 4 or pictures.shape[-3] != self.channels or min(pictures.shape[-2:]) < SMALLEST:
                expected = f"rows of pictures of {self.channels} channels, {SMALLEST} pixels or more high and wide"
                raise InputError(name, "×".join(map(str, pictures.shape)), expected)
        packed = pack(support, query, mask, query_mask, example_dims=3)
        x = packed.rows.to(next(self.parameters()).dtype)
        if self.shades is not None:
            x = (x - x.new_tensor(self.shades.mean)[:, None, None]) / x.new_tensor(self.shades.deviation)[:, None, None]
        x = x.contiguous(memory_format=torch.channels_last)
        for layer in (self.layer1, self.layer2, self.layer3, self.layer4):
            x = layer(x)
        return packed.unpack(self.linear(x.mean((-2, -1))))

    def load_checkpoint(self, path: Path | str) -> ResNet12:
        """Take the weights of a public checkpoint, and return the encoder, in evaluation mode.

        Read are files that ``torch.save`` wrote, without executing anything in them, and safetensors. Names may begin
        with ``module.`` and ``encoder.``, and all may lie under ``params`` or ``state_dict``. Classification heads
        in the file are left out.

        Raises:
            DataError: the file cannot be read, or its weights are not those of this network; it says which.
        """
        weights = read_weights(Path(path))
        own = OrderedDict((name, x) for name, x in self.state_dict().items() if not name.startswith("linear."))
        refuse_misfits(Path(path), weights, own)
        self.load_state_dict({**self.state_dict(), **weights})
        return self.eval()


class Block(nn.Module):
    """Three convolutions beside a shortcut, then max-pooling."""

    def __init__(self, inputs: int, width: int, drop: float):
        super().__init__()
        self.conv1, self.bn1 = _convolution(inputs, width, 3), nn.BatchNorm2d(width)
        self.conv2, self.bn2 = _convolution(width, width, 3), nn.BatchNorm2d(width)
        self.conv3, self.bn3 = _convolution(width, width, 3), nn.BatchNorm2d(width)
        self.downsample = nn.Sequential(_convolution(inputs, width, 1), nn.BatchNorm2d(width))
        self.drop = drop

    def forward(self, x: Float[Tensor, "m c h w"]) -> Float[Tensor, "m C h2 w2"]:
        """Return maps of half the height and width."""
        y = leaky_relu(self.bn1(self.conv1(x)), SLOPE, inplace=True)
        y = leaky_relu(self.bn2(self.conv2(y)), SLOPE, inplace=True)
        y = self.bn3(self.conv3(y)) + self.downsample(x)
        y = max_pool2d(leaky_relu(y, SLOPE, inplace=True), 2)
        return dropout(y, self.drop, self.training)


def _convolution(inputs: int, outputs: int, size: int) -> nn.Conv2d:
    convolution = nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
    nn.init.kaiming_normal_(convolution.weight, mode="fan_out", nonlinearity="leaky_relu")
    return convolution
