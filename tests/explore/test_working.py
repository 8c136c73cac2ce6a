"""Work is watched, stopped, and never takes the server with it."""

import http.client
import threading
import time

import pytest

from polythetic.errors import InputError
from polythetic.explore import server as serving
from polythetic.explore.views import View
from polythetic.explore.working import Work


@pytest.mark.parametrize(
    ("error", "said"), [(InputError("k", 0, "more"), "k = 0: expected more"), (KeyError("x"), "KeyError: 'x'")]
)
def test__work__that_fails__says_why(error, said):
    def fail(progress):
        raise error

    work = Work(fail)
    assert work.wait(10)
    assert work.is_error
    assert work.outcome == {"error": said}


def test__work__that_loops__is_stopped_and_the_next_begins():
    started = threading.Event()

    def loop(progress):
        started.set()
        while True:
            sum(range(1000))

    work = Work(loop)
    assert started.wait(10)
    waiting, next_one = Work(loop), Work(lambda progress: {"done": True})
    waiting.stop()
    work.stop()
    assert work.wait(10)
    assert work.outcome == {"stopped": True}
    assert next_one.wait(10)
    assert next_one.outcome["answer"] == {"done": True}


def test__answer__that_takes_time__says_how_far_it_is__and_ends_when_nobody_listens(asker, monkeypatch):
    ended = threading.Event()

    def slow(settings, progress):
        try:
            progress.start("counting", 1000)
            for _ in range(1000):
                time.sleep(0.02)
                progress.advance()
        finally:
            ended.set()
        return {}

    monkeypatch.setitem(serving.VIEWS, "boolean", View("Slow", serving.VIEWS["boolean"].settings, slow))
    connection = http.client.HTTPConnection("127.0.0.1", asker.port, timeout=60)
    connection.request("POST", "/api/boolean", b"", {"X-Polythetic-Token": asker.token})
    response = connection.getresponse()
    assert b'"doing":"counting"' in response.readline()
    response.close()
    connection.close()
    assert ended.wait(5)
