"""What is kept comes back as it was; what is damaged counts as not kept."""

import json

import pytest
import torch

from polythetic.jobs import Job, Nothing, Overwriting, Store, carry_out
from polythetic.jobs.crew import Alone
from polythetic.jobs.store import as_kept
from polythetic.progress import Silent
from tests.jobs import works

ROWS = [{"method": "FS+MN", "setting": {"α": 2, "n": None}, "mean": 0.1 + 0.2, "nan": float("nan")}]
ROWS_JOB, TENSORS_JOB = Job("rows", works.number, {"x": 2}), Job("tensors", works.tensors, {"x": 3})


def test__store__rows__come_back_to_the_bit(tmp_path):
    Store(tmp_path).put(ROWS_JOB, ROWS)
    assert repr(Store(tmp_path).get(ROWS_JOB)) == repr(ROWS)


def test__store__no_rows__are_kept_too(tmp_path):
    Store(tmp_path).put(ROWS_JOB, [])
    assert Store(tmp_path).get(ROWS_JOB) == []


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64, torch.bool])
def test__store__tensors__come_back_to_the_bit_and_in_order(tmp_path, dtype):
    value = {name: torch.arange(4).to(dtype).reshape(shape) for name, shape in (("z", (2, 2)), ("a", (4,)))}
    value["m"] = torch.tensor(float("nan"))
    Store(tmp_path).put(TENSORS_JOB, value)
    back = Store(tmp_path).get(TENSORS_JOB)
    assert list(back) == ["z", "a", "m"]
    assert all(torch.equal(back[name].nan_to_num(7), value[name].nan_to_num(7)) for name in value)
    assert [tensor.dtype for tensor in back.values()] == [dtype, dtype, torch.float32]
    back["z"].zero_()  # they are the caller's own
    assert Store(tmp_path).get(TENSORS_JOB)["a"].any()


def test__as_kept__is_what_the_store_gives_back(tmp_path):
    for job in (ROWS_JOB, TENSORS_JOB):
        value = as_kept(job.work(**job.arguments))
        Store(tmp_path).put(job, value)
        assert works.same([value], [Store(tmp_path).get(job)])


def test__store__nothing_put__gives_nothing(tmp_path):
    assert Store(tmp_path / "not there").get(ROWS_JOB) is None
    Nothing().put(ROWS_JOB, ROWS)
    assert Nothing().get(ROWS_JOB) is None


@pytest.mark.parametrize("job", [ROWS_JOB, TENSORS_JOB], ids=lambda job: job.what)
def test__store__cut_short_anywhere__counts_as_missing_and_is_done_again(tmp_path, job):
    def carried_out():
        return carry_out([job], store=Store(tmp_path), crew=Alone(), progress=Silent())

    first = carried_out()
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    for size in (*range(0, len(whole) - 1, 7), len(whole) - 1):
        path.write_bytes(whole[:size])
        assert Store(tmp_path).get(job) is None, size
    for rubbish in (b"\xff\xfe\x00" * 40, b'{"x": 1}', b"null", b"\x00" * len(whole)):
        path.write_bytes(rubbish)
        assert Store(tmp_path).get(job) is None, rubbish
    assert works.same(carried_out(), first)
    assert path.read_bytes() == whole


def test__store__fails_while_writing__leaves_what_was_there(tmp_path, monkeypatch):
    Store(tmp_path).put(ROWS_JOB, ROWS)

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        Store(tmp_path).put(ROWS_JOB, [{"x": 2}])
    assert [json.loads(path.read_text())[0]["method"] for path in tmp_path.iterdir()] == ["FS+MN"]


def test__overwriting__knows_only_of_what_was_put_since(tmp_path):
    Store(tmp_path).put(ROWS_JOB, ROWS)
    store = Overwriting(tmp_path)
    assert store.get(ROWS_JOB) is None
    store.put(ROWS_JOB, [{"x": 2}])
    assert store.get(ROWS_JOB) == Store(tmp_path).get(ROWS_JOB) == [{"x": 2}]
    assert Overwriting(tmp_path).get(ROWS_JOB) is None
