"""What the tables on pictures have in common: learners to be trained, and tasks that they are then put to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch

from polythetic.episodes.suites import SUITES
from polythetic.evaluation import Repeated
from polythetic.experiments.budgets import Budget
from polythetic.experiments.experiment import Found
from polythetic.jobs import Job
from polythetic.jobs.learning import measure, train
from polythetic.runs import RunSettings
from polythetic.training import Schedule

BLOCK = 250  # evaluation tasks a job
SECONDS = {"training": 0.4, "evaluation": 0.15, "head": 0.01}  # a task on one core, about; a head beside the first
REFINING = 0.03  # a head that refines its scores
MAML_SECONDS = {"training": 2.0, "evaluation": 0.9, "head": 0.9}
AT_TEST = ("test_steps",)  # options of methods that training knows nothing of
OWN = None  # the head that a learner was trained with

Heads = Mapping[str, Mapping[str, Any] | None]


def training(
    suite: str,
    method: str,
    *,
    tasks: int,
    variant: str = "ours",
    seed: int = 0,
    options: dict[str, Any] | None = None,
    method_options: dict[str, Any] | None = None,
) -> RunSettings:
    """Settle how a learner of a table is trained: on all but the evaluation data.

    Ours lets the learning rate fall to zero by the end; the authors leave it as it is.

    >>> training("omniglot-characters", "PN", tasks=4000).schedule.decay
    True
    """
    schedule = Schedule(tasks=tasks, decay=variant == "ours", seed=seed)
    return RunSettings(
        suite,
        method,
        schedule,
        variant=variant,
        split="training",
        options=options or {},
        method_options=method_options or {},
    )


def folder_name(settings: RunSettings) -> str:
    """Name the folder of a run by all that tells it from others.

    >>> folder_name(training("mnist-full", "FS+MN", tasks=1000, options={"polythetic": 0.5}))
    'mnist-full-fs-mn-ours-polythetic-0.5-1000-seed0'
    """
    options = [f"{name}-{value}" for name, value in {**settings.options, **settings.method_options}.items()]
    method = settings.method.lower().replace("+", "-")
    schedule = settings.schedule
    split = [] if settings.split == "training" else [settings.split]
    parts = [settings.suite, method, settings.variant, *split, *options, str(schedule.tasks), f"seed{schedule.seed}"]
    return "-".join(parts)


def learner(settings: RunSettings) -> Job:
    """Return the job that trains a learner, and gives its weights: one job for those that differ at test alone."""
    kept = {name: value for name, value in settings.method_options.items() if name not in AT_TEST}
    settings = replace(settings, method_options=kept)
    source = SUITES[settings.suite].source()
    name = folder_name(settings) + ("-embedded" if source == "embedded" else "")
    cost = _seconds(settings)["training"] * settings.schedule.tasks
    return Job(f"training {name}", train, {"settings": settings}, cost=cost, data=source, folder=name)


def _seconds(settings: RunSettings) -> dict[str, float]:
    return MAML_SECONDS if settings.method == "MAML" else SECONDS


def measuring(
    cell: Any, runs: Sequence[RunSettings], suite: str, options: dict[str, Any], heads: Heads, budget: Budget, seed: int
) -> dict[tuple[Any, int, int], Job]:
    """List the jobs that put learners, alike but for chance, to the tasks of a cell, in blocks.

    Args:
        cell: the name that ``gathered`` gives back.
        runs: the learners.
        suite: the tasks, by name.
        options: of the suite.
        heads: what to put on the learners' encoders: by label, the arguments of ``head_named``, or ``OWN``.
        budget: says how many tasks.
        seed: of the tasks.
    """
    jobs: dict[tuple[Any, int, int], Job] = {}
    refined = sum(head is not None and head["name"].startswith("R+") for head in heads.values())
    for number, settings in enumerate(runs):
        for start in range(0, budget.picture_tasks, BLOCK):
            stop = min(start + BLOCK, budget.picture_tasks)
            facts = {"weights": learner(settings), "settings": settings, "suite": suite, "options": options}
            facts |= {"heads": dict(heads), "start": start, "stop": stop, "seed": seed}
            what = f"evaluating {folder_name(settings)} on {suite} {options or ''}, tasks {start}–{stop}"
            seconds = _seconds(settings)
            cost = seconds["evaluation"] + seconds["head"] * (len(heads) - 1) + REFINING * refined
            jobs[cell, number, start] = Job(
                what, measure, facts, cost=cost * (stop - start), data=SUITES[suite].source()
            )
    return jobs


def gathered(found: Found) -> dict[Any, dict[str, Repeated]]:
    """Put the blocks of each cell together again: by cell and head, accuracies by run and task."""
    parts: dict[Any, dict[str, dict[int, dict[int, torch.Tensor]]]] = {}
    for (cell, number, start), accuracies in found.items():
        for label, values in accuracies.items():
            parts.setdefault(cell, {}).setdefault(label, {}).setdefault(number, {})[start] = values
    return {
        cell: {
            label: Repeated(
                torch.stack(
                    [torch.cat([blocks[start] for start in sorted(blocks)]) for blocks in runs.values()]
                ).numpy()
            )
            for label, runs in heads.items()
        }
        for cell, heads in parts.items()
    }
