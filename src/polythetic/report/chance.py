"""When an accuracy counts as guessing between two classes: one rule for the ledger and for the tables' words."""

from __future__ import annotations

from polythetic.results import Row

CHANCE, NEAR = 50.0, 2.0  # per cent, of two classes; points
ASKED = f"within {NEAR:.0f} points of {CHANCE:.0f}, two standard errors allowed for"


def at_chance(entry: Row) -> bool:
    """Say whether a row is as near to chance as counts as chance.

    >>> [at_chance({"mean": 52.2, "stderr": error}) for error in (0.2, 0.05, None)]
    [True, False, False]
    """
    return bool(abs(entry["mean"] - CHANCE) <= NEAR + 2 * (entry["stderr"] or 0))
