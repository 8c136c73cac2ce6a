"""Encoders: what turns examples into features."""

from polythetic.encoders.conv4 import Conv4
from polythetic.encoders.encoder import Encoder, Pointwise

__all__ = ["Conv4", "Encoder", "Pointwise"]
