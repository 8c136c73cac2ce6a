"""The smallest budget there is, for tests."""

from polythetic.experiments import Budget
from polythetic.experiments.budgets import QUICK, Lessons

LESSONS = dict.fromkeys(QUICK, Lessons(2))
TINY = Budget(
    "quick",
    tasks=4,
    picture_tasks=2,
    side_tasks=2,
    adapted_tasks=2,
    grid_tasks=2,
    trials=200,
    train_tasks=(2, 4),
    train_seeds=2,
    lessons=LESSONS,
)
