"""One download, through pooch: verified while it comes in, and what went wrong in a few words."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from polythetic.datasets.storage.web_page import ENOUGH, is_web_page
from polythetic.files import replacing
from polythetic.progress import Progress

CHUNK = 2**16

# The server may be busy, or slow: ask again. Every other refusal stands.
PASSING = (408, 425, 429)


class DownloadError(Exception):
    """A download that failed.

    Attributes:
        final: asking the same server again would not help.
        unreachable: nor would asking it for something else.
    """

    def __init__(self, reason: str, *, final: bool = False, unreachable: bool = False):
        super().__init__(reason)
        self.final = final
        self.unreachable = unreachable


def download(url: str, target: Path, known: str, progress: Progress, what: str, timeout: float) -> None:
    """Download a file and, if its hash is the one known, give it its name; otherwise leave nothing.

    Raises:
        DownloadError: it could not be had.
        OSError: it could not be written.
    """
    # Imported when needed, with all of requests: most of the library's users never download.
    from pooch import HTTPDownloader
    from requests.exceptions import RequestException

    # Compressed in transit, the length announced would not be the file's. The downloader logs nothing.
    downloader = HTTPDownloader(
        progressbar=(length := _Length(progress, what)),
        chunk_size=CHUNK,
        timeout=(min(timeout, 10.0), timeout),
        headers={"Accept-Encoding": "identity"},
    )
    with replacing(target) as file:
        incoming = _Incoming(file, known, progress)
        try:
            downloader(url, incoming, None)
        except RequestException as error:
            raise _explained(error, incoming.count, length.total) from error
        incoming.judge(length.total)


class _Length:
    """What pooch takes for a progress bar; it is told the length that the server announces, 0 if it does not."""

    def __init__(self, progress: Progress, what: str):
        self._progress = progress
        self._what = what
        self._total = 0

    @property
    def total(self) -> int:
        return self._total

    @total.setter
    def total(self, value: int) -> None:
        self._total = value
        self._progress.start(self._what, value)

    def update(self, steps: int) -> None:
        """Do nothing: bytes are counted where they are written."""

    def reset(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


@runtime_checkable
class _Writable(Protocol):
    def write(self, chunk: bytes, /) -> int: ...


class _Incoming:
    """A file that is counted and hashed as it is written."""

    def __init__(self, file: _Writable, known: str, progress: Progress):
        self._file = file
        self._algorithm, _, self._known = known.partition(":")
        self._hash = hashlib.new(self._algorithm, usedforsecurity=False)
        self._progress = progress
        self._start = b""
        self.count = 0

    def write(self, chunk: bytes) -> None:
        self._file.write(chunk)
        self._hash.update(chunk)
        if len(self._start) < ENOUGH:
            self._start += chunk[:ENOUGH]
        self.count += len(chunk)
        self._progress.advance(len(chunk))

    def flush(self) -> None:
        """Do nothing: the file flushes itself when its buffer is full, and at the end."""

    def judge(self, announced: int) -> None:
        found = self._hash.hexdigest()
        if found == self._known.lower():
            return
        if is_web_page(self._start):
            raise DownloadError("answered with a web page instead of the file", final=True)
        if self.count < announced:
            raise _stopped(self.count, announced)
        # What came is what the server sent, if it said how much: it would send it again.
        wrong = f"checksum {self._algorithm} {found}, expected {self._known}"
        raise DownloadError(wrong, final=announced > 0)


def _stopped(count: int, announced: int) -> DownloadError:
    return DownloadError(f"stopped after {count:,} of {announced:,} bytes")


def _explained(error: Any, count: int, announced: int) -> DownloadError:
    """Say in a few words what an exception of requests means."""
    from requests import exceptions

    response = getattr(error, "response", None)
    if isinstance(error, exceptions.HTTPError) and response is not None:
        status = response.status_code
        return DownloadError(f"HTTP {status}", final=status < 500 and status not in PASSING)
    if announced:
        return _stopped(_received(error, count), announced)
    if isinstance(error, exceptions.ReadTimeout):
        return DownloadError("the server fell silent")
    cause = error.args[0] if error.args else error
    why = getattr(cause, "reason", None)  # urllib3's, when it could not even connect
    detail = re.sub(r"^(<[^>]*>|\w+\([^)]*\)): ", "", str(why or cause))
    if why is not None and isinstance(error, exceptions.ConnectionError):
        return DownloadError(f"no connection: {detail}", final=True, unreachable=True)
    return DownloadError(f"connection lost: {detail}")


def _received(error: BaseException | None, written: int) -> int:
    """Return how many bytes came: urllib3 says so where a last chunk was cut short, and so not written."""
    while error is not None:
        if isinstance(partial := getattr(error, "partial", None), int):
            return max(written, partial)
        error = error.__context__
    return written
