"""Table 1's prototype rows: encoders trained for every cell, after as many tasks as the paper's numbers fit, and more."""

from __future__ import annotations

from typing import Any

from polythetic.episodes import BooleanTasks
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Found
from polythetic.experiments.prototypes import (
    accuracy_row,
    dimensions,
    label,
    learning,
    trained,
    trained_for,
    with_spread,
)
from polythetic.experiments.settings import DESIGNS
from polythetic.jobs import Job
from polythetic.report.numbers import xor
from polythetic.results import Row

# Mean and standard error that the paper prints for PN with embeddings of 1, n and n² dimensions, by n and α.
PAPER = {
    (5, 2): {"1": (57.6, 0.5), "n": (73.6, 0.5), "n²": (90.4, 0.3)},
    (5, 3): {"1": (55.3, 0.5), "n": (70.3, 0.7), "n²": (77.8, 0.7)},
    (5, 4): {"1": (60.8, 0.7), "n": (91.4, 0.4), "n²": (100.0, 0.0)},
    (10, 2): {"1": (51.7, 0.4), "n": (56.7, 0.4), "n²": (62.1, 0.4)},
    (10, 3): {"1": (50.2, 0.2), "n": (50.1, 0.2), "n²": (50.3, 0.2)},
    (10, 4): {"1": (50.1, 0.2), "n": (50.4, 0.2), "n²": (50.6, 0.2)},
}
EMBEDDINGS = ("1", "n", "n²")


SUITES = [
    BooleanTasks(n=n, alpha=alpha, repetitions=5, design=design) for n, alpha in PAPER for design in DESIGNS
]  # one a cell


def jobs(budget: Budget, seed: int) -> dict[Any, Job]:
    """Train prototypes for every cell; those of a cell side by side, since their tasks are of one size."""
    return {
        ("PN", suite): learning(
            f"Table 1, n = {suite.n}, α = {suite.alpha}, {DESIGNS[suite.design]}: prototypes",
            suite,
            list(dimensions(suite.n)),
            budget.train_tasks,
            budget,
            seed,
        )
        for suite in SUITES
    }


def rows(found: Found) -> list[Row]:
    """Put the paper's figures beside those on balanced supports."""
    made = []
    for suite in SUITES:
        for kind in trained(found["PN", suite], [suite]):
            d = dimensions(suite.n)[kind.embedding]
            paper = PAPER[suite.n, suite.alpha][d] if suite.design == "balanced" else (None, None)
            made.append(accuracy_row(kind, label(d, kind.train_tasks), paper=paper))
    return made


def lines(rows: list[Row]) -> list[list[str]]:
    """Lay the rows out as lines of Table 1, the paper's first."""
    found = {(e["label"], e["setting"]["design"], e["setting"]["n"], e["setting"]["alpha"]): e for e in rows}
    body = []
    for d in EMBEDDINGS:
        printed = [paper[d] for paper in PAPER.values()]
        body.append([f"paper's PN, d = {d}", "balanced", *(f"{mean:.1f} ±{error:.1f}" for mean, error in printed)])
    for design, name in DESIGNS.items():
        for so_many in trained_for(rows):
            for d in EMBEDDINGS:
                line = label(d, so_many)
                body.append([line, name, *(with_spread(found[line, design, *cell]) for cell in PAPER)])
    return body


def text(rows: list[Row]) -> str:
    """Say which number of training tasks the paper's figures fit, and how far prototypes get at best."""
    rows = [entry for entry in rows if entry["method"] == "PN"]
    stages, seeds = trained_for(rows), rows[0]["train_seeds"]
    off = {so_many: [abs(e["mean"] - e["paper"]) for e in _compared(rows, so_many)] for so_many in stages}
    far = {so_many: max(_compared(rows, so_many), key=lambda e: abs(e["mean"] - e["paper"])) for so_many in stages}
    said = " and ".join(
        f"{sum(off[so_many]) / len(off[so_many]):.1f} points after {so_many:,} training tasks (the most, "
        f"{max(off[so_many]):.1f}, at n = {entry['setting']['n']}, {xor(entry['setting']['alpha'])}, "
        f"d = {entry['setting']['embedding']})"
        for so_many, entry in far.items()
    )
    fit = min(stages, key=lambda so_many: sum(off[so_many]))
    at = {
        (e["train_tasks"], e["setting"]["n"], e["setting"]["embedding"], e["setting"]["alpha"]): e
        for e in rows
        if e["setting"]["design"] == "balanced"
    }
    at_best = " / ".join(f"{at[stages[-1], 10, 100, alpha]['mean']:.1f}" for alpha in (2, 3, 4))
    lost = " and ".join(f"{_lost(rows, so_many):.1f} points after {so_many:,} tasks" for so_many in stages)
    return (
        "PN: prototypes behind an encoder n → 100 → ReLU → d that learns from one task a step (Adam, 10⁻³), "
        + (f"± standard deviation over {seeds} trainings" if seeds > 1 else "trained once")
        + f". On balanced supports they differ from the paper's by {said}, on average over its cells."
        + (f" The paper's text says 10,000 training tasks; its figures fit {fit:,}." if len(stages) > 1 else "")
        + f" At n = 10 even n² dimensions have {at_best} % on XOR₂/₃/₄ after {stages[-1]:,} tasks. I.i.d. supports "
        f"cost them at most {lost} in any cell."
    )


def _lost(rows: list[Row], train_tasks: int) -> float:
    """Return the most, in points, that i.i.d. supports cost in any cell."""
    found: dict[tuple[Any, ...], dict[str, float]] = {}
    for entry in rows:
        if entry["train_tasks"] == train_tasks:
            cell = tuple(entry["setting"][key] for key in ("n", "alpha", "embedding"))
            found.setdefault(cell, {})[entry["setting"]["design"]] = entry["mean"]
    return max(means["balanced"] - means["iid"] for means in found.values())


def _compared(rows: list[Row], train_tasks: int) -> list[Row]:
    return [entry for entry in rows if entry["train_tasks"] == train_tasks and entry["paper"] is not None]
