"""Who does the jobs, and that each is done on one thread."""

import pickle
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

from polythetic.errors import InputError
from polythetic.jobs import Alone, Call, Cluster, Machine, crew_of
from polythetic.speed import cores
from tests.jobs import works


def test__crew_of__choices():
    assert isinstance(crew_of(jobs=1), Alone)
    assert crew_of(jobs=3).workers == 3
    assert crew_of(cluster="tcp://host:8786").address == "tcp://host:8786"
    assert isinstance(crew_of(), Alone if cores() == 1 else Machine)
    assert isinstance(crew_of(cluster="tcp://host:8786"), Cluster)


def test__crew_of__jobs_and_cluster__are_refused_together():
    with pytest.raises(InputError, match=r"--jobs = 2: expected either --jobs or --cluster"):
        crew_of(jobs=2, cluster="tcp://host:8786")


def test__crew_of__no_jobs__is_refused():
    with pytest.raises(InputError, match="--jobs = 0: expected a whole number of at least 1"):
        crew_of(jobs=0)


def test__alone__numbers_and_values():
    assert list(Alone().do([Call(works.number, {"x": x}) for x in (4, 9)])) == [
        (0, [{"x": 4, "root": 2.0}]),
        (1, [{"x": 9, "root": 3.0}]),
    ]


def test__call__runs_on_one_thread_and_leaves_the_others_as_they_were():
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        assert Call(works.threads, {})() == [{"threads": 1}]
        with pytest.raises(InputError):
            Call(works.refusing, {"x": 1})()
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


def test__call__several_threads_of_a_process__do_not_meddle():
    """A Dask worker may have several, and torch's chance is for all of them."""
    calls = [Call(works.chance, {"x": x}) for x in range(3)]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda call: call(), calls))
    assert works.same(together, [call() for call in calls])


def test__input_error__sent_from_process_to_process__is_the_same():
    error = pickle.loads(pickle.dumps(InputError("x", torch.Size([2]), "another")))
    assert (str(error), error.argument) == ("x = torch.Size([2]): expected another", "x")
