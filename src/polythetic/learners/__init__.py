"""Learners: what learns from tasks."""

from polythetic.learners.episodic import EpisodicLearner
from polythetic.learners.learner import Learner

__all__ = ["EpisodicLearner", "Learner"]
