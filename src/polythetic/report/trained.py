"""After how many training tasks something was found, in words."""

from __future__ import annotations

from collections.abc import Iterable

from polythetic.report.numbers import listed
from polythetic.results import Row


def trained(rows: Iterable[Row]) -> str:
    """Say after how many training tasks, and of each method where they differ; nothing of what needs no training.

    >>> after = [("PN", 1000), ("PN", 5000), ("MN", 1000), ("MN", 1000), ("FS+MN", 1000)]
    >>> rows = [{"method": method, "train_tasks": tasks} for method, tasks in after]
    >>> trained(rows)
    ' (training tasks: PN 1,000 / 5,000, MN and FS+MN 1,000)'
    >>> trained(rows[2:]), trained(rows[:2]), trained([{"method": "NN"}])
    (', after 1,000 training tasks', ', after 1,000 / 5,000 training tasks', '')
    """
    by_method: dict[str, list[int]] = {}
    for entry in rows:
        if entry.get("train_tasks"):
            by_method.setdefault(entry["method"], []).append(entry["train_tasks"])
    alike: dict[str, list[str]] = {}
    for method, counts in by_method.items():
        shown = counts if len(set(counts)) > 1 else counts[:1]
        alike.setdefault(listed(shown, "{:,}".format), []).append(method)
    if len(alike) < 2:
        return "".join(f", after {counts} training tasks" for counts in alike)
    return f" (training tasks: {', '.join(f'{_joined(methods)} {counts}' for counts, methods in alike.items())})"


def _joined(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
