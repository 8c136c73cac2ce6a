"""Results on disk: one JSON file an experiment, written whole or not at all, never replaced by a lesser one.

    {"experiment", "budget", "command", "seed", "versions", "created",
     "rows": [{"method", "setting": {…}, "metric", "mean", "stderr", "tasks", "paper", "paper_stderr", …}, …]}

Percentages are percentages; ``paper`` is null where the paper has no value.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from math import isnan
from pathlib import Path
from typing import Any, TypeAlias

from polythetic.errors import ResultError
from polythetic.files import write_atomically

Row: TypeAlias = dict[str, Any]

BUDGETS = ("quick", "standard", "paper")  # from the smallest to the largest
FROM_WEIGHTS = "from-weights"  # what is found without training, with the weights that come along
_RANKED = (FROM_WEIGHTS, *BUDGETS)


@dataclass(frozen=True)
class Result:
    """What one experiment found, and how to find it again."""

    experiment: str
    budget: str
    command: str
    seed: int
    rows: list[Row]
    versions: Mapping[str, str] = field(default_factory=lambda: versions())
    created: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))


def row(
    method: str,
    setting: Mapping[str, Any],
    metric: str,
    mean: float,
    *,
    stderr: float | None = None,
    tasks: int | None = None,
    paper: float | None = None,
    paper_stderr: float | None = None,
    **further: Any,
) -> Row:
    """Make one row of a result.

    >>> row("MN", {"n": 5}, "accuracy", 81.25, tasks=4)["paper"] is None
    True
    """
    return {
        "method": method,
        "setting": dict(setting),
        "metric": metric,
        "mean": mean,
        "stderr": None if stderr is not None and isnan(stderr) else stderr,
        "tasks": tasks,
        "paper": paper,
        "paper_stderr": paper_stderr,
        **further,
    }


def versions() -> dict[str, str]:
    """Name what a result depends on; ``source`` changes with any line of polythetic itself."""
    packages = {name: version(name) for name in ("polythetic", "numpy", "torch")}
    return {"python": platform.python_version(), **packages, "source": _source()}


@cache
def _source() -> str:
    digest = sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def folder(out: Path, budget: str) -> Path:
    """Where results of a budget live: quick ones apart, so that they never mix with those to be kept.

    >>> folder(Path("results"), "quick").as_posix()
    'results/quick'
    """
    apart = {"quick": "quick", FROM_WEIGHTS: f"quick/{FROM_WEIGHTS}"}
    return out / apart[budget] if budget in apart else out


def save(result: Result, out: Path, *, force: bool = False) -> Path:
    """Write a result; one of a smaller budget replaces one of a larger only if forced."""
    path = folder(out, result.budget) / f"{result.experiment}.json"
    if not force:
        ensure_replaceable(path, result.budget)
    fields = asdict(result)
    lines = ",\n".join("  " + json.dumps(entry, ensure_ascii=False, allow_nan=False) for entry in fields.pop("rows"))
    head = json.dumps(fields, indent=1, ensure_ascii=False).removesuffix("\n}")  # a line a row, the rest as usual
    write_atomically(path, f'{head},\n "rows": [\n{lines}\n ]\n}}\n'.encode())
    return path


def ensure_replaceable(path: Path, budget: str) -> None:
    """Refuse to replace a result by one of a smaller budget."""
    if path.exists() and _RANKED.index(there := load(path).budget) > _RANKED.index(budget):
        raise ResultError(f"{path} is of the {there} budget; --force replaces it by one of the {budget} budget")


def load(path: Path) -> Result:
    """Read a result."""
    try:
        result = Result(**json.loads(path.read_text(encoding="utf-8")))
        if result.budget not in _RANKED or not all(isinstance(entry, dict) for entry in result.rows) or not result.rows:
            raise ValueError("unknown budget, or no rows")
    except (OSError, ValueError, TypeError) as error:
        raise ResultError(f"{path} is not a result of polythetic ({error}); remove it and run again") from None
    return result
