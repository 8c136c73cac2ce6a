"""Jobs are carried out in the right order, each once, and what is done stays done."""

import pytest

from polythetic.errors import InputError
from polythetic.jobs import Alone, Job, Nothing, Overwriting, Store, carry_out
from polythetic.jobs.carrying_out import still_to_do
from polythetic.progress import Silent
from tests.jobs import works
from tests.jobs.told import Told


@pytest.fixture
def carried_out(tmp_path):
    def carried_out(jobs, store=None, progress=None):
        given = {"store": store or Store(tmp_path / "cells"), "crew": Alone(), "progress": progress or Silent()}
        return carry_out(jobs, **given, folder=tmp_path)

    return carried_out


@pytest.fixture
def log(tmp_path):
    return tmp_path / "log"


def number(x, log, **facts):
    return Job(f"number {x}", works.number, {"x": x, "log": str(log)}, **facts)


def test__carry_out__values_in_the_order_asked_for(carried_out, log):
    jobs = [number(x, log, cost=cost) for x, cost in ((3, 1.0), (1, 5.0), (2, 9.0))]
    assert [rows[0]["x"] for rows in carried_out(jobs)] == [3, 1, 2]
    assert log.read_text().split() == ["2", "1", "3"]  # long ones first


def test__carry_out__what_is_needed__comes_first_and_once(carried_out, log):
    one, two = number(1, log), number(2, log)
    three = Job("three", works.total, {"a": one, "b": two})
    again = Job("three in other words", works.total, {"a": number(1, log), "b": number(2, log)})
    six = Job("six", works.total, {"a": three, "b": three, "c": again})
    assert [rows[0]["x"] for rows in carried_out([six, three, one, six])] == [9, 3, 1, 9]
    assert sorted(log.read_text().split()) == ["1", "2"]


def test__carry_out__kept__is_not_done_again(carried_out, log):
    jobs = [number(1, log), Job("total", works.total, {"a": number(2, log)})]
    first = carried_out(jobs)
    assert works.same(carried_out(jobs), first)
    assert len(log.read_text().split()) == 2


def test__carry_out__kept_but_not_what_it_needed__is_not_done_again(carried_out, log, tmp_path):
    needed = number(2, log)
    job = Job("total", works.total, {"a": needed})
    carried_out([job])
    (tmp_path / "cells" / f"{needed.key}.json").unlink()
    carried_out([job])
    assert len(log.read_text().split()) == 1


def test__carry_out__overwriting__does_each_once_more(carried_out, log, tmp_path):
    carried_out([number(1, log)])
    store = Overwriting(tmp_path / "cells")
    for _ in range(2):
        carried_out([number(1, log), number(1, log)], store)
    assert log.read_text().split() == ["1", "1"]


def test__carry_out__keeping_nothing__gives_the_same(carried_out, log):
    jobs = [Job("tensors", works.tensors, {"x": 2}), Job("total", works.total, {"a": number(2, log)})]
    assert works.same(carried_out(jobs, Nothing()), carried_out(jobs))
    assert works.same(carried_out(jobs, Nothing()), carried_out(jobs))  # read from disk, now


def test__carry_out__progress__comes_to_what_was_announced(carried_out, log, tmp_path):
    costs = (0.2, 0.4, 1.5, 2.5, 70.3)
    jobs = [number(x, log, cost=cost) for x, cost in enumerate(costs)]
    jobs += [Job("total", works.total, {"a": jobs[0], "b": jobs[4]}, cost=0.3), jobs[0]]
    store, told = Store(tmp_path / "cells"), Told()
    carried_out(jobs[:1])
    ahead = sum(job.steps for job in still_to_do(jobs, store))
    carried_out(jobs, progress=told)
    assert told.steps == ahead
    assert sorted(told.notes) == ["number 1", "number 2", "number 3", "number 4", "total"]
    assert still_to_do(jobs, store) == []


@pytest.mark.parametrize(
    ("work", "error"), [(works.refusing, InputError), (works.interrupted, KeyboardInterrupt)], ids=["error", "Ctrl-C"]
)
def test__carry_out__stopped__keeps_what_is_finished(carried_out, log, work, error):
    stopping = Job("stopping", work, {"x": 0} if error is InputError else {}, cost=2.0)
    first, last = number(1, log, cost=3.0), number(2, log)
    with pytest.raises(error):
        carried_out([first, stopping, last])
    carried_out([first, last])
    assert log.read_text().split() == ["1", "2"]


def test__carry_out__cannot_keep__gives_the_crew_up(carried_out, log):
    class Full(Nothing):
        def put(self, job, value):
            raise OSError(28, "No space left on device")

    given_up = []

    class Watched(Alone):
        def do(self, calls):
            try:
                yield from super().do(calls)
            finally:
                given_up.append(True)

    with pytest.raises(OSError, match="No space"):
        carry_out([number(1, log), number(2, log)], store=Full(), crew=Watched(), progress=Silent())
    assert given_up == [True]


def test__carry_out__folder__is_given_to_those_that_want_one(carried_out, tmp_path):
    job = Job("training", works.training, {"settings": works.strings(tasks=2)}, folder="a-name")
    (weights,) = carried_out([job])
    assert (tmp_path / "a-name" / "checkpoint-00000002.safetensors").exists()
    assert works.same([weights], carried_out([job]))
    assert len(works.begun(tmp_path / "a-name")) == 1
