"""Rows of `discovery`: what each method found on how many rows, and R against the best Relief, task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from polythetic.baselines.relief import NEIGHBOURS
from polythetic.evaluation import Evaluation, head_to_head
from polythetic.experiments.discovery_tasks import Setting
from polythetic.experiments.experiment import Found
from polythetic.results import Row, row

MEASURES = ("active share", "accuracy")


class Place(NamedTuple):
    """A setting and a number of rows."""

    features: str
    noise: int
    alpha: int
    n: int
    rows: int

    @classmethod
    def of(cls, entry: Row) -> Place:
        """Read it from a row."""
        return cls(**{key: entry["setting"][key] for key in cls._fields})

    @property
    def chance(self) -> float:
        """The share, in per cent, that blind guessing finds."""
        return Setting(self.n, self.alpha).chance


def rows(found: Found) -> list[Row]:
    """Make rows of the ladders, then of the duels, then of the time that scikit-rebate takes."""
    made: list[Row] = []
    values: dict[tuple[Place, str], dict[str, Evaluation]] = {}
    for key, ladder in found.items():
        if key[0] == "skrebate":
            made += [_skrebate_row(key[1:], entry) for entry in ladder]
            continue
        method, setting = key
        for entry in ladder:
            place = Place(setting.features, setting.noise, setting.alpha, setting.n, entry["rows"])
            if "reason" in entry:
                reason = {"tasks": 0, "reason": entry["reason"], "label": method}
                made.append(_row(method, place, "not run", entry["seconds"], **reason))
                continue
            made += _seconds_rows(method, place, entry)
            for kind, measures in entry["found"].items():
                label = f"{method}, {kind}" if kind else method
                for measure in MEASURES:
                    evaluation = Evaluation(np.array(measures[measure]))
                    values.setdefault((place, measure), {})[label] = evaluation
                    made.append(_share_row(method, kind, place, measure, evaluation))
    return made + _duels(values)


def _row(
    method: str, place: Place, metric: str, mean: float, further: Mapping[str, Any] | None = None, **figures: Any
) -> Row:
    name, *variant = method.split(", k = ")
    neighbours = {"neighbours": int(variant[0]) if variant else NEIGHBOURS} if name == "ReliefF" else {}
    return row(name, {**place._asdict(), **neighbours, **(further or {})}, metric, mean, **figures)


def _share_row(method: str, kind: str, place: Place, measure: str, found: Evaluation) -> Row:
    figures: dict[str, Any] = {"stderr": found.stderr, "std": found.std, "tasks": len(found.values)}
    label = f"{method}, {kind}" if kind else method
    return _row(method, place, measure, found.mean, {"scores": kind} if kind else {}, label=label, **figures)


def _seconds_rows(method: str, place: Place, entry: Row) -> list[Row]:
    """Make a row of the time a task takes; where tasks go in batches, another of that which one takes alone."""
    tasks = len(next(iter(entry["found"].values()))["accuracy"])
    if "single" not in entry:
        by = {"by": "matrix products"} if "signed" in entry["found"] else {}
        return [_row(method, place, "seconds", entry["seconds"], by, tasks=tasks, label=method)]
    return [
        _row(method, place, "seconds", entry["seconds"], {"batched": True}, tasks=entry["together"], label=method),
        _row(method, place, "seconds", entry["single"], {"batched": False}, tasks=entry["alone"], label=method),
    ]


def _skrebate_row(size: Sequence[Any], entry: Row) -> Row:
    n, features = size
    method = entry["method"]
    neighbours = {"neighbours": NEIGHBOURS} if method == "ReliefF" else {}
    setting = {"features": features, "n": n, "rows": entry["rows"], "by": "scikit-rebate", **neighbours}
    return row(method, setting, "seconds", entry["seconds"], tasks=entry["tasks"], label=method)


def _duels(values: Mapping[tuple[Place, str], Mapping[str, Evaluation]]) -> list[Row]:
    """R against whichever Relief did best on the same tasks, chosen afterwards, in its favour; and against NCFS."""
    made = []
    for (place, measure), found in values.items():
        reliefs = sorted((label for label in found if is_relief(label)), key=lambda label: found[label].mean)
        for against in [*reliefs[-1:], *(label for label in found if label == "NCFS")] if "R" in found else ():
            ours, theirs = found["R"], found[against]
            duel, tasks = head_to_head(ours, theirs), len(ours.values)
            figures: dict[str, Any] = {"difference": ours.mean - theirs.mean, "best": theirs.mean, **vars(duel)}
            figures |= {"tasks": tasks, "label": f"R against {against}"}
            setting = {**place._asdict(), "against": against, "measure": measure}
            made.append(row("R", setting, "wins", 100 * duel.wins / tasks, **figures))
    return made


def is_relief(label: str) -> bool:
    """Say whether a label names a Relief method.

    >>> is_relief("ReliefF, k = 10, absolute"), is_relief("R")
    (True, False)
    """
    return label.startswith(("ReliefF", "MultiSURF"))
