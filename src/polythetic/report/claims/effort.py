"""App. F: how much was put in."""

from __future__ import annotations

from collections.abc import Iterator

from polythetic.experiments.budgets import BUDGETS
from polythetic.report.evidence import VARIANTS, Evidence, NotRunError
from polythetic.report.ledger import Claim, Point, of_settings
from polythetic.report.trained import trained

TABLES = ("table1", "table2", "figure8", "table3", "appendix-g")
FULL = 100_000  # training tasks of the paper's, on full polythetic MNIST


def thousand_tasks(evidence: Evidence) -> Iterator[Point]:
    """Count the tasks behind every figure that stands beside one of the paper's; Figure 8's are drawn, not printed."""
    there = [name for name in TABLES if name in evidence.results]
    if not there:
        raise NotRunError("none of the tables has been run")
    for name in there:
        rows = [e for e in evidence.rows(name) if e["paper"] is not None or name.startswith("figure")]
        counts = sorted({e["tasks"] for e in rows})
        yield Point(f"{name}: {' or '.join(f'{count:,}' for count in counts)}", counts == [1000])


def hundred_thousand(evidence: Evidence) -> Iterator[Point]:
    """Say how many our learners were given; a few of the paper's are no test of what so many do."""
    rows = [e for e in evidence.rows("table2", dataset="full", tasks="monothetic") if e["paper"] is not None]
    if any(e["train_tasks"] < FULL for e in rows):
        said = [
            name + trained([e for e in rows if e["setting"]["variant"] == variant])
            for variant, name in VARIANTS.items()
            if any(e["setting"]["variant"] == variant for e in rows)
        ]
        most = BUDGETS["paper"].lessons["full"].tasks
        raise NotRunError(f"not run: {'; '.join(said)}; `--budget paper` has {most:,}")
    yield Point(f"{min(e['train_tasks'] for e in rows):,}", True)


CLAIMS = [
    Claim("“except for full polythetic MNIST (100,000 tasks)”", "App. F", hundred_thousand),
    Claim(
        "“average the results across 1,000 tasks”, “over 1000 tasks at each proportion”",
        "App. F",
        thousand_tasks,
        of_settings,
    ),
]
