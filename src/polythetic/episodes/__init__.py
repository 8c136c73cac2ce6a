"""Tasks: what an episode is, and the suites that yield them."""

from polythetic.episodes.batches import batches
from polythetic.episodes.boolean import TEST_PAIRS, TRAINING_PAIRS, BooleanTasks
from polythetic.episodes.categorical import CategoricalPictures, Labelled
from polythetic.episodes.classes import alphabet_tasks, class_tasks, hierarchy_tasks, unseen_character_tasks
from polythetic.episodes.digits import DigitTasks
from polythetic.episodes.episode import Episode, TaskSuite
from polythetic.episodes.functions import TWO_VARIABLE_FUNCTIONS, evaluate_function, sign_vectors
from polythetic.episodes.grouped import GroupedTasks
from polythetic.episodes.pictures import PictureTasks

__all__ = [
    "TEST_PAIRS",
    "TRAINING_PAIRS",
    "TWO_VARIABLE_FUNCTIONS",
    "BooleanTasks",
    "CategoricalPictures",
    "DigitTasks",
    "Episode",
    "GroupedTasks",
    "Labelled",
    "PictureTasks",
    "TaskSuite",
    "alphabet_tasks",
    "batches",
    "class_tasks",
    "evaluate_function",
    "hierarchy_tasks",
    "sign_vectors",
    "unseen_character_tasks",
]
