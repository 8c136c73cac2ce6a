"""What jobs have found, one file each: rows as JSON, tensors as safetensors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Protocol, runtime_checkable

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from polythetic.files import write_atomically
from polythetic.jobs.job import Job, Value


@runtime_checkable
class Keeping(Protocol):
    """Something that keeps what was found."""

    def get(self, job: Job) -> Value | None:
        """Return what a job found, if it is kept."""
        ...

    def put(self, job: Job, value: Value) -> None:
        """Keep it."""
        ...


def as_kept(value: Value) -> Value:
    """Return a value as it would be read back, so that it is the same the first time as ever after.

    >>> as_kept([{"active": (1, 2)}])
    [{'active': [1, 2]}]
    """
    if isinstance(value, dict):
        return {k: t.detach().cpu().clone(memory_format=torch.contiguous_format) for k, t in value.items()}
    return json.loads(json.dumps(value))


class Nothing:
    """Keeps nothing."""

    def get(self, job: Job) -> Value | None:
        """Return nothing."""
        return None

    def put(self, job: Job, value: Value) -> None:
        """Forget it."""


class Store:
    """Keeps each value in a file of its own, named by the job's key, written whole or not at all."""

    def __init__(self, folder: Path):
        self.folder = folder

    def get(self, job: Job) -> Value | None:
        """Return what a job found; a file that cannot be read counts as none."""
        rows, tensors = self._paths(job)
        try:
            if rows.exists():
                value = json.loads(rows.read_text(encoding="utf-8"))
                return value if isinstance(value, list) else None
            if tensors.exists():
                with safe_open(tensors, "pt") as file:
                    # The file has them in an order of its own.
                    return {name: file.get_tensor(name).clone() for name in json.loads(file.metadata()["order"])}
        except (OSError, ValueError, LookupError, TypeError, SafetensorError):
            pass
        return None

    def put(self, job: Job, value: Value) -> None:
        """Write it."""
        rows, tensors = self._paths(job)
        if isinstance(value, dict):
            write_atomically(tensors, save(value, {"order": json.dumps(list(value))}))
        else:
            write_atomically(rows, json.dumps(value, ensure_ascii=False).encode())

    def _paths(self, job: Job) -> tuple[Path, Path]:
        return self.folder / f"{job.key}.json", self.folder / f"{job.key}.safetensors"


class Overwriting(Store):
    """Does everything once more: knows only of what was put since it was made."""

    def __init__(self, folder: Path):
        super().__init__(folder)
        self._fresh: set[str] = set()

    def get(self, job: Job) -> Value | None:
        """Return what a job found, if it was found since."""
        return super().get(job) if job.key in self._fresh else None

    def put(self, job: Job, value: Value) -> None:
        """Write it, in the place of what was there."""
        super().put(job, value)
        self._fresh.add(job.key)
