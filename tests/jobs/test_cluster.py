"""A real Dask cluster: the same to the bit, a killed worker is not missed, and clear words where it cannot be."""

import os
import sys
import time
from unittest.mock import patch

import pytest

from polythetic.errors import InputError, PolytheticError
from polythetic.jobs import Call, Cluster, Job, Nothing, carry_out, cluster
from polythetic.progress import Silent
from tests.jobs import works

distributed = pytest.importorskip("distributed", reason="the extra cluster is not installed")


@pytest.fixture(scope="module")
def dask():
    """Two workers in processes of their own, each with a nanny that starts it again.

    Nannies write into the environment of the process that they are in; other tests want theirs as it was.
    """
    with (
        patch.dict(os.environ),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as running,
    ):
        yield running


@pytest.fixture
def crew(dask):
    return Cluster(dask.scheduler_address)


class Lacking:
    """Something to call that comes from a module that others do not have."""

    def __call__(self):
        return {"polythetic": "1"}

    def __reduce__(self):
        return __import__, ("a_module_that_is_not_there",)


def test__cluster__worker_killed_in_mid_training__all_values_same_to_the_bit(
    tmp_path, crew, killer, undisturbed, uninterrupted
):
    job = Job("training", works.training, {"settings": works.strings()}, folder="killed", cost=9.0)
    killer(tmp_path / "killed")
    *found, weights = carry_out([*works.table(), job], store=Nothing(), crew=crew, progress=Silent(), folder=tmp_path)
    (first, _), (second, resumed) = works.begun(tmp_path / "killed")
    assert first != second
    assert resumed >= 10
    assert works.same(found, undisturbed)
    assert works.same([weights], [uninterrupted])


def test__cluster__error_in_a_job__is_the_same_here(crew):
    with pytest.raises(InputError, match="x = 3: expected another"):
        list(crew.do([Call(works.refusing, {"x": 3})]))


@pytest.mark.parametrize(
    ("versions", "words"),
    [
        (Lacking(), r"the versions of here, .*; the scheduler has .*a_module_that_is_not_there"),
        (works.whereabouts, "tcp"),
    ],
    ids=["not installed", "another version"],
)
def test__cluster__another_polythetic_or_none__is_refused(crew, monkeypatch, versions, words):
    monkeypatch.setattr(cluster, "versions", versions)
    with pytest.raises(InputError, match=words):
        next(crew.do([Call(works.number, {"x": 1})]))


def test__cluster__every_worker_dies_of_it__says_what_to_do(tmp_path, dask, crew, monkeypatch):
    monkeypatch.setattr(dask.scheduler, "allowed_failures", 0)  # once is enough here
    with pytest.raises(PolytheticError, match=r"memory .* kept: go on with fewer workers a machine"):
        list(crew.do([Call(works.dying, {"x": 0, "marks": str(tmp_path), "times": 9})]))


def test__cluster__abandoned__leaves_the_scheduler(dask, crew):
    before = set(dask.scheduler.clients)
    done = crew.do([Call(works.number, {"x": 4}), Call(works.sleeping, {"x": 1, "seconds": 1})])
    assert next(done) == (0, works.number(4))
    assert set(dask.scheduler.clients) > before
    done.close()
    deadline = time.monotonic() + 10
    while set(dask.scheduler.clients) > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert set(dask.scheduler.clients) == before


def test__cluster__no_scheduler__says_so_soon(monkeypatch):
    assert cluster.CONNECTING <= 10
    monkeypatch.setattr(cluster, "CONNECTING", 0.5)
    for address in ("tcp://127.0.0.1:9", "127.0.0.1:9", "nonsense://127.0.0.1:9"):
        with pytest.raises(InputError, match=rf"--cluster = {address}: expected the address of a Dask scheduler"):
            next(Cluster(address).do([Call(works.number, {"x": 1})]))


def test__cluster__no_workers__says_how_to_start_one(monkeypatch):
    monkeypatch.setattr(cluster, "WORKERS", 0.5)
    with distributed.LocalCluster(n_workers=0, dashboard_address=":0") as empty:
        address = empty.scheduler_address
        with pytest.raises(InputError, match=rf"expected workers: dask worker {address} starts one"):
            next(Cluster(address).do([Call(works.number, {"x": 1})]))


def test__cluster__extra_not_installed__says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"--cluster = .*: expected the extra: pip install 'polythetic\[cluster\]'"):
        next(Cluster("tcp://127.0.0.1:9").do([Call(works.number, {"x": 1})]))
