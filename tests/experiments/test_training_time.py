"""Accuracy against training time: which trainings, what a minute is, and what is said of it."""

import pytest
import torch

from polythetic.experiments.budgets import BUDGETS
from polythetic.experiments.training_time import EXPERIMENT, HEADS, SECONDS, STEPS
from polythetic.results import Result, row
from tests.experiments.narrow import ran_narrowly
from tests.experiments.tiny import TINY


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    return ran_narrowly(EXPERIMENT, tmp_path_factory.mktemp("runs"))


def by_hand(accuracy, seconds=0.6):
    """Make rows of made-up accuracies, a function of training, tasks learned, head and kind; a step takes so long."""
    found = {}
    for key, job in EXPERIMENT.jobs(BUDGETS["standard"], 0).items():
        if isinstance(key, str):
            found[key] = [row(key, {"encoder": key}, SECONDS, seconds, tasks=STEPS - 1)]
        else:
            cell = key[0]
            values = {h: accuracy(cell.trained, cell.train_tasks, h, cell.tasks) for h in job.arguments["heads"]}
            found[key] = {head: torch.tensor([value, value], dtype=torch.float64) for head, value in values.items()}
    return Result("training-time", "standard", "polythetic reproduce", 0, EXPERIMENT.rows(found))


def test__jobs__trainings__get_longer_and_the_longest_is_table_2s():
    jobs = {key: job for key, job in EXPERIMENT.jobs(BUDGETS["standard"], 0).items() if not isinstance(key, str)}
    assert {(key[0].trained, key[0].train_tasks) for key in jobs} == {
        *(("PN", tasks) for tasks in (312, 1250, 5000)),
        *(("RELABELLED-PN", tasks) for tasks in (50, 200, 800)),
    }
    assert {job.arguments["settings"].options.get("polythetic") for job in jobs.values()} == {0.0, None}
    assert {job.arguments["options"]["polythetic"] for job in jobs.values()} == {0.0, 1.0}


def test__run__tiny__has_every_head_on_both_kinds_and_the_time_of_a_step(ran):
    accuracies = {(e["setting"]["encoder"], e["method"], e["setting"]["tasks"]) for e in ran.rows if "label" in e}
    assert len(accuracies) == 2 * len(HEADS) * 2
    times = [entry for entry in ran.rows if entry["metric"] == SECONDS]
    assert [entry["tasks"] for entry in times] == [STEPS - 1] * 2
    assert all(0 < entry["mean"] < 10 for entry in times)
    assert all(entry["tasks"] == TINY.side_tasks for entry in ran.rows if "label" in entry)


def test__table_text_and_picture__tiny__are_made(ran):
    assert len(EXPERIMENT.table(ran.rows).body) == 4  # one task and two, of both kinds
    assert all(EXPERIMENT.text(ran))
    assert len(EXPERIMENT.draw(ran).axes) == 2


def test__text__by_hand__says_when_the_papers_best_is_passed():
    def accuracy(trained, tasks, head, kind):
        return 96.0 if (trained, head, kind) == ("PN", "D+MN*", "polythetic") and tasks >= 1250 else 50.0

    said = EXPERIMENT.text(by_hand(accuracy))[1]
    assert said == (
        "The paper's best after 100,000 tasks: PN 94.5 on monothetic tasks, FS+MN 60.4 on polythetic tasks. Above "
        "that: D+MN* from monothetic tasks after 12.5 minutes on polythetic tasks."
    )
    assert EXPERIMENT.text(by_hand(lambda *_: 50.0))[1].endswith("Above that: none.")
