"""The scikit-learn face: a classifier and a selector for people with their own tables."""

from __future__ import annotations

from polythetic.estimators.classifier import PolytheticClassifier
from polythetic.estimators.explanation import Explanation, Witness
from polythetic.estimators.selector import AttentionSelector

__all__ = ["AttentionSelector", "Explanation", "PolytheticClassifier", "Witness"]
