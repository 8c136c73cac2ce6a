"""What a figure of the paper's can be held against, and what it claims."""

from __future__ import annotations

from typing import Any

from polythetic.results import Row


def on_other_tasks(entry: Row) -> bool:
    """Say whether a row was found on tasks that the paper has no figure for, and stands beside that for the nearest.

    The paper's alphabets are drawn with replacement, which makes some of its tasks impossible.

    >>> drawn = [{"tasks": "alphabets", "replacement": replacement} for replacement in (True, False)]
    >>> [on_other_tasks({"setting": setting}) for setting in (*drawn, {"tasks": "characters", "replacement": False})]
    [False, True, False]
    """
    setting = _setting(entry)
    return setting.get("tasks") == "alphabets" and not setting.get("replacement")


def claims_chance(entry: Row) -> bool:
    """Say whether the paper's point is that nothing better than chance can be had, so that more is not better.

    It says that of pairs of bits unseen in training, and of prototypes on polythetic tasks of pictures.

    >>> claims_chance({"method": "PN", "setting": {"pairs": "test"}})
    True
    >>> [claims_chance({"method": method, "setting": {"tasks": "polythetic"}}) for method in ("PN", "MN")]
    [True, False]
    """
    setting = _setting(entry)
    return setting.get("pairs") == "test" or (entry.get("method") == "PN" and setting.get("tasks") == "polythetic")


def _setting(entry: Row) -> dict[str, Any]:
    return dict(entry.get("setting", {}))
