import hashlib
import logging

import pytest

from polythetic.datasets.storage.fetching import FetchError, Source, fetch
from polythetic.errors import DataError, InputError
from polythetic.progress import Silent
from tests.serving import PAGE, Answer

BODY = bytes(range(256)) * 1000  # more than one chunk
NOBODY = "http://127.0.0.1:9/a.gz"  # the port of discard: nobody listens


def md5(body=BODY):
    return f"md5:{hashlib.md5(body).hexdigest()}"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cache" / "set"


def get(folder, *urls, known=None, **options):
    fetch([Source("a.gz", urls, known or md5())], folder, what="A set", **{"pause": 0.01, **options})


def refused(folder, *urls, **options) -> str:
    """Fetch in vain, see that the folder is as it was, and return the message."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()} if folder.exists() else {}
    with pytest.raises(FetchError) as error:
        get(folder, *urls, **options)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    said = str(error.value)
    assert said.startswith("A set: a.gz could not be fetched (")
    assert all(url in said for url in urls)
    assert f"put it in {folder}, or point POLYTHETIC_DATA at a folder with set/a.gz in it" in said
    return said


@pytest.mark.parametrize(
    "known", [md5(), md5().upper().replace("MD5", "md5"), f"sha256:{hashlib.sha256(BODY).hexdigest()}"]
)
def test__fetch__good_file__is_in_the_folder_alone(folder, server, known):
    get(folder, server.give("a.gz", Answer(BODY)), known=known)

    assert [path.name for path in folder.iterdir()] == ["a.gz"]
    assert (folder / "a.gz").read_bytes() == BODY


def test__fetch__file_there_and_right__is_kept(folder, server):
    folder.mkdir(parents=True)
    (folder / "a.gz").write_bytes(BODY)

    get(folder, server.give("a.gz", Answer(BODY)))

    assert not server.asked


def test__fetch__file_there_but_wrong__is_replaced(folder, server):
    folder.mkdir(parents=True)
    (folder / "a.gz").write_bytes(b"half")

    get(folder, server.give("a.gz", Answer(BODY)))

    assert (folder / "a.gz").read_bytes() == BODY


def test__fetch__file_there_but_wrong_and_none_to_be_had__is_as_it_was(folder, server):
    folder.mkdir(parents=True)
    (folder / "a.gz").write_bytes(b"half")

    refused(folder, server.give("a.gz", Answer(BODY[:-1])))


def test__fetch__not_found__is_asked_once(folder, server):
    said = refused(folder, server.address("a.gz"))

    assert "a.gz: HTTP 404" in said
    assert server.asked["a.gz"] == 1


def test__fetch__web_page__says_so_and_is_asked_once(folder, server):
    said = refused(folder, server.give("a.gz", Answer(PAGE)))

    assert "answered with a web page instead of the file" in said
    assert server.asked["a.gz"] == 1


def test__fetch__cut_short__says_how_far_it_came(folder, server):
    said = refused(folder, server.give("a.gz", Answer(BODY[:1234], announced=9_912_422)), attempts=2)

    assert "stopped after 1,234 of 9,912,422 bytes" in said
    assert server.asked["a.gz"] == 2


def test__fetch__nothing_after_the_header__says_how_far_it_came(folder, server):
    assert "stopped after 0 of 500 bytes" in refused(folder, server.give("a.gz", Answer(announced=500)))


def test__fetch__wrong_content__names_both_checksums(folder, server):
    said = refused(folder, server.give("a.gz", Answer(BODY + b"!")))

    assert f"checksum md5 {hashlib.md5(BODY + b'!').hexdigest()}, expected {md5()[4:]}" in said
    assert server.asked["a.gz"] == 1


def test__fetch__busy_twice__comes_at_the_third_attempt(folder, server):
    get(folder, server.give("a.gz", Answer(status=503), Answer(status=503), Answer(BODY)))

    assert (folder / "a.gz").read_bytes() == BODY
    assert server.asked["a.gz"] == 3


def test__fetch__busy_for_ever__is_asked_as_often_as_told(folder, server):
    assert "HTTP 503" in refused(folder, server.give("a.gz", Answer(status=503)), attempts=4)
    assert server.asked["a.gz"] == 4


def test__fetch__pauses__grow(folder, server, monkeypatch):
    slept = []
    monkeypatch.setattr("polythetic.datasets.storage.fetching.time.sleep", slept.append)

    refused(folder, server.give("a.gz", Answer(status=503)), attempts=4, pause=0.5)

    assert slept == [0.5, 1.0, 2.0]


def test__fetch__nobody_listens__is_asked_once_and_said(folder, monkeypatch):
    monkeypatch.setattr("polythetic.datasets.storage.fetching.time.sleep", lambda seconds: pytest.fail("waited"))

    assert f"({NOBODY}: no connection: Failed to establish a new connection: " in refused(folder, NOBODY)


def test__fetch__no_such_host__is_said(folder):
    said = refused(folder, "http://no-such-host.invalid/a.gz", attempts=1)

    assert "no connection: " in said
    assert "object at 0x" not in said


def test__fetch__silent_server__is_not_waited_for_for_ever(folder, server):
    address = server.give("a.gz", Answer(BODY, silent_after=100_000))

    assert "stopped after " in refused(folder, address, timeout=0.3, attempts=1)


@pytest.mark.parametrize(
    "bad",
    [Answer(status=404), Answer(status=503), Answer(PAGE), Answer(BODY[:99], announced=len(BODY)), Answer(b"other")],
    ids=["404", "503", "page", "cut short", "other"],
)
def test__fetch__first_mirror_fails__comes_from_the_second(folder, server, bad):
    get(folder, server.give("bad/a.gz", bad), server.give("good/a.gz", Answer(BODY)))

    assert (folder / "a.gz").read_bytes() == BODY


def test__fetch__all_mirrors_fail__names_each_with_its_fault(folder, server):
    said = refused(folder, server.give("one/a.gz", Answer(PAGE)), server.address("two/a.gz"), NOBODY)

    assert "one/a.gz: answered with a web page instead of the file; " in said
    assert "two/a.gz: HTTP 404; " in said
    assert f"{NOBODY}: no connection: " in said


def test__fetch__host_out_of_reach__is_not_tried_for_each_file(folder, server, monkeypatch):
    from polythetic.datasets.storage import fetching

    tried = []
    monkeypatch.setattr(
        fetching, "download", lambda url, *rest, real=fetching.download: tried.append(url) or real(url, *rest)
    )
    sources = [Source(file, (NOBODY, server.give(file, Answer(BODY))), md5()) for file in ("a", "b", "c")]

    fetch(sources, folder, what="A set", pause=0.01)

    assert tried.count(NOBODY) == 1
    assert {path.name for path in folder.iterdir()} == {"a", "b", "c"}


def test__fetch__progress__is_told_every_byte(folder, server):
    class Told(Silent):
        jobs, steps = [], 0

        def start(self, what, total):
            self.jobs.append((what, total))

        def advance(self, steps=1):
            self.steps += steps

    told = Told()
    get(folder, server.give("a.gz", Answer(BODY)), progress=told)

    assert told.jobs == [("A set: a.gz", len(BODY))]
    assert told.steps == len(BODY)


def test__fetch__server__is_asked_not_to_compress(folder, server):
    get(folder, server.give("a.gz", Answer(BODY)))

    assert server.headers[0]["Accept-Encoding"] == "identity"


def test__fetch__all_well_or_not__says_nothing_of_itself(folder, server, capfd, caplog):
    with caplog.at_level(logging.INFO):
        get(folder, server.give("a.gz", Answer(status=503), Answer(BODY)))
        (folder / "a.gz").unlink()
        refused(folder, server.give("page/a.gz", Answer(PAGE)))

    assert capfd.readouterr() == ("", "")
    assert not caplog.records


def test__source__unknown_hash__is_refused():
    with pytest.raises(InputError, match="hash = 'abc': expected 'md5:' or 'sha256:'"):
        Source("a.gz", (), "abc")


def test__fetch__no_attempts__is_refused(folder):
    with pytest.raises(InputError, match="attempts = 0"):
        get(folder, NOBODY, attempts=0)


def test__fetch__folder_is_a_file__is_an_error_that_names_it(folder, server):
    folder.parent.mkdir(parents=True)
    folder.write_bytes(b"")

    with pytest.raises(DataError, match=r"a\.gz.*cannot be"):
        get(folder, server.give("a.gz", Answer(BODY)))
