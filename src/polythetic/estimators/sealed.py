"""Sealed files: numbers and facts as one safetensors file with a JSON header and a checksum; nothing is executed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polythetic.errors import DataError
from polythetic.files import write_atomically

FORMAT = 1
KEY = "polythetic"

Facts = dict[str, Any]
Tensors = dict[str, NDArray[Any]]


def seal(path: Path, facts: Facts, tensors: Tensors) -> None:
    """Write a file whole, or not at all."""
    from safetensors.numpy import save

    tensors = {name: np.ascontiguousarray(tensor) for name, tensor in tensors.items()}
    facts = {"format": FORMAT, **facts}
    facts["sha256"] = _digest(facts, tensors)
    write_atomically(path, save(tensors, metadata={KEY: json.dumps(facts)}))


def unseal(path: Path, what: str) -> tuple[Facts, Tensors]:
    """Read a file, and refuse one that is not as it was written; ``what`` it should be is said in the refusal."""
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise DataError(f"{path}: no such file; give the path that a {what} was saved to")
    try:
        with safe_open(path, framework="numpy") as file:
            facts = json.loads((file.metadata() or {})[KEY])
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
        if facts["format"] != FORMAT:
            raise DataError(
                f"{path}: written in format {facts['format']}, this version reads {FORMAT}; update polythetic"
            )
        whole = facts.pop("sha256") == _digest(facts, tensors)
    except (SafetensorError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"{path}: not a saved {what}, or cut short ({error}); save it again") from error
    if not whole:
        raise DataError(f"{path}: changed since it was saved (its checksum differs); save it again")
    return facts, tensors


def _digest(facts: Facts, tensors: Tensors) -> str:
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode())
    for name in sorted(tensors):
        tensor = np.ascontiguousarray(tensors[name])
        digest.update(f"{name} {tensor.dtype.str} {tensor.shape}".encode() + tensor.tobytes())
    return digest.hexdigest()
