"""What commands switch on, seen from processes of their own; and that importing switches on nothing."""

import ctypes
import json
import os
import subprocess
import sys

import pytest

from polythetic import speed

GLIBC = hasattr(ctypes.CDLL(None), "gnu_get_libc_version") if sys.platform == "linux" else False
needs_glibc = pytest.mark.skipif(not GLIBC, reason="the C library is not glibc")

FAULTS = """
import resource, torch
def faults(times):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(times):
        torch.empty(10 * 2**20).fill_(1)  # 40 MiB, freed at once: more than glibc would ever keep by itself
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before
faults(40)  # the heap grows for a while before it has room for all
"""


def child(code, **environment):
    """Run code in a process of its own and return what it prints as JSON."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("OMP_")}
    command = [sys.executable, "-c", f"import json, os\n{code}"]
    done = subprocess.run(command, env=inherited | environment, capture_output=True, text=True, check=True, timeout=120)
    return json.loads(done.stdout)


@needs_glibc
def test__on__memory_freed__is_used_again_without_page_faults():
    found = child(f"from polythetic import speed\non = speed.on()\n{FAULTS}\nprint(json.dumps([on, faults(5)]))")
    assert found[0] is True
    assert found[1] < 100


@needs_glibc
def test__import__of_everything__switches_nothing_on():
    imports = "import polythetic.speed, polythetic.encoders, polythetic.classifiers, polythetic.episodes"
    found = child(f"{imports}\n{FAULTS}\nprint(json.dumps([os.environ.get('OMP_WAIT_POLICY'), faults(5)]))")
    assert found[0] is None
    assert found[1] > 1000  # 10,240 pages of 4 KiB, five times, unless the system has larger ones


def test__on__before_torch__threads_sleep_and_are_as_many_as_cores():
    code = """
from polythetic import speed
speed.on()
import torch
print(json.dumps([os.environ["OMP_WAIT_POLICY"], torch.get_num_threads(), speed.cores()]))"""
    policy, threads, cores = child(code)
    assert policy == "PASSIVE"
    assert threads == cores


def test__on__does_not_import_torch():
    assert (
        child("import sys\nfrom polythetic import speed\nspeed.on()\nprint(json.dumps('torch' in sys.modules))")
        is False
    )


def test__on__what_the_user_has_set__stays():
    code = """
from polythetic import speed
speed.on()
import torch
print(json.dumps([os.environ["OMP_WAIT_POLICY"], torch.get_num_threads()]))"""
    assert child(code, OMP_WAIT_POLICY="ACTIVE", OMP_NUM_THREADS="1") == ["ACTIVE", 1]


def test__on__threads_given__are_taken_before_and_after_torch():
    code = """
from polythetic import speed
speed.on(threads=1)
import torch
before = torch.get_num_threads()
speed.on(threads=2)
print(json.dumps([before, torch.get_num_threads()]))"""
    assert child(code) == [1, 2]


@pytest.mark.parametrize("failure", [OSError, AttributeError, TypeError])
def test__keep_memory__another_c_library__does_nothing_and_says_so(monkeypatch, failure):
    def library(name):
        raise failure

    monkeypatch.setattr(ctypes, "CDLL", library)
    assert speed.keep_memory() is False


def test__keep_memory__library_without_glibcs_version__does_nothing_and_says_so(monkeypatch):
    monkeypatch.setattr(ctypes, "CDLL", lambda name: object())
    assert speed.keep_memory() is False


@pytest.mark.parametrize(
    ("content", "cores"), [("max 100000", None), ("150000 100000", 1), ("50000 100000", 1), ("garbage", None)]
)
def test__cores__container_with_a_quota__no_more_than_it_grants(monkeypatch, tmp_path, content, cores):
    (tmp_path / "cpu.max").write_text(f"{content}\n")
    unlimited = speed.cores()
    monkeypatch.setattr(speed, "QUOTA", tmp_path / "cpu.max")
    assert speed.cores() == (cores or unlimited)
