"""Downloads by processes that meet each other, a full disk, or their end."""

import hashlib
import os
import shutil
import subprocess
import time

import pytest

from polythetic.datasets.storage.fetching import Source, fetch
from polythetic.datasets.storage.places import look_for
from tests.serving import Answer

BODY = bytes(range(256)) * 8000  # 2 MB
HASH = f"sha256:{hashlib.sha256(BODY).hexdigest()}"

FETCH = f"""
import sys
from pathlib import Path
from polythetic.datasets.storage.fetching import Source, fetch
from polythetic.errors import DataError
try:
    fetch([Source("a.gz", (sys.argv[1],), {HASH!r})], Path(sys.argv[2]), what="A set", pause=0.01)
    print("FETCHED")
except DataError as error:
    print(error)
"""

LIMITED = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))" + FETCH


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 1 MB, which takes root to make."""
    place = tmp_path / "disk"
    place.mkdir()
    if (
        not shutil.which("mount")
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True, check=False
        ).returncode
    ):
        pytest.skip("a small disk cannot be mounted here; the limit on files stands for it")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def test__fetch__disk_full__says_so_and_leaves_nothing(small_disk, server, run):
    said = run(FETCH, server.give("a.gz", Answer(BODY)), small_disk / "set")

    assert said == (
        f"A set: {small_disk / 'set' / 'a.gz'} cannot be written (No space left on device): make room there, "
        "or name another folder with POLYTHETIC_CACHE"
    )
    assert not list((small_disk / "set").iterdir())


def test__fetch__limit_on_files__says_so_and_leaves_nothing(tmp_path, server, run):
    said = run(LIMITED, server.give("a.gz", Answer(BODY)), tmp_path / "set")

    assert f"{tmp_path / 'set' / 'a.gz'} cannot be written (File too large): make room" in said
    assert not list((tmp_path / "set").iterdir())


def test__fetch__two_processes_at_once__both_have_the_file(tmp_path, server, start):
    address = server.give("a.gz", Answer(BODY, silent_after=1_000_000))
    processes = [start(FETCH, address, tmp_path / "set") for _ in range(2)]

    wait_until(lambda: len(list((tmp_path / "set").glob(".a.gz.*"))) == 2)  # both in mid-download
    server.go_on.set()

    assert [process.communicate(timeout=60) for process in processes] == [("FETCHED\n", "")] * 2
    assert [path.name for path in (tmp_path / "set").iterdir()] == ["a.gz"]
    assert (tmp_path / "set" / "a.gz").read_bytes() == BODY


def test__fetch__killed_in_mid_download__leaves_the_cache_usable(own_cache, server, start):
    folder = own_cache / "set"
    address = server.give("a.gz", Answer(BODY, silent_after=1_000_000), Answer(BODY))
    process = start(FETCH, address, folder)
    wait_until(lambda: any(path.stat().st_size > 500_000 for path in folder.glob(".a.gz.*")))

    process.kill()
    process.wait()

    (partial,) = folder.iterdir()
    assert look_for("set", ["a.gz"]) is None
    fetch([Source("a.gz", (address,), HASH)], folder, what="A set")
    assert look_for("set", ["a.gz"]) == folder
    assert (folder / "a.gz").read_bytes() == BODY

    # What the killed process left is removed when it is certain that nobody writes to it any more.
    assert partial.exists()
    os.utime(partial, (time.time() - 7200,) * 2)
    fetch([Source("a.gz", (address,), HASH)], folder, what="A set")
    assert [path.name for path in folder.iterdir()] == ["a.gz"]


def wait_until(condition, seconds=30):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.01)
