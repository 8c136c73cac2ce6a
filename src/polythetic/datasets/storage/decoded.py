"""Arrays that are slow to decode, kept decoded in the cache."""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.storage.places import CACHE_VARIABLE, cache_folder
from polythetic.errors import CacheWarning, DataError
from polythetic.files import replacing, sweep


def remembered(name: str, key: str, make: Callable[[], NDArray[Any]]) -> NDArray[Any]:
    """Return the array that ``make`` makes, from the cache if it has it, mapped into memory and read-only.

    Processes on one machine share a mapped array's memory. Several may make the same one at once: each writes a
    file of its own, which takes its name when it is whole, so none sees half of one. A file whose header or length is
    wrong is made again; its content is not checked anew each time.

    Args:
        name: what it is, for people who look into the cache.
        key: what it was made from, such as a ``fingerprint``: another key, another file.
        make: decodes it.

    Warns:
        CacheWarning: the cache cannot be written; the array is returned all the same.

    >>> from unittest.mock import patch
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, patch.dict("os.environ", POLYTHETIC_CACHE=folder):
    ...     first = remembered("squares", "0", lambda: np.arange(4) ** 2)
    ...     print(remembered("squares", "0", lambda: 1 / 0))
    [0 1 4 9]
    """
    path = cache_folder() / "decoded" / f"{name}-{key[:16]}.npy"
    if (kept := mapped(path)) is not None:
        return kept
    array = make()
    sweep(path)
    if keep(path, array, f"{name} is decoded") and (kept := mapped(path)) is not None:
        return kept
    array = array.view()
    array.flags.writeable = False  # as it will be the next time, when it is mapped
    return array


def keep(path: Path, array: NDArray[Any], what_happens: str) -> bool:
    """Write an array into the cache; where that cannot be, warn of what happens again each time, and return False."""
    try:
        with replacing(path) as file:
            np.save(file, array, allow_pickle=False)
    except OSError as error:
        warnings.warn(
            f"{path.parent}: cannot be written ({error.strerror or error}), so {what_happens} again each time: "
            f"make room there, or name another folder with {CACHE_VARIABLE}",
            CacheWarning,
            stacklevel=3,
        )
        return False
    return True


def mapped(path: Path) -> NDArray[Any] | None:
    """Map an array of the cache into memory; None if it is not there or damaged, and has to be made again."""
    try:
        array = np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError, SyntaxError):  # missing, closed to us or damaged
        return None
    # A plain array over the mapping: slices of numpy.memmap stay memmaps, which is slow for small ones.
    return array.view(np.ndarray) if isinstance(array, np.memmap) else None


def fingerprint(path: Path) -> str:
    """Return the SHA-256 of a file's content, as hexadecimal digits.

    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile() as file:
    ...     fingerprint(Path(file.name))[:16]
    'e3b0c44298fc1c14'
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error
