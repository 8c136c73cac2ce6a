"""Which columns tell the classes apart alone, and which only with others: effects, told from chance by permutation."""

from polythetic.interactions.effects import LEVEL, ORDERS, Effect, enough_permutations, find_effects, times_more
from polythetic.interactions.levels import Levels

__all__ = ["LEVEL", "ORDERS", "Effect", "Levels", "enough_permutations", "find_effects", "times_more"]
