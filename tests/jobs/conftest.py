"""For tests of jobs: what one process finds on its own, and someone who kills workers."""

import os
import signal
import time
from threading import Thread

import pytest

from polythetic.jobs import Alone, Call, Nothing, carry_out
from polythetic.progress import Silent
from tests.jobs import works


@pytest.fixture(scope="session")
def undisturbed(tmp_path_factory):
    """The values of the tiny table, from one process."""
    return carry_out(
        works.table(), store=Nothing(), crew=Alone(), progress=Silent(), folder=tmp_path_factory.mktemp("alone")
    )


@pytest.fixture(scope="session")
def uninterrupted(tmp_path_factory):
    """The weights of a training that nobody disturbs."""
    return Call(works.training, {"settings": works.strings()}, tmp_path_factory.mktemp("uninterrupted"))()


@pytest.fixture
def killer():
    """Kill whoever trains in a folder, with no chance to say goodbye, once something is saved there."""
    threads = []

    def watch(folder):
        while not list(folder.glob("checkpoint-*.json")):
            time.sleep(0.005)
        os.kill(works.begun(folder)[-1][0], signal.SIGKILL)

    def kill(folder):
        threads.append(Thread(target=watch, args=(folder,), daemon=True))
        threads[-1].start()

    yield kill
    for thread in threads:
        thread.join(timeout=10)
        assert not thread.is_alive(), "nobody was killed"
