"""The experiments: one module a table or figure of the paper, listed in the paper's order."""

from __future__ import annotations

from collections.abc import Sequence

from polythetic.arguments import one_of
from polythetic.experiments import (
    appendix_a,
    appendix_g,
    digit_tables,
    digit_tasks,
    discovery,
    figure1,
    figure3,
    figure4,
    figure8,
    figure12,
    figure13,
    grid,
    ordinary,
    planes,
    sphere,
    table1,
    table2,
    table3,
    table4,
    table5,
    theory,
    training_time,
)
from polythetic.experiments.budgets import BUDGETS, Budget
from polythetic.experiments.experiment import Experiment

EXPERIMENTS = {
    experiment.name: experiment
    for experiment in (
        figure1.EXPERIMENT,
        table1.EXPERIMENT,
        planes.FIGURE2,
        figure3.EXPERIMENT,
        figure4.EXPERIMENT,
        sphere.FIGURE5,
        grid.FIGURE6,
        digit_tasks.FIGURE7,
        table2.EXPERIMENT,
        figure8.EXPERIMENT,
        table3.EXPERIMENT,
        table4.EXPERIMENT,
        table5.EXPERIMENT,
        appendix_a.EXPERIMENT,
        planes.FIGURE9,
        grid.FIGURE10,
        sphere.FIGURE11,
        appendix_g.EXPERIMENT,
        figure12.EXPERIMENT,
        figure13.EXPERIMENT,
        digit_tasks.FIGURE14,
        digit_tasks.FIGURE15,
        digit_tasks.FIGURE16,
        digit_tables.TABLE8,
        digit_tables.TABLE9,
        theory.EXPERIMENT,
        training_time.EXPERIMENT,
        discovery.EXPERIMENT,
        ordinary.EXPERIMENT,
    )
}


def experiments_named(names: Sequence[str]) -> list[Experiment]:
    """Look experiments up; all of them if no name is given.

    >>> [experiment.where for experiment in experiments_named(["table1"])]
    ['Table 1, §5']
    """
    for name in names:
        one_of("experiment", name, EXPERIMENTS)
    return [EXPERIMENTS[name] for name in dict.fromkeys(names or EXPERIMENTS)]


__all__ = ["BUDGETS", "EXPERIMENTS", "Budget", "Experiment", "experiments_named"]
