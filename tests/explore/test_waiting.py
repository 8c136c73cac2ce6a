"""Work that takes long: the page says how far it is, and lets one stop it."""

import time

from polythetic.explore import server as serving
from polythetic.explore.boolean_view import BooleanView
from polythetic.explore.views import View
from polythetic.explore.whole import Whole


def test__work__that_is_slow__can_be_stopped(asker, tab, monkeypatch):
    def slow(settings, progress):
        progress.start("counting", 100)
        progress.advance(42)
        while True:
            progress.advance(0)

    monkeypatch.setitem(serving.VIEWS, "boolean", View("Slow", BooleanView, slow))
    tab.visit(f"{asker.server.address}boolean")
    tab.wait_for("document.getElementById('doing')?.textContent.startsWith('counting')")
    assert tab.text("#doing") == "counting: 42 % …"
    assert tab.run("document.getElementById('stop').checkVisibility()")
    tab.run("document.getElementById('stop').focus()")
    tab.click("#stop")
    tab.wait_for("document.getElementById('problem').textContent === 'Stopped. Change a setting to begin again.'")
    assert tab.run("document.activeElement.id") == "main"
    assert not tab.run("document.getElementById('stop').checkVisibility()")
    assert tab.run("document.getElementById('doing').checkVisibility()")  # a live region is there before it speaks


def test__work__in_parts__says_how_far_all_is__and_how_long_it_takes_only_where_steps_are_seen(asker, tab, monkeypatch):
    def slow(settings, progress):
        whole = Whole(progress, {"learning": 50, "answering": 50})
        whole.start("learning", 1)
        time.sleep(0.3)
        whole.start("answering", 50)
        for _ in range(50):
            time.sleep(0.3)
            whole.advance()

    monkeypatch.setitem(serving.VIEWS, "boolean", View("Slow", BooleanView, slow))
    tab.visit(f"{asker.server.address}boolean")
    said = tab.wait_for(
        "/^answering; in all: (\\d+) %, about (\\d+) s more;/.exec(document.getElementById('doing')?.textContent)"
    )
    share, seconds = map(int, said[1:3])
    assert seconds > 0.2 * (100 - share)  # steps of 0.3 s; were those of learning counted as well, it would be less
    tab.click("#stop")
    tab.wait_for("document.getElementById('problem').textContent.startsWith('Stopped.')")


def test__work__that_stands_still__has_a_share_and_no_end(asker, tab, monkeypatch):
    def slow(settings, progress):
        whole = Whole(progress, {"refining scores": 55, "learning": 45})
        whole.start("learning", 1)
        while True:
            whole.advance(0)
            time.sleep(0.1)

    monkeypatch.setitem(serving.VIEWS, "boolean", View("Slow", BooleanView, slow))
    tab.visit(f"{asker.server.address}boolean")
    tab.wait_for("/^learning; in all: 55 %; \\d+ s so far$/.test(document.getElementById('doing')?.textContent)")
    tab.click("#stop")
    tab.wait_for("document.getElementById('problem').textContent.startsWith('Stopped.')")
