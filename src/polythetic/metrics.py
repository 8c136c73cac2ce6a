"""Metrics of a run: one JSON object a line, and TensorBoard for those who have it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from polythetic.errors import InputError
from polythetic.files import write_atomically


@runtime_checkable
class Metrics(Protocol):
    """Something that is told how a run goes."""

    def write(self, step: int, values: dict[str, float]) -> None:
        """Take note of values after a step."""
        ...


class Nowhere:
    """Metrics that nobody keeps."""

    def write(self, step: int, values: dict[str, float]) -> None:
        """Do nothing."""


class JsonLines:
    """Appends ``{"step": …, name: value, …}`` to a file; what is later than the step it goes on from is dropped."""

    def __init__(self, path: Path, *, step: int):
        self._path = path
        kept = [line for line in self._lines() if self._step(line) <= step]
        write_atomically(path, "".join(kept).encode())

    def _lines(self) -> list[str]:
        if not self._path.exists():
            return []
        return [line for line in self._path.read_text(encoding="utf-8").splitlines(keepends=True) if line[-1] == "\n"]

    @staticmethod
    def _step(line: str) -> int:
        return int(json.loads(line)["step"])

    def write(self, step: int, values: dict[str, float]) -> None:
        """Append a line."""
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": step, **values}) + "\n")


class TensorBoard:
    """Writes scalars for TensorBoard; needs the extra ``tensorboard``."""

    def __init__(self, folder: Path, *, step: int):
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            raise InputError(
                "--tensorboard", "on", 'the package tensorboard: pip install "polythetic[tensorboard]"'
            ) from None
        self._writer: Any = SummaryWriter(str(folder), purge_step=step + 1)

    def write(self, step: int, values: dict[str, float]) -> None:
        """Write scalars."""
        for name, value in values.items():
            self._writer.add_scalar(name, value, step)
        self._writer.flush()


class Both:
    """Tells several."""

    def __init__(self, *listeners: Metrics):
        self._listeners = listeners

    def write(self, step: int, values: dict[str, float]) -> None:
        """Tell each."""
        for listener in self._listeners:
            listener.write(step, values)
