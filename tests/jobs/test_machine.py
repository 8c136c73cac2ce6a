"""Several processes of this machine: the same to the bit, and none of them is missed when it is killed."""

import pytest
from joblib.externals.loky.process_executor import TerminatedWorkerError

from polythetic.errors import InputError, PolytheticError
from polythetic.jobs import Call, Job, Machine, Nothing, Store, carry_out, watching
from polythetic.progress import Silent
from tests.jobs import works
from tests.jobs.told import Told


def carried_out(jobs, folder, workers=2, store=None, progress=None):
    given = {"store": store or Nothing(), "crew": Machine(workers), "progress": progress or Silent()}
    return carry_out(jobs, **given, folder=folder)


@pytest.mark.parametrize("workers", [2, pytest.param(3, marks=pytest.mark.slow)])
def test__machine__training_and_measuring__same_to_the_bit(tmp_path, undisturbed, workers):
    assert works.same(carried_out(works.table(), tmp_path, workers), undisturbed)


def test__machine__killed_in_mid_training__resumes_and_ends_bit_identical(tmp_path, uninterrupted, killer, monkeypatch):
    monkeypatch.setattr(watching, "EVERY", 0.01)
    told = Told()
    job = Job("training", works.training, {"settings": works.strings()}, folder="strings", cost=900.0)
    others = [Job(f"number {x}", works.number, {"x": x}) for x in range(4)]
    killer(tmp_path / "strings")
    weights, *rows = carried_out([job, *others], tmp_path, progress=told)
    (first, start), (second, resumed) = works.begun(tmp_path / "strings")
    assert (start, first != second) == (0, True)
    assert resumed >= 10
    assert works.same([weights], [uninterrupted])
    assert rows == [works.number(x) for x in range(4)]
    assert told.steps == 904
    assert told.notes.count("training") > 2  # as it went on


def test__machine__killed_three_times_in_a_row__says_what_to_do(tmp_path):
    calls = [Call(works.dying, {"x": 0, "marks": str(tmp_path), "times": 9}), Call(works.number, {"x": 1})]
    with pytest.raises(PolytheticError, match=r"killed 3 times, .* memory .* kept: go on with fewer than --jobs 2"):
        list(Machine(2).do(calls))
    # The other call may be lost with the first two deaths; once it is done, the machine has got on and counts anew.
    assert 3 <= len(list(tmp_path.iterdir())) <= 2 + 3


def test__machine__killed_again_and_again_but_getting_on__goes_on(monkeypatch):
    """Four deaths, and one call finished before each."""

    class Dying:
        def __init__(self, **options):
            pass

        def __call__(self, calls):
            for function, arguments, _ in list(calls)[:1]:
                yield function(*arguments)
            raise TerminatedWorkerError

    monkeypatch.setattr("joblib.Parallel", Dying)
    calls = [Call(works.number, {"x": x}) for x in range(4)]
    assert list(Machine(2).do(calls)) == [(x, works.number(x)) for x in range(4)]


def test__machine__error_in_a_job__is_the_same_here_and_what_is_finished_is_kept(tmp_path):
    log, store = tmp_path / "log", Store(tmp_path / "cells")
    needed = [Job(f"number {x}", works.number, {"x": x, "log": str(log)}) for x in range(3)]
    needs = {"abc"[x]: job for x, job in enumerate(needed)}
    with pytest.raises(InputError, match=r"x = .*: expected another"):
        carried_out(
            [Job("refused", works.refusing, {"x": needed[0]}), Job("total", works.total, needs)], tmp_path, store=store
        )
    carried_out(needed, tmp_path, store=store)
    assert sorted(log.read_text().split()) == ["0", "1", "2"]


def test__machine__abandoned__ends_at_once_and_without_a_word(recwarn):
    done = Machine(2).do(
        [Call(works.number, {"x": 1}), *(Call(works.sleeping, {"x": x, "seconds": 60}) for x in range(3))]
    )
    assert next(done) == (0, works.number(1))
    done.close()
    assert not recwarn.list
