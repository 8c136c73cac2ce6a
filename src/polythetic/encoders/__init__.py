"""Encoders: what turns examples into features."""

from polythetic.encoders.encoder import Encoder, Pointwise

__all__ = ["Encoder", "Pointwise"]
