"""Experiments with the weights that come with polythetic in the place of trainings.

At a few tasks, Tables 2 and 3 in minutes: nothing is trained, and what has no weights is left out. At the standard
budget, any experiment that has such learners: what has no weights is trained.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from polythetic.errors import PolytheticError
from polythetic.experiments.budgets import BUDGETS, Budget
from polythetic.experiments.counted import fewer
from polythetic.experiments.experiment import Cells, Experiment
from polythetic.jobs import Job
from polythetic.jobs.learning import train
from polythetic.report.comparison import comparison
from polythetic.report.section import Table
from polythetic.results import FROM_WEIGHTS, Result, Row
from polythetic.weights import shipped, weights_of

TABLES = ("table2", "table3")  # whose learners come along
PARTLY = (*TABLES, "training-time")  # some of whose learners do
BUDGET = replace(BUDGETS["standard"], name=FROM_WEIGHTS, tasks=100, picture_tasks=100, adapted_tasks=100, shipped=True)
OPTION = "--from-weights"


def as_made(experiment: Experiment, result: Result) -> Experiment:
    """Return the experiment in the form that a result of it was made in, by its own account."""
    if result.budget == FROM_WEIGHTS:
        return from_weights(experiment)
    return with_weights(experiment) if OPTION in result.command.split() else experiment


def with_weights(experiment: Experiment) -> Experiment:
    """Return the experiment without those of its trainings whose outcome comes along, and say so."""
    return replace(
        experiment, jobs=partial(_jobs, experiment, trains=True), text=lambda result: [*experiment.text(result), TAKEN]
    )


def from_weights(experiment: Experiment) -> Experiment:
    """Return the experiment without its trainings, and with words for that.

    >>> from_weights(Experiment("x", "X", "Table 0", "?", lambda budget, seed: {}, lambda result: [])).draw is None
    True
    """
    return replace(
        experiment,
        jobs=partial(_jobs, experiment, trains=False),
        text=text,
        table=table,
        draw=None,
        errors="After ± the standard error.",
    )


TAKEN = (
    "Learners whose weights come with polythetic were not trained anew: they are these, in half precision, and the card of "
    "each names the command that trained it. All others were trained."
)


def _jobs(experiment: Experiment, budget: Budget, seed: int, *, trains: bool) -> Cells:
    """List the jobs with weights that come along in the place of trainings; those without are trained, or left out."""
    there = {card.settings.as_json(): card for card in shipped()}
    cells, learners = {}, 0
    for cell, job in experiment.jobs(budget, seed).items():
        training = job.arguments.get("weights")
        if not isinstance(training, Job) or training.work is not train:
            cells[cell] = job
        elif (card := there.get(training.arguments["settings"].as_json())) is not None:
            loading = Job(f"loading {card.name}", weights_of, {"name": card.name, "sha256": card.sha256}, cost=0.1)
            cells[cell] = replace(job, arguments={**job.arguments, "weights": loading})
            learners += 1
        elif trains:
            cells[cell] = job
    if not learners:
        raise PolytheticError(
            f"{experiment.name}: none of its learners comes with this polythetic; `polythetic reproduce "
            f"{experiment.name}` trains them, and `python -m polythetic.weights.make` keeps them"
        )
    return cells


def table(rows: list[Row]) -> Table:
    """Lay out every figure that the paper has, beside ours."""
    lines = [[line.name, line.setting, line.paper, line.ours, line.difference] for line in comparison(rows)]
    return Table(["", "", "paper", "ours", "difference"], lines)


def text(result: Result) -> list[str]:
    """Say how it was made."""
    measured = [entry for entry in result.rows if entry["metric"] == "accuracy"]
    tasks = max(entry["tasks"] for entry in measured)
    return [
        f"Accuracy in per cent, mean ± standard error over {tasks} tasks{fewer(measured, tasks)}, with the trained weights that come with "
        "polythetic: nothing was trained. There is one learner of each kind, with our settings, and rows of others are "
        "left out. The full table, and how the learners were trained, is in the report of the standard budget."
    ]
