"""Learners: what learns from tasks."""

from polythetic.learners.episodic import EpisodicLearner
from polythetic.learners.learner import Learner
from polythetic.learners.maml import MAML
from polythetic.learners.registry import learner_named

__all__ = ["MAML", "EpisodicLearner", "Learner", "learner_named"]
