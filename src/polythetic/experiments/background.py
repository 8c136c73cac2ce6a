"""Which characters a learner is put to: of background alphabets that it was kept from, or of unseen ones?

The authors' code evaluates on characters of the background archive, the paper speaks of unseen alphabets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import torch
from torch import Tensor

from polythetic.episodes.suites import suite_named
from polythetic.evaluation import Repeated, accuracy_of
from polythetic.experiments.budgets import Budget
from polythetic.experiments.learned import learner, training
from polythetic.experiments.scored import accuracy_row
from polythetic.jobs import Job
from polythetic.results import Row
from polythetic.runs import EVALUATION_SEED, RunSettings

SUITE = "omniglot-characters"
SPLITS = {"validation": "held-out background alphabets", "evaluation": "unseen alphabets"}
METRIC = "accuracy, learned without some background alphabets"
SECONDS = 0.15  # a task, on one core, about


def job(budget: Budget, seed: int) -> Job:
    """Train prototypes on most of the background alphabets, and put them to characters of the rest and of unseen ones."""
    tasks = budget.lessons["omniglot"].tasks_of("MN")  # a short training will do: both are of the same learner
    settings = replace(training(SUITE, "PN", tasks=tasks), split="fitting")
    enough = budget.beside.picture_tasks
    facts = {"weights": learner(settings), "settings": settings, "tasks": enough, "seed": seed}
    return Job("held-out background alphabets", by_split, facts, cost=SECONDS * enough * len(SPLITS))


def by_split(weights: dict[str, Tensor], settings: RunSettings, tasks: int, seed: int) -> dict[str, Tensor]:
    """Return the accuracies, in per cent, task by task, on the characters of each split."""
    found = {}
    for split in SPLITS:
        suite = suite_named(settings.suite, split=split)
        learned = settings.learner(suite)
        learned.load_state_dict(weights)
        learned.eval()
        accuracies = []
        with torch.no_grad():
            for number in range(tasks):
                episode = suite.batch(EVALUATION_SEED + seed, number, number + 1)
                predicted = learned.predict(episode.support, episode.support_labels, episode.query)
                accuracies.append(float(accuracy_of(predicted, episode)[0]))
        found[split] = torch.tensor(accuracies, dtype=torch.float64)
    return found


def rows(measured: Mapping[str, Repeated], train_tasks: int) -> Iterator[Row]:
    """Yield a row a split."""
    for split, accuracy in measured.items():
        setting = {"tasks": "characters", "replacement": False, "variant": "ours", "characters": SPLITS[split]}
        yield accuracy_row("PN", setting, accuracy, train_tasks) | {"metric": METRIC}
