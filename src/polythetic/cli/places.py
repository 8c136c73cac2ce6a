"""Places to write to: looked at before the work, so that nobody waits for what cannot be kept."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryFile

from polythetic.errors import InputError


def ensure_folder(option: str, folder: Path) -> None:
    """See that files can be put into a folder, which need not be there yet.

    Raises:
        InputError: a file has that name, or nothing can be written there.
    """
    if folder.exists() and not folder.is_dir():
        raise InputError(option, folder, "a folder, and a file is there: give another name")
    _ensure_writable(option, folder, folder)


def ensure_file(option: str, file: Path) -> None:
    """See that a file can be written, or replaced.

    Raises:
        InputError: a folder or a device has that name, or nothing can be written there.
    """
    if file.exists() and not file.is_file():
        what = "a folder" if file.is_dir() else "something else"
        raise InputError(option, file, f"a file, and {what} is there: give another name")
    _ensure_writable(option, file, file.parent)


def _ensure_writable(option: str, wanted: Path, folder: Path) -> None:
    """Try the nearest folder that is there: permissions alone do not tell what a file system takes."""
    folder = folder.absolute()
    try:
        while not folder.exists():
            folder = folder.parent
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        why = f"{folder}: {error.strerror or error}"
        raise InputError(option, wanted, f"a place that can be written to ({why}): give another") from None
