"""A real HTTP server on loopback that answers as it is told: well, badly, or only half."""

import threading
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PAGE = b"<!DOCTYPE html>\n<html><body>Please log in to the network.</body></html>"


@dataclass
class Answer:
    body: bytes = b""
    status: int = 200
    announced: int | None = None  # bytes that the header promises; those of the body unless given
    silent_after: int | None = None  # bytes sent before the server stops, until it is told to go on


@dataclass
class Server:
    """`answers[path]` are given in turn, the last one for ever; `asked` counts requests."""

    port: int = 0
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    asked: Counter = field(default_factory=Counter)
    headers: list[dict] = field(default_factory=list)
    stopped: threading.Event = field(default_factory=threading.Event)
    go_on: threading.Event = field(default_factory=threading.Event)

    def give(self, path: str, *answers: Answer) -> str:
        """Say what to answer, and return the address."""
        self.answers[path] = list(answers)
        return self.address(path)

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    def answer(self, path: str) -> Answer:
        answers = self.answers.get(path, [Answer(status=404)])
        return answers[min(self.asked[path], len(answers)) - 1]


@contextmanager
def serving():
    server = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            path = self.path.removeprefix("/")
            server.asked[path] += 1
            server.headers.append(dict(self.headers))
            answer = server.answer(path)
            self.send_response(answer.status)
            announced = len(answer.body) if answer.announced is None else answer.announced
            self.send_header("Content-Length", str(announced))
            self.end_headers()
            first = len(answer.body) if answer.silent_after is None else answer.silent_after
            try:
                self.wfile.write(answer.body[:first])
                if answer.silent_after is not None:
                    server.stopped.set()
                    server.go_on.wait(30)
                    self.wfile.write(answer.body[first:])
            except OSError:
                pass  # who asked has gone

        def log_message(self, *arguments):
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server.port = http.server_address[1]
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.go_on.set()
        http.shutdown()
        http.server_close()
        thread.join()
