"""Every registered experiment inherits these tests."""

import math
import pickle

import numpy as np
import pytest

from polythetic.errors import MissingDataError
from polythetic.experiments import BUDGETS, EXPERIMENTS, experiments_named
from polythetic.experiments.grid import IRRELEVANT, REPETITIONS
from polythetic.jobs import Job, Nothing, Store
from polythetic.jobs.carrying_out import still_to_do
from tests.experiments.narrow import ran_narrowly
from tests.experiments.tiny import TINY

CHEAP = 30  # seconds, by an experiment's own account
# Those that are run from end to end in tests of their own.
OWN_TESTS = ("table2", "table3", "table4", "table5", "figure8", "appendix-g", "training-time")
MAPS = ("figure6", "figure10", "discovery")  # many small parts, of the same kinds as table1's


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """One for all experiments: what two of them need is done once."""
    return tmp_path_factory.mktemp("runs")


@pytest.fixture(
    scope="module",
    params=[pytest.param(name, marks=pytest.mark.slow) if name in OWN_TESTS else name for name in EXPERIMENTS],
)
def ran(request, place):
    experiment = EXPERIMENTS[request.param]
    try:
        return experiment, ran_narrowly(experiment, place)
    except MissingDataError as error:
        pytest.skip(f"{experiment.name} needs data that are not here: {error}")


def test__rows__keep_the_contract(ran):
    _, result = ran
    assert result.rows
    for entry in result.rows:
        assert {"method", "setting", "metric", "mean", "stderr", "tasks", "paper", "paper_stderr"} <= set(entry)
        assert math.isfinite(entry["mean"])
    keys = [(e["method"], e["metric"], *sorted(map(str, e["setting"].items()))) for e in result.rows]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test__question__is_one(name):
    question = EXPERIMENTS[name].question
    assert question[0].isupper()
    assert question.endswith("?")
    assert "\n" not in question


@pytest.mark.parametrize("name", EXPERIMENTS)
def test__jobs__can_be_told_apart_and_sent_away(name):
    jobs = EXPERIMENTS[name].jobs(TINY, 0).values()
    assert len({job.what for job in jobs}) == len({job.key for job in jobs}) == len(jobs)
    for job in jobs:
        assert job.cost > 0
        plain = {name: value for name, value in job.arguments.items() if not isinstance(value, Job)}
        assert pickle.loads(pickle.dumps((job.work, plain))) == (job.work, plain)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test__jobs__of_another_seed_or_budget__are_others_if_they_are_told_of_it(name):
    jobs = EXPERIMENTS[name].jobs
    keys = {job.key for job in jobs(TINY, 0).values()}
    for told, others in (("seed", jobs(TINY, 1)), ("tasks", jobs(BUDGETS["paper"], 0))):
        assert all(told not in job.arguments for job in others.values() if job.key in keys)


def test__text_and_table__are_whole(ran):
    experiment, result = ran
    assert all(len(paragraph) > 40 for paragraph in experiment.text(result))
    if experiment.table is not None:
        table = experiment.table(result.rows)
        assert table.body
        assert all(len(line) == len(table.header) for line in table.body)
    assert experiment.table is not None or experiment.draw is not None


def test__picture__has_ink_and_the_same_again_is_the_same(ran):
    experiment, result = ran
    if experiment.draw is None:
        return
    pictures = []
    for _ in range(2):
        figure = experiment.draw(result)
        figure.canvas.draw()
        pictures.append(np.asarray(figure.canvas.buffer_rgba()))
    assert (pictures[0][..., :3] < 128).any(-1).mean() > 0.003
    assert (pictures[0] == pictures[1]).all()


def test__run__again__takes_what_is_kept_and_gives_the_same_rows(ran, place):
    experiment, result = ran
    assert not still_to_do(experiment.jobs(TINY, 0).values(), Store(place / "cells"))
    assert ran_narrowly(experiment, place).rows == result.rows


def test__run__again_with_nothing_kept__gives_the_same_rows(ran, tmp_path):
    experiment, result = ran
    cost = sum(job.cost for job in still_to_do(experiment.jobs(TINY, 0).values(), Nothing()))
    if cost < CHEAP and experiment.name not in MAPS:
        assert _untimed(ran_narrowly(experiment, tmp_path).rows) == _untimed(result.rows)


def _untimed(rows):
    """Leave out what is never the same twice: seconds, and what those not taken would have been."""
    return [entry for entry in rows if not entry["metric"].startswith(("seconds", "not run"))]


def test__experiments_named__unknown__lists_those_there_are():
    with pytest.raises(ValueError, match=r"experiment = 'table99': expected one of .*table1, figure2"):
        experiments_named(["table99"])


def test__grid__holds_the_cell_that_the_paper_names():
    assert 2 in REPETITIONS
    assert 3 in IRRELEVANT
