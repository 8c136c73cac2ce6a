import hashlib
import os
import time
import warnings

import numpy as np
import pytest

from polythetic.datasets.storage.decoded import fingerprint, remembered
from polythetic.errors import CacheWarning, DataError

ARRAY = np.arange(12, dtype=np.uint8).reshape(3, 4)
KEY = "0123456789abcdef0123"

MAKE = """
import numpy as np
import sys, time
from polythetic.datasets.storage.decoded import remembered
def make():
    time.sleep(0.2)  # so that the two overlap
    return np.full((1000, 1000), 7, np.uint8)
print(int(remembered("sevens", "k", make).sum()))
"""

# A limit on the size of files gives the error that a full disk gives, from the system itself.
LIMITED = """
import resource, sys, warnings
import numpy as np
from polythetic.datasets.storage.decoded import remembered
from polythetic.errors import CacheWarning
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    array = remembered("sevens", "k", lambda: np.full((100, 100), 7, np.uint8))
print(int(array.sum()), array.flags.writeable, said[0].category.__name__, said[0].message)
"""


def never():
    raise AssertionError("made again")


def test__remembered__second_time__is_mapped_read_only_and_not_made(own_cache):
    first = remembered("things", KEY, lambda: ARRAY.copy())
    second = remembered("things", KEY, never)

    for array in (first, second):
        np.testing.assert_array_equal(array, ARRAY)
        assert isinstance(array.base, np.memmap)
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 1
    assert [path.name for path in (own_cache / "decoded").iterdir()] == [f"things-{KEY[:16]}.npy"]


def test__remembered__another_key__is_made(own_cache):
    remembered("things", "a", lambda: ARRAY)

    assert remembered("things", "b", lambda: ARRAY + 1)[0, 0] == 1


@pytest.mark.parametrize("damage", [lambda b: b"", lambda b: b[:-1], lambda b: b[:20], lambda b: b"nonsense" + b])
def test__remembered__damaged_file__is_made_again(own_cache, damage):
    remembered("things", KEY, lambda: ARRAY)
    path = own_cache / "decoded" / f"things-{KEY[:16]}.npy"
    path.write_bytes(damage(path.read_bytes()))

    np.testing.assert_array_equal(remembered("things", KEY, lambda: ARRAY), ARRAY)
    np.testing.assert_array_equal(remembered("things", KEY, never), ARRAY)


def test__remembered__pickle_in_its_place__is_not_run(own_cache):
    path = own_cache / "decoded" / f"things-{KEY[:16]}.npy"
    path.parent.mkdir(parents=True)
    np.save(path, np.array([{}], dtype=object), allow_pickle=True)

    np.testing.assert_array_equal(remembered("things", KEY, lambda: ARRAY), ARRAY)


def test__remembered__empty_array__is_returned(own_cache):
    assert remembered("things", KEY, lambda: np.empty((0, 3))).shape == (0, 3)


def test__remembered__cache_cannot_be_made__warns_and_returns_it(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("POLYTHETIC_CACHE", str(tmp_path / "file"))

    with pytest.warns(CacheWarning, match=r"file.*cannot be written.*POLYTHETIC_CACHE"):
        array = remembered("things", KEY, lambda: ARRAY)

    np.testing.assert_array_equal(array, ARRAY)
    assert not array.flags.writeable


def test__remembered__disk_full__warns_returns_it_and_leaves_nothing(own_cache, run):
    said = run(LIMITED)

    assert said.startswith("70000 False CacheWarning ")
    assert "cannot be written (10000 requested and 872 written)" in said
    assert not list((own_cache / "decoded").iterdir())


def test__remembered__making_fails__leaves_nothing(own_cache):
    with pytest.raises(ZeroDivisionError):
        remembered("things", KEY, lambda: 1 // 0)

    assert not (own_cache / "decoded").exists()


def test__remembered__two_processes_at_once__both_have_it(own_cache, start):
    processes = [start(MAKE) for _ in range(2)]

    assert [process.communicate(timeout=60) for process in processes] == [("7000000\n", "")] * 2
    assert len(list((own_cache / "decoded").iterdir())) == 1


def test__remembered__all_well__warns_of_nothing(own_cache):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        remembered("things", KEY, lambda: ARRAY)


def test__fingerprint__file__is_its_sha256(tmp_path):
    content = bytes(range(256)) * 5000
    (tmp_path / "file").write_bytes(content)

    assert fingerprint(tmp_path / "file") == hashlib.sha256(content).hexdigest()


def test__fingerprint__no_file__names_it(tmp_path):
    with pytest.raises(DataError, match=r"nothing\.gz"):
        fingerprint(tmp_path / "nothing.gz")


def test__remembered__remains_of_a_killed_process__are_removed_once_old(own_cache):
    (own_cache / "decoded").mkdir(parents=True)
    old, new = (own_cache / "decoded" / f".things-{KEY[:16]}.npy.{name}" for name in ("old", "new"))
    for path in (old, new):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 7200,) * 2)

    remembered("things", KEY, lambda: ARRAY)

    assert not old.exists()
    assert new.exists()
