"""How many permutations of the labels: enough for a finding to be possible, and few enough to wait for."""

from __future__ import annotations

from math import ceil, comb

ORDERS = (1, 2, 3)
LEVEL = 0.05 / len(ORDERS)  # of p: so that of twenty tables of noise one has anything found in it
LEAST, MOST = 999, 99_999  # permutations
WORK = 2e9  # sets × rows × permutations, beyond the least
PATIENCE = 5  # times as much, where nothing could be found with less
MOST_ROWS = 2000  # that effects are looked for in; of more, some at random


def times_more(columns: int, among: int, order: int) -> float:
    """Say how many times more sets of so many there are of all columns than of those that were chosen.

    >>> times_more(22, 20, 2)  # 231 pairs and 190
    1.2157894736842105
    """
    return comb(columns, order) / max(1, comb(among, order))


def least_permutations(columns: int, among: int, order: int) -> int:
    """Return the fewest with which a set that beats every permutation is convincing.

    >>> least_permutations(200, 200, 1), least_permutations(200, 20, 2)
    (59, 6284)
    """
    times = times_more(columns, among, order)
    count = max(1, ceil(times / LEVEL) - 1)
    while 1 / (1 + count) * times > LEVEL:  # by a rounding
        count += 1
    return count


def enough_permutations(columns: int, among: int, rows: int, order: int) -> int:
    """Return so many that p of a set of ``order`` can be a third of what is convincing, within some seconds.

    They are never fewer than make a finding possible if those take no more than some times as long: a table with more
    rows must not lose what fewer have shown.

    >>> enough_permutations(20, 20, 100, 3), enough_permutations(50, 20, 100, 3), enough_permutations(50, 50, 100, 1)
    (999, 3094, 999)
    """
    wanted = 3 * times_more(columns, among, order) / LEVEL
    possible = WORK / max(1, comb(among, order) * min(rows, MOST_ROWS))
    least = least_permutations(columns, among, order)
    worth_it = least if least <= min(MOST, PATIENCE * possible) else LEAST
    return int(max(LEAST, worth_it, min(wanted, MOST, possible)))
