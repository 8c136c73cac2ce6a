"""The explorer's server, running, and questions put to it as a browser would."""

import http.client
import json
import threading
from contextlib import contextmanager

from polythetic.explore.server import Server


class Asker:
    """Asks a server; `token` and `Host` are right unless given."""

    def __init__(self, server):
        self.server, self.port, self.token = server, server.guard.port, server.guard.token

    def request(self, method, path, body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, body, headers={"Host": f"127.0.0.1:{self.port}"} | headers)
        response = connection.getresponse()
        status, content = response.status, response.read()
        connection.close()
        return status, content.decode(), response.headers

    def ask(self, view, query="", body=b"", **headers):
        """Return the status, and the last line of the answer."""
        own = {"X-Polythetic-Token": self.token} | headers
        status, text, _ = self.request("POST", f"/api/{view}?{query}", body, **own)
        return status, json.loads(text.splitlines()[-1])


@contextmanager
def exploring():
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
        thread.start()
        try:
            yield Asker(server)
        finally:
            server.shutdown()
            thread.join()
