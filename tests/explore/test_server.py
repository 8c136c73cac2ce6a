"""The server answers its own pages, and nobody else."""

import json
import re
import socket
import time

import pytest
from psutil import net_if_addrs

from polythetic.explore.guard import TOKEN
from polythetic.explore.pages import FILES
from polythetic.explore.server import Server
from polythetic.explore.views import VIEWS


def lives(asker):
    return asker.request("GET", "/boolean")[0] == 200


@pytest.mark.parametrize("path", [f"/{name}" for name in (*VIEWS, *FILES)])
def test__page__asked_for__is_given_with_a_policy(asker, path):
    status, text, headers = asker.request("GET", path)
    assert status == 200
    assert text
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"


def test__first_page__is_boolean(asker):
    status, _, headers = asker.request("GET", "/")
    assert (status, headers["Location"]) == (302, "/boolean")


def test__pages__have_the_token__and_their_files_have_not(asker):
    assert all(asker.token in asker.request("GET", f"/{name}")[1] for name in VIEWS)
    assert not any(asker.token in asker.request("GET", f"/{name}")[1] for name in FILES)


@pytest.mark.parametrize(
    "path",
    ["/../pyproject.toml", "/page/../../../etc/passwd", "/..%2f..%2fpyproject.toml", "//etc/passwd", "/page/", "/x.js"],
)
def test__path__outside_the_table__is_not_found(asker, path):
    status, text, _ = asker.request("GET", path)
    assert status == 404
    assert "root:" not in text


def test__path__unknown_to_a_browser__is_a_page_with_links(asker):
    status, text, headers = asker.request("GET", "/<b>nowhere", Accept="text/html,*/*")
    assert (status, headers["Content-Type"]) == (404, "text/html; charset=utf-8")
    assert "&lt;b&gt;nowhere" in text
    assert asker.token not in text
    assert all(f'href="/{name}"' in text for name in ("", *VIEWS))


@pytest.mark.parametrize("path", ["/boolean", "/style.css", "/nowhere", "/"])
def test__head__is_what_the_page_comes_with__without_the_page(asker, path):
    status, text, headers = asker.request("HEAD", path)
    expected, _, given = asker.request("GET", path)
    assert (status, text) == (expected, "")
    assert headers["Content-Length"] == given["Content-Length"]


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [
        ("OPTIONS", "/api/boolean", 501, "OPTIONS: expected GET for pages, and POST for the questions"),
        ("DELETE", "/boolean", 501, "DELETE: expected GET"),
        ("GET", f"/boolean?function={'x' * 70_000}", 414, "The address is too long: expected at most 16,000"),
    ],
)
def test__request__that_is_none_of_the_pages__is_refused_in_their_words(asker, method, path, status, said):
    answered, text, headers = asker.request(method, path, Accept="text/html,*/*")
    assert answered == status
    assert said in text
    assert "<nav" in text
    assert asker.token not in text
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    assert lives(asker)


def test__request__of_a_script__is_refused_in_json(asker):
    _, text, headers = asker.request("OPTIONS", "/boolean")
    assert headers["Content-Type"] == "application/json"
    assert "OPTIONS: expected GET" in json.loads(text)["error"]


def test__request__that_is_nonsense__is_refused_in_words(asker):
    with socket.create_connection(("127.0.0.1", asker.port), timeout=10) as connection:
        connection.sendall(b"<b>hello</b> there you all\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(4096), b""))
    assert b"expected a request as browsers send them" in answer
    assert b"<b>hello" not in answer


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "evil.example:80"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {TOKEN: "guessed"},
        {TOKEN: "žluť".encode().decode("latin-1")},
    ],
)
def test__question__of_another_site__is_refused(asker, headers):
    status, outcome = asker.ask("boolean", **headers)
    assert status == 403
    assert "expected" in outcome["error"]
    assert lives(asker)


def test__question__without_a_token__is_refused(asker):
    assert asker.request("POST", "/api/boolean", b"")[0] == 403


def test__page__of_another_host__is_refused(asker):
    """A name of theirs that points to this machine would give other sites the token."""
    assert asker.request("GET", "/boolean", Host=f"evil.example:{asker.port}")[0] == 403


def test__page__linked_from_another_site__opens__but_is_no_part_of_it(asker):
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert asker.request("GET", "/boolean?rows=8", **link)[0] == 200
    assert asker.request("GET", "/boolean.js", **link | {"Sec-Fetch-Mode": "no-cors"})[0] == 403


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("rows=many", "rows = 'many': expected a whole number"),
        ("rows=100000000", "rows = 100000000: expected a whole number from 2 to 256"),
        ("row=3", "expected 'rows', perhaps"),
        ("rows=3&rows=4", "'rows', twice"),
        ("rows", "name=value pairs"),
        ("function=%ff", "name=value pairs"),
        ("function=import%20os", "function = 'import os'"),
        ("function=00000000&bits=3", "not all the same"),
        ("function=and&bits=3", "alpha = 3"),
        ("temperature=nan", "temperature = nan"),
        ("temperature=-1", "temperature = -1"),
        ("round=99", "round = 99"),
        ("scorer=magic", "one of none, FS, R"),
        ("seed=" + "9" * 20_000, "at most 16,000"),
    ],
)
def test__address__malformed__is_explained(asker, query, said):
    status, outcome = asker.ask("boolean", query)
    assert status in (200, 400)  # 200 if it was slow to be found
    assert said in outcome["error"]


@pytest.mark.parametrize("view", ["boolean", "table"])
def test__upload__of_a_gigabyte__is_refused_before_it_is_read(asker, view):
    head = (
        f"POST /api/{view} HTTP/1.1\r\nHost: 127.0.0.1:{asker.port}\r\n{TOKEN}: {asker.token}\r\n"
        f"Content-Length: {2**30}\r\n\r\n"
    )
    start = time.monotonic()
    with socket.create_connection(("127.0.0.1", asker.port), timeout=10) as connection:
        connection.sendall(head.encode())
        answer = b""
        while part := connection.recv(4096):
            answer += part
    assert b" 413 " in answer.splitlines()[0]
    assert b"1,024 MB: expected at most" in answer
    assert time.monotonic() - start < 5
    assert lives(asker)


@pytest.mark.parametrize("length", ["", "many", "-1"])
def test__upload__of_no_known_size__is_refused(asker, length):
    status, _, _ = asker.request("POST", "/api/boolean", None, **{TOKEN: asker.token, "Content-Length": length})
    assert status in (411, 413)


def test__question__unknown__is_not_found(asker):
    assert asker.ask("magic")[0] == 404


def test__another_machine__cannot_connect():
    """It would come to an address of this machine that is no loopback: a connection there is refused."""
    found = [address.address for addresses in net_if_addrs().values() for address in addresses]
    with Server() as server:
        socket.create_connection(("127.0.0.1", server.guard.port), timeout=2).close()
        others = [address for address in found if re.fullmatch(r"(\d+\.){3}\d+", address) and address[:4] != "127."]
        for address in others:
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((address, server.guard.port), timeout=2)
    if not others:
        pytest.skip("this machine has no address but loopback: nobody could connect at all")


def test__servers__have_tokens_of_their_own():
    with Server() as one, Server() as other:
        assert one.guard.token != other.guard.token
