"""Encoders: what turns examples into features."""

from polythetic.encoders.conv4 import Conv4
from polythetic.encoders.encoder import Encoder, Pointwise
from polythetic.encoders.feature_cache import FeatureCache
from polythetic.encoders.identity import Identity
from polythetic.encoders.mlp import MLP
from polythetic.encoders.pretrained import EfficientNetLite0
from polythetic.encoders.registry import ENCODERS, encoder_for
from polythetic.encoders.resnet12 import ResNet12

__all__ = [
    "ENCODERS",
    "MLP",
    "Conv4",
    "EfficientNetLite0",
    "Encoder",
    "FeatureCache",
    "Identity",
    "Pointwise",
    "ResNet12",
    "encoder_for",
]
