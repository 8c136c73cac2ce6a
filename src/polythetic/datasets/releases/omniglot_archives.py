"""Omniglot's two archives: what must be in them, and their drawings as 28×28 pictures."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from polythetic.datasets.storage.archives import AGAIN, open_zip, read_member
from polythetic.datasets.storage.pictures import as_array, opened
from polythetic.errors import DataError
from polythetic.progress import Progress

SIDE = 28
DRAWN = 105  # pixels a side, as published
DRAWINGS = 20  # of each character


class Archive(NamedTuple):
    """One of the two, with what must be in it."""

    name: str
    alphabets: int
    characters: int
    md5: str

    @property
    def file(self) -> str:
        """The archive's file name."""
        return f"{self.name}.zip"


BACKGROUND = Archive("images_background", 30, 964, "68d2efa1b9178cc56df9314c21c6e718")
EVALUATION = Archive("images_evaluation", 20, 659, "6b91aef0f799c5bb55b94e3f2daec811")
ARCHIVES = (BACKGROUND, EVALUATION)


def characters_in(folder: Path) -> NDArray[Any]:
    """Return the names of all characters, such as "Greek/character01", those of the background archive first."""
    names = []
    for archive in ARCHIVES:
        with open_zip(folder / archive.file) as zipped:
            names += [_character(drawing) for drawing in _drawings(zipped, archive)[::DRAWINGS]]
    return np.array(names)


def pictures_in(folder: Path, progress: Progress) -> NDArray[np.uint8]:
    """Return all drawings, [32460, 1, 28, 28], in the order of the characters, ink 255 on paper 0."""
    total = DRAWINGS * sum(archive.characters for archive in ARCHIVES)
    progress.start("Omniglot: decoding", total)
    pictures = np.empty((total, 1, SIDE, SIDE), np.uint8)
    row = 0
    for archive in ARCHIVES:
        with open_zip(folder / archive.file) as zipped:
            for drawing in _drawings(zipped, archive):
                name = f"{folder / archive.file}: {drawing}"
                pictures[row] = _picture(read_member(zipped, drawing), name)
                row += 1
                progress.advance()
    return pictures


def _drawings(zipped: ZipFile, archive: Archive) -> list[str]:
    """Return the names of an archive's drawings, character by character, if they are all there."""
    pattern = re.compile(rf"{archive.name}/[^/]+/character\d+/[^/]+\.png")
    drawings = sorted(name for name in zipped.namelist() if pattern.fullmatch(name))
    characters = Counter(map(_character, drawings))
    alphabets = {character.partition("/")[0] for character in characters}
    uneven = [f"{count} of {name}" for name, count in characters.items() if count != DRAWINGS]
    if (len(alphabets), len(characters)) != (archive.alphabets, archive.characters) or uneven:
        raise DataError(
            f"{zipped.filename}: has {len(drawings):,} drawings of {len(characters)} characters in "
            f"{len(alphabets)} alphabets{', with ' + uneven[0] if uneven else ''}; Omniglot has {DRAWINGS} of each of "
            f"{archive.characters} in {archive.alphabets}, as {archive.name}/Alphabet/character01/0001_01.png: {AGAIN}"
        )
    return drawings


def _character(drawing: str) -> str:
    """Return the name of the character that a member such as images_background/Greek/character01/0394_01.png draws."""
    return "/".join(drawing.split("/")[1:3])


def _picture(content: bytes, name: str) -> NDArray[np.uint8]:
    drawing = opened(content, name=name, channels=1)
    if drawing.size != (DRAWN, DRAWN):
        raise DataError(f"{name}: has {drawing.width} × {drawing.height} pixels, Omniglot {DRAWN} × {DRAWN}: {AGAIN}")
    return 255 - as_array(drawing.resize((SIDE, SIDE), Image.Resampling.BOX))
