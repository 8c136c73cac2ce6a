"""Downloads: from the first mirror that gives the right file, in place only when it is whole and verified."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from polythetic.arguments import whole_number
from polythetic.datasets.storage.downloading import DownloadError, download
from polythetic.datasets.storage.places import CACHE_VARIABLE, DATA_VARIABLE
from polythetic.errors import DataError, InputError, MissingDataError
from polythetic.files import sweep
from polythetic.progress import Progress, Silent


class FetchError(MissingDataError):
    """No mirror gave the file; the message says what was wrong with each."""


@dataclass(frozen=True)
class Source:
    """A file, where it can be had, and how it is known.

    Attributes:
        file: its name in the folder.
        urls: its mirrors, best first.
        hash: ``"md5:…"`` or ``"sha256:…"``.

    >>> Source("a.gz", ("https://example.org/a.gz",), "crc:0")
    Traceback (most recent call last):
    ...
    polythetic.errors.InputError: hash = 'crc:0': expected 'md5:' or 'sha256:' and the digits
    """

    file: str
    urls: tuple[str, ...]
    hash: str

    def __post_init__(self) -> None:
        if self.hash.partition(":")[0] not in ("md5", "sha256"):
            raise InputError("hash", repr(self.hash), "'md5:' or 'sha256:' and the digits")


def fetch(
    sources: Sequence[Source],
    folder: Path,
    *,
    progress: Progress | None = None,
    attempts: int = 3,
    what: str,
    pause: float = 1.0,
    timeout: float = 30.0,
) -> None:
    """Fetch files into a folder; those that are there and right are kept.

    Each mirror is tried in turn, as often as ``attempts`` says if there is hope: a server that cannot be reached, or
    that answers for certain that it has no such file, is asked once. Any number of processes may fetch the same files
    at once. A process that is killed leaves a hidden partial file at most, which a later fetch removes.

    Args:
        sources: the files.
        folder: where to put them; made if it is not there.
        progress: is told of bytes.
        attempts: how often each mirror is tried.
        what: the dataset's name, for people.
        pause: seconds before the second attempt; doubled before each that follows.
        timeout: seconds to wait for a connection, or for a server that has fallen silent.

    Raises:
        FetchError: a file cannot be had from any mirror.
        DataError: it cannot be written.
    """
    whole_number("attempts", attempts, least=1)
    fetcher = _Fetcher(progress or Silent(), attempts, what, pause, timeout)
    for source in sources:
        target = folder / source.file
        sweep(target)
        if not _is_right(target, source.hash):
            fetcher.fetch(source, target)


@dataclass
class _Fetcher:
    progress: Progress
    attempts: int
    what: str
    pause: float
    timeout: float
    unreachable: dict[str, str] = field(default_factory=dict)  # by host, so that none is waited for file after file

    def fetch(self, source: Source, target: Path) -> None:
        """Fetch one file from the first mirror that gives it."""
        wrong = []
        for url in source.urls:
            try:
                self._from_mirror(url, source, target)
                return
            except DownloadError as error:
                wrong.append(f"{url}: {error}")
            except OSError as error:
                raise DataError(
                    f"{self.what}: {target} cannot be written ({error.strerror or error}): make room there, or name "
                    f"another folder with {CACHE_VARIABLE}"
                ) from error
        raise FetchError(
            f"{self.what}: {source.file} could not be fetched ({'; '.join(wrong)}): get it by hand and put it in "
            f"{target.parent}, or point {DATA_VARIABLE} at a folder with {target.parent.name}/{source.file} in it"
        )

    def _from_mirror(self, url: str, source: Source, target: Path) -> None:
        host = urlsplit(url).netloc
        if host in self.unreachable:
            raise DownloadError(self.unreachable[host])
        for attempt in range(1, self.attempts + 1):
            try:
                return download(url, target, source.hash, self.progress, f"{self.what}: {source.file}", self.timeout)
            except DownloadError as error:
                if error.unreachable:
                    self.unreachable[host] = str(error)
                if error.final or attempt == self.attempts:
                    raise
            time.sleep(self.pause * 2 ** (attempt - 1))
        return None


def _is_right(path: Path, known: str) -> bool:
    algorithm, _, digits = known.partition(":")
    try:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, partial(hashlib.new, algorithm, usedforsecurity=False))
            return found.hexdigest() == digits.lower()
    except FileNotFoundError:
        return False
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error
