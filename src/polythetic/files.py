"""Files written whole or not at all."""

from __future__ import annotations

import errno
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

ABANDONED = 3600.0  # seconds: what nobody has written to for so long was left by a process that was killed


def write_atomically(path: Path, content: bytes) -> None:
    """Write a file so that whoever looks sees the old one or the new one, whole, whatever happens meanwhile."""
    with replacing(path) as file:
        file.write(content)


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file to write that takes the place of ``path`` when the block ends, and vanishes if it fails."""
    if path.exists() and not path.is_file():  # a device, say: replacing it would remove it
        raise OSError(errno.EINVAL, "not a regular file, so it is not replaced", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def sweep(path: Path) -> None:
    """Remove what killed processes left of writing ``path``; what someone may be writing is left alone."""
    for left in path.parent.glob(f".{path.name}.*"):
        try:
            if time.time() - left.stat().st_mtime > ABANDONED:
                left.unlink()
        except OSError:
            continue  # another process was quicker, or it is not ours to remove
