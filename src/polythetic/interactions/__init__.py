"""Which columns tell the classes apart alone, and which only with others: effects, told from chance by permutation."""

from polythetic.interactions.effects import Effect, find_effects
from polythetic.interactions.levels import Levels
from polythetic.interactions.permutations import LEVEL, ORDERS, enough_permutations, least_permutations, times_more

__all__ = [
    "LEVEL",
    "ORDERS",
    "Effect",
    "Levels",
    "enough_permutations",
    "find_effects",
    "least_permutations",
    "times_more",
]
