"""Encoders by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

from polythetic.arguments import one_of
from polythetic.encoders.conv4 import SMALLEST, Conv4
from polythetic.encoders.encoder import Encoder
from polythetic.encoders.identity import Identity
from polythetic.encoders.mlp import MLP
from polythetic.encoders.resnet12 import ResNet12
from polythetic.errors import InputError


def _identity(example_shape: Sequence[int], embedding: int = 64, **_: Any) -> Encoder:
    return Identity(example_dims=len(example_shape))  # as many features as numbers


def _mlp(example_shape: Sequence[int], embedding: int = 64, **_: Any) -> Encoder:
    return MLP(prod(example_shape), embedding=embedding, example_dims=len(example_shape))


def _conv4(example_shape: Sequence[int], embedding: int = 64, **options: Any) -> Encoder:
    channels, height, width = _picture("conv4", example_shape)
    return Conv4(channels, size=(height, width), embedding=embedding, **options)


def _resnet12(example_shape: Sequence[int], embedding: int = 64, **_: Any) -> Encoder:
    channels, _height, _width = _picture("resnet12", example_shape)
    return ResNet12(channels, embedding=embedding)


# Each takes the shape of an example and the number of features, and options that it may leave aside.
ENCODERS: dict[str, Callable[..., Encoder]] = {
    "identity": _identity,
    "mlp": _mlp,
    "conv4": _conv4,
    "resnet12": _resnet12,
}


def encoder_for(
    example_shape: Sequence[int],
    *,
    name: str = "auto",
    embedding: int = 64,
    statistics: str = "support",
    fused: bool = True,
) -> Encoder:
    """Make an encoder for examples of a shape.

    Args:
        example_shape: (channels, height, width) of pictures, (numbers,) of rows in a table.
        name: one of ``ENCODERS``; ``"auto"`` takes Conv4 for pictures of 16 pixels or more, an MLP for all else.
        embedding: how many features come out; the identity has as many as an example has numbers.
        statistics: what Conv4 normalises a task by.
        fused: whether Conv4 takes its fast formulation.

    >>> type(encoder_for((3, 56, 56))).__name__, type(encoder_for((10,))).__name__
    ('Conv4', 'MLP')
    """
    if name == "auto":
        name = "conv4" if len(example_shape) == 3 and min(example_shape[1:]) >= SMALLEST else "mlp"
    one_of("encoder", name, ENCODERS)
    return ENCODERS[name](tuple(example_shape), embedding, statistics=statistics, fused=fused)


def _picture(name: str, example_shape: Sequence[int]) -> tuple[int, int, int]:
    if len(example_shape) != 3:
        given = "×".join(map(str, example_shape))
        raise InputError("encoder", f"{name!r} for examples of {given}", "mlp or identity: these are not pictures")
    channels, height, width = example_shape
    return channels, height, width
