"""Who may ask: pages of this server, in a browser on this machine, and nobody else."""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from typing import NamedTuple

TOKEN = "X-Polythetic-Token"  # a header that pages of other sites cannot send

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


class Guard(NamedTuple):
    """What is known of a server, and must be of a request."""

    port: int
    token: str

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names that a browser may know the server by; with any other, some site has its name point here."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def refuses(self, headers: Mapping[str, str], *, asks: bool) -> str | None:
        """Return why a request is refused, or None; ``asks``: it asks for work, and does not only open a page.

        >>> guard = Guard(8000, "secret")
        >>> guard.refuses({"Host": "127.0.0.1:8000"}, asks=False)
        >>> guard.refuses({"Host": "example.org"}, asks=False)
        'Host = example.org: expected 127.0.0.1:8000 or localhost:8000'
        """
        host, origin = headers.get("Host", ""), headers.get("Origin")
        if host not in self.hosts:
            return f"Host = {host}: expected {' or '.join(self.hosts)}"
        if origin is not None and origin != f"http://{host}":
            return f"Origin = {origin}: expected a page of this server"
        site, mode = headers.get("Sec-Fetch-Site", "none"), headers.get("Sec-Fetch-Mode", "navigate")
        if site not in ("same-origin", "none") and (asks or mode != "navigate"):
            return f"Sec-Fetch-Site = {site}: expected a page of this server"
        if asks and not hmac.compare_digest(headers.get(TOKEN, "").encode(), self.token.encode()):
            return f"{TOKEN}: expected the one that pages of this server have; load the page again"
        return None
