"""Discovery (ours): which methods find the features of a higher-order interaction, on how many rows, in what time."""

from __future__ import annotations

from typing import Any

from polythetic.baselines import BASELINES, affordable, has_skrebate
from polythetic.baselines.exhaustive import search_seconds
from polythetic.classifiers import SELECTIONS
from polythetic.experiments.budgets import Budget
from polythetic.experiments.discovery_baselines import TIMED, baseline_climbed, timed_by_skrebate
from polythetic.experiments.discovery_ours import ours_climbed
from polythetic.experiments.discovery_picture import draw
from polythetic.experiments.discovery_rows import rows
from polythetic.experiments.discovery_tasks import VALUES, Plan, Setting
from polythetic.experiments.discovery_words import table, text
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.jobs import Job

TIMED_RELIEFS = ("ReliefF", "MultiSURF")

# Seconds a task takes on one core, about: so many, and so many for each pair of rows and each column (and 30 more).
SECONDS = {
    "R": (2e-3, 1e-10),
    "FS": (1e-3, 1e-11),
    "ReliefF": (1e-3, 6e-10),
    "ReliefF, k = 10": (1e-3, 6e-10),
    "MultiSURF": (1e-3, 3e-10),
    "NCFS": (0.01, 3e-9),
    "mutual information": (1e-3, 0.0),
    "random forest": (0.06, 1e-10),
    "gradient boosting": (0.05, 2.5e-10),
    "exhaustive": (0.0, 0.0),  # a matter of how many sets there are
}


def jobs(budget: Budget, seed: int) -> Cells:
    """Have every method climb from few rows to many, setting by setting; and time scikit-rebate, if it is there."""
    plan = Plan.of(budget)
    cells: dict[Any, Job] = {}
    there = {name for name, baseline in BASELINES.items() if baseline.there()}
    for setting in plan.settings:
        for method in SECONDS:
            if method in SELECTIONS or method in there:
                cells[method, setting] = _ladder(method, setting, plan, seed)
    sizes = dict.fromkeys((setting.n, setting.features) for setting in plan.settings)
    for n, features in sizes if has_skrebate() else ():
        facts = {
            "methods": list(TIMED_RELIEFS),
            "n": n,
            "features": features,
            "ladder": list(plan.ladder),
            "seed": seed,
        }
        cost = sum(TIMED * (3e-5 * rows * n + 2e-6 * rows * rows) for rows in plan.ladder)
        what = f"discovery, scikit-rebate's time, {n} {features} features"
        cells["skrebate", n, features] = Job(what, timed_by_skrebate, facts, cost=cost)
    return cells


def _ladder(method: str, setting: Setting, plan: Plan, seed: int) -> Job:
    what = f"discovery, {method}, {setting.features}, {setting.noise} % noise, α = {setting.alpha}, n = {setting.n}"
    facts = {"method": method, "setting": setting, "ladder": list(plan.ladder), "tasks": plan.tasks, "seed": seed}
    least, by_pair = SECONDS[method]
    width = setting.n * (1 if setting.features == "binary" else VALUES[setting.features])
    a_task = sum(least + by_pair * rows * rows * (width + 30) for rows in plan.ladder)
    if method == "exhaustive":
        ahead = affordable(setting.n, setting.alpha)
        a_task = len(plan.ladder) / 2 * search_seconds(setting.n, setting.alpha) if ahead else 0
    climbed = ours_climbed if method in SELECTIONS else baseline_climbed
    return Job(what, climbed, facts, cost=max(plan.tasks * a_task, 0.01))


EXPERIMENT = Experiment(
    name="discovery",
    title="Higher-order interactions: who finds the features",
    where="Discovery, beyond the paper",
    question="How many rows does it take to find the α features of n whose XOR is the class, and how long, beside what "
    "practitioners have?",
    jobs=jobs,
    rows=rows,
    text=text,
    table=table,
    draw=draw,
)
