"""Omniglot: 1,623 characters of 50 alphabets, each drawn by 20 people (Lake et al., 2015)."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import one_of
from polythetic.datasets.collection import Collection, Pixels
from polythetic.datasets.releases.omniglot_archives import ARCHIVES, BACKGROUND, DRAWINGS, characters_in, pictures_in
from polythetic.datasets.storage.decoded import fingerprint, remembered
from polythetic.datasets.storage.fetching import Source, fetch
from polythetic.datasets.storage.places import cache_folder, look_for
from polythetic.datasets.turned import TURNS, Turned
from polythetic.progress import Progress, Silent

DECODING = "1"  # its version: another is another file in the cache
SPLITS = ("training", "evaluation", "fitting", "validation", "all")
HELD_OUT = slice(5, None, 6)  # of the background alphabets by name: for choosing settings

MIRRORS = (
    "https://raw.githubusercontent.com/brendenlake/omniglot/master/python/",
    "https://github.com/brendenlake/omniglot/raw/master/python/",
)


def omniglot(
    split: str = "training",
    *,
    data: Path | str | None = None,
    rotations: bool = False,
    progress: Progress | None = None,
) -> Collection:
    """Read Omniglot: a class for each character, a category for each alphabet, pictures of 28×28, ink 1 on paper 0.

    The archives are looked for in ``omniglot/`` of the data folder and of the cache, and fetched if they are in
    neither. The drawings are decoded once and kept in the cache.

    The drawings, 105×105 with strokes about three pixels wide, are shrunk with Pillow's ``BOX`` filter: each pixel
    counts in one cell of the 28×28, whose value is the share of ink in it. That keeps the ink (8.0 % of the picture
    before and after) and the strokes (3 % of the inked pixels end in a cell less than a quarter dark). ``NEAREST``
    breaks strokes (18 %), ``BILINEAR`` greys them, and dots most, ``BICUBIC`` and ``LANCZOS`` add ink.

    Args:
        split: ``"training"``, the 30 background alphabets, or ``"evaluation"``, the 20 others. To choose settings,
            ``"validation"`` is every sixth background alphabet by name, and ``"fitting"`` the other 25. ``"all"`` is
            all 50. A number means the same drawing in each.
        data: the folder of all datasets; ``$POLYTHETIC_DATA`` unless given.
        rotations: whether each character is also turned by 90°, 180° and 270°, as new classes ("…/character01/90") of
            new alphabets ("…/90"), so that no alphabet mixes upright characters with turned ones.
        progress: is told of the fetching and the decoding.

    Raises:
        DataError: an archive cannot be had, is damaged, or is not Omniglot.

    >>> characters = omniglot("evaluation", rotations=True)  # doctest: +SKIP
    >>> characters.classes, len(characters), characters.class_names[659]  # doctest: +SKIP
    (2636, 52720, 'Angelic/character01/90')
    """
    one_of("split", split, SPLITS)
    folder = look_for("omniglot", [archive.file for archive in ARCHIVES], data) or fetch_omniglot(progress)
    key = _key(folder)
    characters = remembered("omniglot-characters", key, lambda: characters_in(folder)).tolist()
    pictures = remembered("omniglot", key, lambda: pictures_in(folder, progress or Silent()))
    return _collection(characters, pictures, split, range(TURNS if rotations else 1), f"Omniglot, {split}")


def fetch_omniglot(progress: Progress | None = None) -> Path:
    """Fetch the two archives, 14 MB in all, from their author into the cache, and return their folder."""
    folder = cache_folder() / "omniglot"
    sources = [Source(a.file, tuple(mirror + a.file for mirror in MIRRORS), f"md5:{a.md5}") for a in ARCHIVES]
    fetch(sources, folder, progress=progress, what="Omniglot")
    return folder


def _key(folder: Path) -> str:
    marks = [DECODING, *(fingerprint(folder / archive.file) for archive in ARCHIVES)]
    return hashlib.sha256(" ".join(marks).encode()).hexdigest()


def _collection(
    characters: Sequence[str], pictures: NDArray[np.uint8], split: str, turns: Sequence[int], source: str
) -> Collection:
    kept = _numbers_of(split, characters)
    members, class_names, parents = [], [], []
    for turn in turns:
        suffix = f"/{90 * turn}" if turn else ""
        for k in kept:
            first = DRAWINGS * k + turn * len(pictures)
            members.append(np.arange(first, first + DRAWINGS))
            class_names.append(characters[k] + suffix)
            parents.append(_alphabet(characters[k]) + suffix)
    category_names = tuple(dict.fromkeys(parents))
    place = {name: k for k, name in enumerate(category_names)}
    return Collection(
        examples=Pixels(pictures) if len(turns) == 1 else Turned(pictures),
        members=tuple(members),
        class_names=tuple(class_names),
        categories=np.array([place[parent] for parent in parents]),
        category_names=category_names,
        source=source,
    )


def _numbers_of(split: str, characters: Sequence[str]) -> list[int]:
    """Return which characters a split has; those of the background archive come first."""
    background = range(BACKGROUND.characters)
    held_out = sorted({_alphabet(characters[k]) for k in background})[HELD_OUT]
    return {
        "training": list(background),
        "evaluation": list(range(BACKGROUND.characters, len(characters))),
        "fitting": [k for k in background if _alphabet(characters[k]) not in held_out],
        "validation": [k for k in background if _alphabet(characters[k]) in held_out],
        "all": list(range(len(characters))),
    }[split]


def _alphabet(character: str) -> str:
    return character.partition("/")[0]
