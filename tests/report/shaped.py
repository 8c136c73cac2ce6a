"""Rows as the experiments on pictures make them, of accuracies that are made up: the paper's own where it has some."""

import torch

from polythetic.experiments import appendix_g, figure8, hierarchy, table2, table3, table4, table5
from polythetic.experiments.frozen_features import METHODS
from polythetic.experiments.table3_lines import PAPER as OMNIGLOT
from tests.experiments.tiny import TINY

SPREAD = torch.linspace(-0.02, 0.02, 8, dtype=torch.float64)  # as many tasks as a test of them needs


def around(mean):
    return mean + SPREAD


def digits(mean_of):
    """Return the rows of Table 2, each head with the mean that is given for it on a dataset's tasks of a kind."""
    found = {}
    for (cell, number, start), job in table2.EXPERIMENT.jobs(TINY, 0).items():
        heads = job.arguments["heads"]
        found[cell, number, start] = {label: around(mean_of(label, cell.dataset, cell.tasks)) for label in heads}
    return table2.EXPERIMENT.rows(found)


def papers_digits(label, dataset, tasks):
    column = table2.COLUMNS.index((dataset, tasks))
    return table2.PAPER.get(label, table2.PAPER["MN"])[column][0]


def mixes():
    """Return the rows of Figure 8: FS+MN ahead, and hardly moved by the mix."""
    lowest, moved = {"PN": 50.0, "MN": 60.0, "FS+MN": 95.0}, {"PN": 10.0, "MN": 15.0, "FS+MN": 1.0}
    found = {}
    for (cell, number, start), job in figure8.EXPERIMENT.jobs(TINY, 0).items():
        mean = lowest[cell.trained] + cell.proportion * moved[cell.trained]
        found[cell, number, start] = {label: around(mean) for label in job.arguments["heads"]}
    return figure8.EXPERIMENT.rows(found)


def omniglot():
    """Return the rows of Table 3: the paper's, and of what it does not have, MN's."""
    counted = {table3.REPEATED: torch.tensor([0.0, 0.0, 0.0, 100.0] * 2, dtype=torch.float64)}
    found = {(table3.COUNTED, 0, 0): counted}
    for (cell, number, start), job in table3.EXPERIMENT.jobs(TINY, 0).items():
        if cell.trained == table3.HELD_OUT:
            found[cell, number, start] = {"validation": around(98.6), "evaluation": around(97.6)}
        elif cell != table3.COUNTED:
            found[cell, number, start] = {
                label: around(OMNIGLOT.get(label, OMNIGLOT["MN"])[cell.kind.tasks][0])
                for label in job.arguments["heads"]
            }
    return table3.EXPERIMENT.rows(found)


def tiered():
    """Return the rows of Tables 4 and 5: the paper's wins and losses, task by task."""
    accuracy, duels = [], []
    for C, G in hierarchy.CELLS:
        cell = hierarchy.Cell(C, G, "stand-in", "evaluation", ("dogs 12", "snakes 10"))
        by_label = {label: torch.full((500,), 50.0, dtype=torch.float64) for label in METHODS}
        for other in ("MN", "PN"):
            won, lost, tied = table5.PAPER[other][C, G]
            than = torch.cat([torch.full((won,), -1.0), torch.full((lost,), 1.0), torch.zeros(tied)]).double()
            by_label |= {name: 50.0 + than for name in (other, f"{other}, authors'") if name in by_label}
        found = {(cell, 0, 0): by_label}
        accuracy += table4.EXPERIMENT.rows(found)
        duels += table5.EXPERIMENT.rows(found)
    return accuracy, duels


def pretrained():
    """Return the rows of App. G: the paper's, and of what it does not have, 50."""
    found = {}
    for (which, number, start), job in appendix_g.EXPERIMENT.jobs(TINY, 0).items():
        kind = which.kind
        if kind == "naming":
            answers = {what: around(mean - 0.02) for what, mean in appendix_g.PAPER_NAMED.items()}
        else:
            read_outs = job.arguments.get("read_outs", [appendix_g.TRUTH])
            answers = {
                f"{read_out} {head}": around(appendix_g.PAPER.get((head, read_out), {}).get(kind, 50.0))
                for read_out in read_outs
                for head in job.arguments["heads"]
            }
        found[which, number, start] = answers
    return appendix_g.EXPERIMENT.rows(found)
