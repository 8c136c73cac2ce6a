"""Checkpoints: all that a run needs to go on, as safetensors with JSON beside, written whole or not at all."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load, save
from torch import Tensor

from polythetic.errors import PolytheticError
from polythetic.files import write_atomically

KEPT = 2  # the last, and the one before in case the last is damaged


class CheckpointError(PolytheticError):
    """A checkpoint cannot be written or read; the message names it and says what to do."""


@dataclass(frozen=True)
class Checkpoint:
    """A run after some steps: its tensors, and what else it must know."""

    step: int
    tensors: Mapping[str, Tensor]
    facts: Mapping[str, Any]

    def part(self, name: str) -> dict[str, Tensor]:
        """Return the tensors of a part, ``"weights"`` for example, by their names within it."""
        return {key.removeprefix(f"{name}/"): t for key, t in self.tensors.items() if key.startswith(f"{name}/")}


def write_checkpoint(folder: Path, checkpoint: Checkpoint) -> None:
    """Write a checkpoint, then drop all but the last two.

    The tensors are written first; the JSON file with their checksum makes them count.
    """
    tensors = save({name: tensor.detach().contiguous() for name, tensor in checkpoint.tensors.items()})
    facts = {
        "step": checkpoint.step,
        "sha256": hashlib.sha256(tensors).hexdigest(),
        **checkpoint.facts,
    }
    path = _path(folder, checkpoint.step)
    try:
        write_atomically(path, tensors)
        write_atomically(path.with_suffix(".json"), (json.dumps(facts, indent=1) + "\n").encode())
    except OSError as error:
        raise CheckpointError(
            f"{path}: cannot be written ({error.strerror or error}): make room and run the same command again; "
            "it goes on from the checkpoint before"
        ) from error
    for old in _paths(folder)[:-KEPT]:
        old.with_suffix(".json").unlink(missing_ok=True)
        old.unlink(missing_ok=True)


def last_checkpoint(folder: Path, say: Any = lambda line: None) -> Checkpoint | None:
    """Return the last whole checkpoint of a folder, saying which damaged ones were passed over; None if it has none.

    Raises:
        CheckpointError: there are checkpoints, but all are damaged.
    """
    paths = _paths(folder)
    for path in reversed(paths):
        try:
            return read_checkpoint(path)
        except CheckpointError as error:
            say(f"{error}; the one before is used")
    if paths:
        raise CheckpointError(f"{folder}: every checkpoint in it is damaged: remove the folder to begin anew")
    return None


def steps_saved(folder: Path) -> int:
    """Return how many steps the run in a folder has behind it for certain, from the names of its files alone."""
    return max((int(path.stem.removeprefix("checkpoint-")) for path in _paths(folder)), default=0)


def read_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint; nothing in it is executed."""
    try:
        content = path.read_bytes()
        facts = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
        if facts.pop("sha256") != hashlib.sha256(content).hexdigest():
            raise ValueError("its checksum is wrong")
        return Checkpoint(int(facts.pop("step")), load(content), facts)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, SafetensorError) as error:
        raise CheckpointError(f"{path}: damaged ({error})") from error


def _path(folder: Path, step: int) -> Path:
    return folder / f"checkpoint-{step:08}.safetensors"


def _paths(folder: Path) -> list[Path]:
    """The checkpoints of a folder, oldest first; tensors without their JSON were never finished."""
    return [path for path in sorted(folder.glob("checkpoint-*.safetensors")) if path.with_suffix(".json").exists()]
