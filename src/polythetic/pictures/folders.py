"""Folders of one's own pictures: which files there are, of which class, decoded when they are asked for."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from polythetic.datasets.folder import folders_of
from polythetic.datasets.storage.containers import Container, container
from polythetic.datasets.storage.picture_files import pictures_in
from polythetic.datasets.storage.pictures import Size, opened
from polythetic.errors import InputError

if TYPE_CHECKING:
    from PIL import Image

SMALL = 64  # pixels a side: drawings and digits are no larger, photographs nearly always
LOOKED_AT = 20  # pictures, to see whether they are photographs


@dataclass(frozen=True)
class Pictures:
    """Pictures in a folder, or in a zip archive of one.

    Attributes:
        files: the folder or archive.
        names: of the pictures in it, such as ``cat/1.jpg``.
        labels: the folder that each is in; None if they are in none.
    """

    files: Container
    names: tuple[str, ...]
    labels: tuple[str, ...] | None

    def __len__(self) -> int:
        return len(self.names)

    def opened(self, number: int, *, size: Size | None = None, channels: int = 3) -> Image.Image:
        """Decode a picture; cut about the centre and resized if there is a size."""
        name = self.names[number]
        return opened(self.files.read(name), name=f"{self.files.path}: {name}", size=size, channels=channels)

    @property
    def are_photographs(self) -> bool:
        """Say whether there is colour in them, or they are large; the first few are looked at."""
        return any(_is_photograph(self.opened(number)) for number in range(min(LOOKED_AT, len(self))))


def labelled_pictures(path: Path) -> Pictures:
    """Find pictures that are in a folder for each class, of which there must be two.

    Raises:
        DataError: there are none, or they lie at different depths.
        InputError: they are in one folder only.
    """
    found = _pictures(path)
    if found.labels is None:
        given = f"{path}, with {found.names[0]} in no folder"
        raise InputError("support", given, "a folder for each class, and its pictures in it")
    if len(classes := set(found.labels)) < 2:
        raise InputError("support", f"{path}, with one class, {classes.pop()!r}", "a folder for each of two classes")
    return found


def asked_pictures(path: Path, classes: set[str]) -> Pictures:
    """Find pictures to answer for; if they are in folders called as the classes are, their labels are known.

    Raises:
        DataError: there are none, or they lie at different depths.
    """
    found = _pictures(path)
    if found.labels is not None and not classes & set(found.labels):
        warnings.warn(
            f"no folder in {path} is called as a class is ({', '.join(sorted(classes)[:5])}), so that the right "
            "answers are not known",
            UserWarning,
            stacklevel=2,
        )
        return Pictures(found.files, found.names, None)
    return found


def _pictures(path: Path) -> Pictures:
    files = container(path)
    names = pictures_in(files)
    others = sorted(set(files.names()) - set(names))
    if others:
        what = "file that is no picture" if len(others) == 1 else "files that are no pictures, the first"
        warnings.warn(f"{path}: passed over {len(others)} {what}, {others[0]}", UserWarning, stacklevel=3)
    if not any("/" in name for name in names):
        return Pictures(files, tuple(names), None)
    return Pictures(files, tuple(names), tuple(above[-1] for above in folders_of(files, names, 1)))


def _is_photograph(image: Image.Image) -> bool:
    if max(image.size) > SMALL:
        return True
    red, green, blue = (band.tobytes() for band in image.split())
    return not red == green == blue
