"""A private place for a moment: what can only be read from a file, or written to one, and must stay in memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

IN_MEMORY = Path("/dev/shm")  # Linux keeps it in memory; elsewhere the system's folder for temporary files has to do


@contextmanager
def private_folder() -> Iterator[Path]:
    """Make a folder that nobody else may look into, and remove it with all that is in it.

    >>> with private_folder() as folder:
    ...     folder.stat().st_mode & 0o077
    0
    >>> folder.exists()
    False
    """
    place = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else None
    with TemporaryDirectory(prefix="polythetic-", dir=place) as folder:
        yield Path(folder)
