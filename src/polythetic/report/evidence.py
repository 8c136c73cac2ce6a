"""Rows of all the results, looked up by experiment, method, metric and setting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Any, TypeAlias

from polythetic.results import Row

Setting: TypeAlias = dict[str, Any]

VARIANTS = {"ours": "our settings", "authors": "the authors' settings"}


class NotRunError(LookupError):
    """An experiment has no result."""


class NoRowError(LookupError):
    """A result has no such row, or several that cannot be told apart."""


@dataclass(frozen=True)
class Evidence:
    """What the experiments found: rows by the experiment's name.

    >>> rows = [{"method": "MN", "setting": {"n": 5}, "metric": "accuracy", "mean": 83.0, "paper": None}]
    >>> evidence = Evidence({"table1": rows})
    >>> evidence.mean("table1", "MN", n=5)
    83.0
    >>> evidence.mean("table2", "MN")
    Traceback (most recent call last):
        ...
    polythetic.report.evidence.NotRunError: table2 has not been run
    """

    results: Mapping[str, Sequence[Row]]

    def rows(
        self, experiment: str, method: str | None = None, *, metric: str | None = "accuracy", **setting: Any
    ) -> list[Row]:
        """Return all rows that agree with what is given, at least one."""
        if experiment not in self.results:
            raise NotRunError(f"{experiment} has not been run")
        found = [
            entry
            for entry in self.results[experiment]
            if (method is None or entry["method"] == method)
            and (metric is None or entry["metric"] == metric)
            and all(entry["setting"].get(key) == value for key, value in setting.items())
        ]
        if not found:
            raise NoRowError(f"{experiment} has no row for {_words(method, metric, setting)}")
        return found

    def the(self, experiment: str, method: str | None = None, *, metric: str = "accuracy", **setting: Any) -> Row:
        """Return the row that agrees with what is given; of several, the one that the paper has a figure for."""
        found = self.rows(experiment, method, metric=metric, **setting)
        if len(found) > 1:
            found = [entry for entry in found if entry["paper"] is not None]
        if len(found) != 1:
            raise NoRowError(f"{experiment} has several rows for {_words(method, metric, setting)}")
        return found[0]

    def mean(self, experiment: str, method: str | None = None, *, metric: str = "accuracy", **setting: Any) -> float:
        """Return the mean of the row that agrees with what is given."""
        return float(self.the(experiment, method, metric=metric, **setting)["mean"])


def _words(method: str | None, metric: str | None, setting: Mapping[str, Any]) -> str:
    given = [method, metric, *(f"{key} = {value}" for key, value in setting.items())]
    return ", ".join(str(part) for part in given if part is not None)


def gap(first: Row, second: Row) -> tuple[float, float]:
    """Return by how much the first row is above the second, and two standard errors of that.

    >>> gap({"mean": 90.0, "stderr": 0.3}, {"mean": 80.0, "stderr": 0.4})
    (10.0, 1.0)
    """
    errors = (float(entry.get("stderr") or 0.0) for entry in (first, second))
    return float(first["mean"] - second["mean"]), 2 * hypot(*errors)
