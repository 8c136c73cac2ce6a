"""Weights from files that others published: read without trust, and compared name by name."""

from __future__ import annotations

import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from polythetic.errors import DataError

WRAPPINGS = ("params", "state_dict", "model")  # under which a file may keep its weights
PREFIXES = ("module.", "encoder.")  # what training on several devices, and a head beside the encoder, put before
HEADS = ("fc.", "classifier.")
SHOWN = 3  # names in a message


def read_weights(path: Path) -> dict[str, Tensor]:
    """Return the weights of an encoder by their plain names: ``layer1.0.conv1.weight``, say.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder) / "max_acc.pth"
    ...     weights = {"module.encoder.layer1.bias": torch.zeros(2), "module.fc.bias": torch.ones(9)}
    ...     torch.save({"params": weights}, path)
    ...     read_weights(path)
    {'layer1.bias': tensor([0., 0.])}
    """
    content = _read(path)
    for wrapping in WRAPPINGS:
        if isinstance(content, Mapping) and isinstance(content.get(wrapping), Mapping):
            content = content[wrapping]
    if not isinstance(content, Mapping) or not content or not all(isinstance(x, Tensor) for x in content.values()):
        raise DataError(f"{path}: holds no weights by name: give a state dict, or one under {' or '.join(WRAPPINGS)}")
    weights = {str(name).removeprefix("module."): x for name, x in content.items()}
    if inside := {name: x for name, x in weights.items() if name.startswith("encoder.")}:
        weights = inside  # the rest belongs to heads
    return {_plain(name): x for name, x in weights.items() if not name.startswith(HEADS)}


def refuse_misfits(path: Path, weights: Mapping[str, Tensor], expected: Mapping[str, Tensor]) -> None:
    """Refuse weights that are missing, unknown or of another shape, by name."""
    counters = {name for name in expected if name.endswith("num_batches_tracked")}  # old files have none
    missing = [name for name in expected if name not in weights and name not in counters]
    unknown = [name for name in weights if name not in expected]
    misshapen = [
        f"{name} ({_shape(x)}, not {_shape(expected[name])})"
        for name, x in weights.items()
        if name in expected and x.shape != expected[name].shape
    ]
    kinds = (("lacks", missing), ("has unknown", unknown), ("has of another shape", misshapen))
    if faults := [f"{fault} {_some(names)}" for fault, names in kinds if names]:
        raise DataError(f"{path}: {'; '.join(faults)}: it is of another network: give one that fits")


def _read(path: Path) -> Any:
    try:
        if path.suffix == ".safetensors":
            return load_file(path)
        return torch.load(path, map_location="cpu", weights_only=True)  # weights_only: nothing in it is executed
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (pickle.UnpicklingError, SafetensorError, RuntimeError, EOFError, ValueError, KeyError) as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        remedy = "get it anew, or save its state dict alone"
        raise DataError(f"{path}: damaged, or not plain weights ({reason}): {remedy}") from error


def _plain(name: str) -> str:
    while name.startswith(PREFIXES):
        for prefix in PREFIXES:
            name = name.removeprefix(prefix)
    return name


def _some(names: list[str]) -> str:
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return ", ".join(names[:SHOWN]) + more


def _shape(x: Tensor) -> str:
    return "×".join(map(str, x.shape)) or "a single value"
