"""Collections from folders of pictures, one folder a class."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from polythetic.arguments import whole_number
from polythetic.datasets.collection import Collection, Examples
from polythetic.datasets.storage.containers import Container, container
from polythetic.datasets.storage.picture_files import Files, examples_of, pictures_in
from polythetic.datasets.storage.pictures import Size, as_size, mode_of
from polythetic.errors import DataError

__all__ = ["Files", "read_folder"]

LAYOUTS = {1: "class/picture", 2: "category/class/picture", 3: "split/category/class/picture"}


def read_folder(
    path: Path | str,
    *,
    size: int | Size | None = None,
    channels: int = 3,
    levels: int | None = None,
) -> Collection:
    """Read a collection from a folder, or a zip archive of one, that has a folder for each class.

    Either ``class/picture`` or ``category/class/picture``. Hidden files, and files whose names do not end as
    pictures' do, are passed over; a folder around all the others does not matter. Pictures are decoded when they are
    taken, not before.

    Args:
        path: the folder or archive.
        size: the pictures' height and width, or one number for both: they are cut about the centre to that proportion,
            then resized. Unless given, all must be of one size, which is checked without decoding them.
        channels: 3 for red, green and blue, 1 for grey.
        levels: 1 for ``class/picture``, 2 for ``category/class/picture``; found out unless given.

    Raises:
        DataError: there are no pictures, they lie at different depths, differ in size, or cannot be read.

    >>> from PIL import Image
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("cat/1.png", "cat/2.png", "dog/1.png"):
    ...         path = Path(folder, name)
    ...         path.parent.mkdir(exist_ok=True)
    ...         Image.new("L", (9, 9)).save(path)
    ...     pets = read_folder(folder)
    ...     pets.class_names, pets.examples.take(pets.members[0]).shape
    (('cat', 'dog'), (2, 3, 9, 9))
    """
    mode_of(channels)
    wanted = as_size(size)
    if levels is not None:
        whole_number("levels", levels, least=1, most=2, meaning="class/picture, or category/class/picture")
    files = container(path)
    names = pictures_in(files)
    folders = folders_of(files, names, levels)
    return sorted_into_classes(
        examples_of(files, names, wanted, channels),
        folders,
        categories=[above[0] for above in folders],
        source=f"pictures in {files.path}",
    )


def sorted_into_classes(
    examples: Examples, classes: Sequence[tuple[str, ...]], *, categories: Sequence[str], source: str
) -> Collection:
    """Return a collection of pictures whose classes are folders; the names of class and category stand beside each."""
    members: dict[tuple[str, ...], list[int]] = {}
    for number, parts in enumerate(classes):
        members.setdefault(parts, []).append(number)
    parents = [categories[numbers[0]] for numbers in members.values()]
    category_names = tuple(dict.fromkeys(parents))
    place = {name: k for k, name in enumerate(category_names)}
    return Collection(
        examples=examples,
        members=tuple(np.array(numbers, dtype=np.int64) for numbers in members.values()),
        class_names=tuple("/".join(parts) for parts in members),
        categories=np.array([place[parent] for parent in parents], dtype=np.int64),
        category_names=category_names,
        source=source,
    )


def folders_of(files: Container, names: Sequence[str], levels: int | None) -> list[tuple[str, ...]]:
    """Return for each picture the names of the folders it is in: the last ``levels`` of them, or one or two."""
    folders = [tuple(name.split("/")[:-1]) for name in names]
    depth = len(folders[0])
    kept = levels or min(max(depth, 1), 2)
    for name, above in zip(names, folders, strict=True):
        if len(above) < kept:
            raise DataError(f"{files.path}: has {name}: expected {LAYOUTS[kept]} of all pictures")
        if len(above) != depth or above[: depth - kept] != folders[0][: depth - kept]:
            raise DataError(
                f"{files.path}: has both {names[0]} and {name}: expected {LAYOUTS[kept]} of all pictures, with no more "
                "than one folder around all"
            )
    return [above[depth - kept :] for above in folders]
