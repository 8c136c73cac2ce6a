"""How much work a result is made of, beside what the paper put in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from polythetic.results import Row


class Counts(NamedTuple):
    """What the paper says that it put in."""

    tasks: str
    training: str = ""


# Evaluation tasks: the captions. Training tasks: App. F; of Table 1, App. A and Figure 3 it is the only place too.
PAPER = {
    "table1": Counts("1,000", "10,000"),
    "table2": Counts("1,000", "10,000; 100,000 for full"),
    "table3": Counts("1,000", "10,000"),
    "table4": Counts("500"),
    "table5": Counts("500"),
    "figure3": Counts("1,000", "10,000"),
    "figure8": Counts("1,000", "10,000"),
    "appendix-a": Counts("1,000", "10,000"),
    "appendix-g": Counts("1,000", "800 batches"),
}
BY_BATCHES = ("appendix-g",)  # of pictures, not by tasks: the one training that is counted so
# What is shown where there are no tasks to average over, and "one task" or "no tasks" would not say it.
SHOWN = {
    "figure2": "one task a function, its four corners",
    "figure4": "one task",
    "figure5": "one set of vectors, no tasks",
    "figure11": "one set of vectors, no tasks",
}


def effort(name: str, rows: Sequence[Row]) -> str:
    """Say how many tasks a result was evaluated on, how long its learners were trained, and what the paper says.

    >>> rows = [{"metric": "accuracy", "tasks": 1000, "train_tasks": t, "train_seeds": 3} for t in (1000, 4000)]
    >>> effort("table3", rows)
    '1,000 tasks a cell (paper: 1,000); trained on 1,000 or 4,000 tasks, 3 seeds (paper: 10,000, seeds not given).'
    >>> effort("figure9", [{"metric": "largest boundary error", "tasks": None}])
    'computed, no tasks.'
    """
    paper = PAPER.get(name)
    accuracies = [entry for entry in rows if entry["metric"] == "accuracy"] or rows
    tasks = _numbers(entry.get("tasks") for entry in accuracies)
    training = _numbers(entry.get("train_tasks") for entry in rows)
    seeds = _numbers(entry.get("train_seeds") for entry in rows)
    parts: list[str] = []
    if name in SHOWN or tasks in ("", "1"):
        parts.append(SHOWN.get(name) or ("one task" if tasks else "computed, no tasks"))
    else:
        what = "simulated supports and queries a case" if name == "theory" else "tasks a cell"
        parts.append(f"{tasks} {what}" + (f" (paper: {paper.tasks})" if paper else ""))
    if training:
        said = f"trained on {training} {'batches' if name in BY_BATCHES else 'tasks'}"
        said += f", {seeds} seed{'' if seeds == '1' else 's'}" if seeds else ""
        parts.append(said + (f" (paper: {paper.training}, seeds not given)" if paper and paper.training else ""))
    return "; ".join(parts) + "."


def after_training(name: str, rows: Iterable[Row]) -> str:
    """Say after how much training rows were found, and after how much the paper's; nothing of what needs none.

    >>> after_training("table2", [{"train_tasks": 200}, {"train_tasks": None}])
    '200 training tasks (paper: 10,000; 100,000 for full)'
    >>> after_training("appendix-g", [{"train_tasks": 800}])
    '800 batches (paper: 800 batches)'
    """
    training, paper = _numbers(entry.get("train_tasks") for entry in rows), PAPER.get(name)
    if not training:
        return ""
    said = f"{training} {'batches' if name in BY_BATCHES else 'training tasks'}"
    return said + (f" (paper: {paper.training})" if paper and paper.training else "")


def _numbers(values: Iterable[int | None]) -> str:
    """Write the different numbers there are, none and nothing left out."""
    return " or ".join(f"{value:,}" for value in sorted({value for value in values if value}))
