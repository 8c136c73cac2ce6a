"""Folders and zip archives by one interface: the files in them, by name, read one at a time."""

from __future__ import annotations

import io
import os
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from polythetic.datasets.storage.archives import open_zip, read_member
from polythetic.errors import DataError, MissingDataError

HIDDEN = re.compile(r"(^|/)(\.|__MACOSX(/|$))")  # the latter is what a Mac adds to the archives it makes
DEPTH = 8  # folders in folders; deeper is a link that leads back to where it came from


@runtime_checkable
class Container(Protocol):
    """Files by name, such as ``cats/tabby/1.jpg``."""

    @property
    def path(self) -> Path:
        """The folder or the archive."""
        ...

    def names(self) -> list[str]:
        """Return the names of all files but hidden ones, with ``/`` between folders."""
        ...

    def read(self, name: str) -> bytes:
        """Return a file's content."""
        ...

    def open(self, name: str) -> io.BufferedIOBase:
        """Open a file of which not all may be needed."""
        ...


def container(path: Path | str) -> Container:
    """Return a folder or a zip archive as a container.

    >>> container("no/such/folder")
    Traceback (most recent call last):
    ...
    polythetic.errors.MissingDataError: no/such/folder: there is no such folder or zip archive: check the path
    """
    path = Path(path).expanduser()
    try:
        if path.is_dir():
            return Folder(path)
        if path.exists():
            return Zip(path)
    except OSError as error:
        raise _unreadable(path, error) from error
    raise MissingDataError(f"{path}: there is no such folder or zip archive: check the path")


@dataclass(frozen=True)
class Folder:
    """A folder of files in folders."""

    path: Path

    def names(self) -> list[str]:
        """Return the names of all files but hidden ones; links to folders are followed."""
        return list(_below(self.path, "", DEPTH))

    def read(self, name: str) -> bytes:
        """Return a file's content."""
        with self.open(name) as file:
            return file.read()

    def open(self, name: str) -> io.BufferedIOBase:
        """Open a file."""
        try:
            return (self.path / name).open("rb")
        except OSError as error:
            raise _unreadable(self.path / name, error) from error


@dataclass(eq=False)
class Zip:
    """A zip archive, opened anew in every process: one that is forked would share the place in the file with others."""

    path: Path
    _archive: zipfile.ZipFile | None = field(default=None, repr=False)
    _process: int = 0

    def names(self) -> list[str]:
        """Return the names of all members but hidden ones, each once."""
        names = dict.fromkeys(member.filename for member in self._opened().infolist() if not member.is_dir())
        return [name for name in names if not HIDDEN.search(name)]

    def read(self, name: str) -> bytes:
        """Return a member's content."""
        return read_member(self._opened(), name)

    def open(self, name: str) -> io.BufferedIOBase:
        """Return a member's content as a file; members are small, so it is read whole."""
        return io.BytesIO(self.read(name))

    def _opened(self) -> zipfile.ZipFile:
        if self._archive is None or self._process != os.getpid():
            self._archive, self._process = open_zip(self.path), os.getpid()
        return self._archive

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "_archive": None, "_process": 0}


def _below(folder: Path, prefix: str, depth: int) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            found = [(entry.name, entry.is_dir()) for entry in entries if not HIDDEN.search(entry.name)]
    except OSError as error:
        raise _unreadable(folder, error) from error
    for name, is_folder in found:
        if not is_folder:
            yield prefix + name
        elif depth:
            yield from _below(folder / name, f"{prefix}{name}/", depth - 1)


def _unreadable(path: Path, error: OSError) -> DataError:
    return DataError(f"{path}: cannot be read ({error.strerror or error}): give this user the right to read it")
