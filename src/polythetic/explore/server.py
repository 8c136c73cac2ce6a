"""The server: on loopback, pages and files from a fixed table, and one question at a time, answered as it is asked.

An answer is lines of JSON: perhaps some of how far it is, then ``{"answer", "notes"}`` or ``{"error"}``. Who closes the
connection has stopped the work.
"""

from __future__ import annotations

import gc
import json
import select
import socket
import sys
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from secrets import token_urlsafe
from threading import Event, Thread
from typing import Any
from urllib.parse import urlsplit

from polythetic._version import __version__
from polythetic.errors import PolytheticError
from polythetic.explore.addresses import LONGEST
from polythetic.explore.guard import HEADERS, Guard
from polythetic.explore.pages import FILES, file, missing, page, told
from polythetic.explore.views import VIEWS
from polythetic.explore.working import Work

LOOPBACK = "127.0.0.1"
HTML = "text/html; charset=utf-8"
QUICK = 0.25  # seconds within which an answer needs no word on how far it is
UNSEEN = 2.0  # seconds within which a browser may open the first page
PATIENCE = 30  # seconds for a request to arrive
LINE, MOST_LINES = 2**16, 64  # bytes of a request that are read to be passed over


class Server(ThreadingHTTPServer):
    """The explorer.

    >>> with Server() as server:
    ...     server.server_address[0], server.address.startswith("http://127.0.0.1:")
    ('127.0.0.1', True)
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int = 0):
        super().__init__((LOOPBACK, port), Handler)
        self.guard = Guard(self.server_address[1], token_urlsafe(16))
        self.seen = Event()  # a page has all that it needs to be painted

    @property
    def address(self) -> str:
        """Where the first page is."""
        return f"http://{LOOPBACK}:{self.guard.port}/"

    def warm_up(self) -> Thread:
        """Import what takes seconds: once the first page can be painted, or if none is asked for at once."""
        thread = Thread(target=_import_what_is_slow, args=(self.seen,), daemon=True)
        thread.start()
        return thread

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing of a browser that has gone, or is silent; it may be at any time."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


def _import_what_is_slow(seen: Event) -> None:
    seen.wait(UNSEEN)
    import polythetic.classifiers
    import polythetic.theory  # noqa: F401

    gc.freeze()  # all this stays: to look for garbage in it again and again took 0.1 s each time


def _json(values: Mapping[str, Any]) -> bytes:
    line = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    return line.encode(errors="backslashreplace") + b"\n"


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Server
    server_version = f"polythetic/{__version__}"
    sys_version = ""
    timeout = PATIENCE
    disable_nagle_algorithm = True  # the end of an answer waits for nothing

    def do_GET(self) -> None:
        """Give a page, or one of the files that pages are made of."""
        path = urlsplit(self.path).path
        if (why := self._refused(asks=False)) is not None:
            self._say(403, why)
        elif path == "/":
            self._redirect("/boolean")
        elif path.removeprefix("/") in VIEWS:
            self._give(page(path.removeprefix("/"), self.server.guard.token), HTML)
        elif path.removeprefix("/") in FILES:
            self._give(*file(path.removeprefix("/")))
            self.server.seen.set()
        elif "text/html" in self.headers.get("Accept", ""):
            self._give(missing(path), HTML, 404)
        else:
            self._say(404, f"{path}: there is no such page; there are {', '.join(f'/{name}' for name in VIEWS)}")

    def do_HEAD(self) -> None:
        """Say what a page would be given with."""
        self.do_GET()

    def do_POST(self) -> None:
        """Answer a question."""
        self.close_connection = True
        split = urlsplit(self.path)
        view = VIEWS.get(split.path.removeprefix("/api/")) if split.path.startswith("/api/") else None
        if (why := self._refused(asks=True)) is not None:
            return self._say(403, why)
        if view is None:
            return self._say(404, f"{split.path}: nothing to ask there")
        try:
            size = int(self.headers.get("Content-Length", ""))
        except ValueError:
            return self._say(411, "Content-Length: expected a number")
        if not 0 <= size <= view.most:  # before a byte of it is read
            return self._say(413, f"{size / 2**20:,.0f} MB: expected at most {view.most / 2**20:.0f} MB on this page")
        body = self.rfile.read(size)
        if len(body) < size:
            return None  # the browser has gone
        try:
            work = view.ask(split.query, body)
        except PolytheticError as error:
            return self._say(400, str(error))
        return self._answer(work)

    def _refused(self, *, asks: bool) -> str | None:
        return self.server.guard.refuses(dict(self.headers.items()), asks=asks)

    def _answer(self, wanted: Callable[[Work], Mapping[str, Any]]) -> None:
        """Do the work, and say how far it is while it takes time; stop it if nobody listens any longer."""
        work = Work(wanted)
        quick = work.wait(QUICK)
        self._begin(400 if quick and work.is_error else 200, "application/x-ndjson; charset=utf-8")
        try:
            while not work.wait(0 if quick else QUICK):
                self._ensure_heard()
                self._line({"doing": work.what, "done": work.done, "total": work.total})
            self._line(work.outcome)
        except OSError:
            work.stop()

    def _ensure_heard(self) -> None:
        readable, _, _ = select.select([self.connection], [], [], 0)
        if readable and not self.connection.recv(1, socket.MSG_PEEK):
            raise ConnectionAbortedError

    def _line(self, values: Mapping[str, Any]) -> None:
        self.wfile.write(_json(values))

    def _begin(self, status: int, kind: str, **more: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Type": kind, **HEADERS, **more}.items():
            self.send_header(name, value)
        self.end_headers()

    def _give(self, content: bytes, kind: str, status: int = 200) -> None:
        self._begin(status, kind, **{"Content-Length": str(len(content))})
        if self.command != "HEAD":
            self.wfile.write(content)

    def _say(self, status: int, error: str) -> None:
        self._give(_json({"error": error}), "application/json", status)

    def _redirect(self, path: str) -> None:
        self._begin(302, "text/plain", Location=path, **{"Content-Length": "0"})

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is no request that is answered here, in the words of the pages."""
        if code == HTTPStatus.REQUEST_URI_TOO_LONG:
            self._skip_rest()
            why = f"The address is too long: expected at most {LONGEST:,} characters after the question mark."
        elif code == HTTPStatus.NOT_IMPLEMENTED:
            why = f"{self.command}: expected GET for pages, and POST for the questions that they ask."
        else:
            why = f"{message or HTTPStatus(code).phrase}: expected a request as browsers send them."
        self.close_connection = True
        headers = getattr(self, "headers", None)  # there are none yet if the first line went wrong
        if headers is None or "text/html" in headers.get("Accept", ""):
            self._give(told("Not understood", why), HTML, code)
        else:
            self._say(code, why)

    def _skip_rest(self) -> None:
        """Read on to the end of the request, within bounds: a browser hears no answer while it is still sending."""
        for _ in range(MOST_LINES):
            if self.rfile.readline(LINE) in (b"\r\n", b"\n", b""):
                return

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing: addresses hold what people look at."""
