"""Every registered experiment inherits these tests."""

import math

import pytest

from polythetic.experiments import EXPERIMENTS, Budget, Run, experiments_named
from polythetic.experiments.grid import IRRELEVANT, REPETITIONS
from polythetic.progress import Silent
from polythetic.results import Result

TINY = Budget("quick", tasks=4, grid_tasks=2, trials=200, train_tasks=(2, 4), train_seeds=2)


class Counting(Silent):
    def __init__(self):
        self.total = self.done = 0

    def start(self, what, total):
        self.total += total

    def advance(self, steps=1):
        self.done += steps


@pytest.fixture(scope="module", params=list(EXPERIMENTS))
def ran(request):
    experiment = EXPERIMENTS[request.param]
    progress = Counting()
    rows = experiment.run(Run(TINY, 0, progress))
    return experiment, Result(experiment.name, "quick", "polythetic reproduce", 0, rows), progress


def test__rows__keep_the_contract(ran):
    _, result, _ = ran
    assert result.rows
    for entry in result.rows:
        assert {"method", "setting", "metric", "mean", "stderr", "tasks", "paper", "paper_stderr"} <= set(entry)
        assert math.isfinite(entry["mean"])
    keys = [(e["method"], e["metric"], *sorted(map(str, e["setting"].items()))) for e in result.rows]
    assert len(set(keys)) == len(keys)


def test__progress__reaches_its_end(ran):
    _, _, progress = ran
    assert progress.total == progress.done > 0


def test__text_and_table__are_whole(ran):
    experiment, result, _ = ran
    assert all(len(paragraph) > 40 for paragraph in experiment.text(result))
    if experiment.table is not None:
        table = experiment.table(result.rows)
        assert table.body
        assert all(len(line) == len(table.header) for line in table.body)
    assert experiment.table is not None or experiment.draw is not None


def test__picture__has_ink_and_the_same_again_is_the_same(ran):
    import numpy as np

    experiment, result, _ = ran
    if experiment.draw is None:
        return
    pictures = []
    for _ in range(2):
        figure = experiment.draw(result)
        figure.canvas.draw()
        pictures.append(np.asarray(figure.canvas.buffer_rgba()))
    assert (pictures[0][..., :3] < 128).any(-1).mean() > 0.003
    assert (pictures[0] == pictures[1]).all()


def test__run__again__gives_the_same_rows(ran):
    experiment, result, _ = ran
    if experiment.name in ("figure6", "figure10"):
        return  # the longest, made of the same parts as table1
    assert experiment.run(Run(TINY, 0, Silent())) == result.rows


def test__experiments_named__unknown__lists_those_there_are():
    with pytest.raises(ValueError, match=r"experiment = 'table99': expected one of table1, figure2"):
        experiments_named(["table99"])


def test__grid__holds_the_cell_that_the_paper_names():
    assert 2 in REPETITIONS
    assert 3 in IRRELEVANT
