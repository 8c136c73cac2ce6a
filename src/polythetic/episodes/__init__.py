"""Tasks: what an episode is, and the suites that yield them."""

from polythetic.episodes.boolean import TEST_PAIRS, TRAINING_PAIRS, BooleanTasks
from polythetic.episodes.episode import Episode, TaskSuite, batches
from polythetic.episodes.functions import TWO_VARIABLE_FUNCTIONS, evaluate_function, sign_vectors

__all__ = [
    "TEST_PAIRS",
    "TRAINING_PAIRS",
    "TWO_VARIABLE_FUNCTIONS",
    "BooleanTasks",
    "Episode",
    "TaskSuite",
    "batches",
    "evaluate_function",
    "sign_vectors",
]
