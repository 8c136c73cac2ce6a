"""Features kept by content: a picture that was embedded once is not embedded again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from numpy.typing import NDArray
from torch import Tensor

from polythetic.datasets.storage.decoded import keep, mapped
from polythetic.datasets.storage.places import cache_folder

MANY = 64  # files; more of them are put together into one


class FeatureCache:
    """Remembers the features of pictures, on disk, for this process and others.

    A picture is known by the SHA-256 of its numbers, wherever it came from. Features lie in files that are written
    once, each with a line for every picture that was new in a call; several processes may write at once.

    Args:
        network: names what makes the features, and all they depend on beside the picture: another name, another folder.
        folder: where to keep them; in the cache unless given.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     cache = FeatureCache("sums", Path(folder))
    ...     first = cache.features(torch.ones(2, 1, 3, 3), lambda x: x.sum((1, 2, 3))[:, None])
    ...     again = FeatureCache("sums", Path(folder)).features(torch.ones(1, 1, 3, 3), lambda x: 1 / 0)
    >>> first.tolist(), again.tolist()
    ([[9.0], [9.0]], [[9.0]])
    """

    def __init__(self, network: str, folder: Path | None = None):
        self.folder = (folder if folder is not None else cache_folder() / "features") / network
        self._known: dict[bytes, NDArray[np.float32]] = {}
        self._seen: set[Path] = set()

    def features(self, pictures: Float[Tensor, "m c h w"], embed: Callable[[Tensor], Tensor]) -> Float[Tensor, "m F"]:
        """Return features, of which ``embed`` makes those that nobody has made yet.

        Warns:
            CacheWarning: they cannot be written down; they are returned all the same.
        """
        if len(pictures) == 0:
            return embed(pictures)
        keys = [_key(picture) for picture in pictures.detach().float().cpu().numpy()]
        if any(key not in self._known for key in keys):
            self._look()
        new = {key: number for number, key in enumerate(keys) if key not in self._known}  # each but once
        if new:
            made = embed(pictures[list(new.values())]).detach().float().cpu().numpy()
            self._known.update(zip(new, made, strict=True))
            self._write(list(new))
        return torch.from_numpy(np.stack([self._known[key] for key in keys])).to(pictures.device)

    def _look(self) -> None:
        """Read what others, or we in another life, have written."""
        paths = sorted(self.folder.glob("*.npy"))
        for path in paths:
            if path not in self._seen and (lines := _load(path)) is not None:
                self._known.update(zip(map(bytes, lines["key"]), lines["features"], strict=True))
                self._seen.add(path)
        readable = [path for path in paths if path in self._seen]
        if len(readable) > MANY:
            self._write(list(self._known), instead_of=readable)

    def _write(self, keys: Sequence[bytes], instead_of: Sequence[Path] = ()) -> None:
        features = np.stack([self._known[key] for key in keys])
        lines = np.empty(len(keys), [("key", "u1", 32), ("features", "<f4", features.shape[1:])])
        lines["key"] = np.frombuffer(b"".join(keys), np.uint8).reshape(-1, 32)
        lines["features"] = features
        path = self.folder / f"{hashlib.sha256(b''.join(sorted(keys))).hexdigest()[:32]}.npy"
        if not keep(path, lines, "features are made"):
            return
        self._seen.add(path)
        for old in set(instead_of) - {path}:
            with suppress(OSError):  # others may be reading it, and some systems mind
                old.unlink()


def _key(picture: NDArray[np.float32]) -> bytes:
    """Return the SHA-256 of a picture's shape and numbers."""
    return hashlib.sha256(repr(picture.shape).encode() + np.ascontiguousarray(picture).tobytes()).digest()


def _load(path: Path) -> NDArray[Any] | None:
    lines = mapped(path)
    right = lines is not None and lines.dtype.names == ("key", "features") and lines.ndim == 1
    return lines if right else None
