"""tieredImageNet's official release: a file of pictures and one of labels for each split, read piece by piece."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.collection import Collection, Examples, Numbers
from polythetic.datasets.releases.tiered_labels import Labels, read_labels
from polythetic.datasets.storage.npz_arrays import mapped_pictures
from polythetic.datasets.storage.pictures import Size, decode
from polythetic.datasets.storage.png_pickles import PickledPictures, index_of
from polythetic.errors import DataError

ORDER = ("train", "val", "test")
FORMS = ("_images_png.pkl", "_images.npz")  # the pictures' file: the first has the right colours for certain


@dataclass(frozen=True, eq=False)
class Split:
    """The pictures of one split; their file is opened, and indexed if it must be, when it is first needed.

    Attributes:
        path: the file of pictures.
        count: how many labels there are.
        size: (height, width) that pictures are cut and resized to, or None for their own.
    """

    path: Path
    count: int
    size: Size | None

    def __len__(self) -> int:
        return self.count

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one picture."""
        return self.pictures.shape

    def take(self, numbers: Numbers) -> NDArray[np.float32]:
        """Return pictures with values from 0 to 1."""
        return self.pictures.take(numbers)

    @cached_property
    def pictures(self) -> Examples:
        """The pictures, if there are as many as labels."""
        pictures = _open(self.path, self.size)
        if len(pictures) != self.count:
            raise DataError(
                f"{self.path}: has {len(pictures):,} pictures, and its labels are {self.count:,}: get both again"
            )
        return pictures


@dataclass(frozen=True, eq=False)
class Splits:
    """The pictures of several splits under one numbering."""

    parts: tuple[Split, ...]
    shape: tuple[int, ...]
    starts: NDArray[np.int64] = field(repr=False)

    def __len__(self) -> int:
        return int(self.starts[-1])

    def take(self, numbers: Numbers) -> NDArray[np.float32]:
        """Return pictures with values from 0 to 1."""
        flat = np.asarray(numbers).ravel()
        taken = np.empty((len(flat), *self.shape), np.float32)
        which = np.searchsorted(self.starts, flat, side="right") - 1
        for k in np.unique(which):
            taken[which == k] = self.parts[k].take(flat[which == k] - self.starts[k])
        return taken.reshape(*np.shape(numbers), *self.shape)


def read_release(
    folder: Path, forms: Mapping[str, str], wanted: Sequence[str], size: Size | None, source: str
) -> Collection:
    """Read splits of the official release.

    Args:
        folder: where its files are.
        forms: for each split that is there, how the name of its pictures' file ends.
        wanted: the splits to keep; the others only count in the numbering.
        size: of the pictures; their own unless given.
        source: what it is, for people.
    """
    labels = {split: read_labels(folder, split) for split in ORDER if split in forms}
    parts = {split: Split(folder / f"{split}{forms[split]}", len(labels[split]), size) for split in labels}
    starts = np.cumsum([0, *map(len, labels.values())])
    first = dict(zip(labels, starts.tolist(), strict=False))
    shapes = {split: parts[split].shape for split in labels if split in wanted}
    if len(set(shapes.values())) > 1:
        raise DataError(f"{folder}: pictures of different sizes, {shapes}: give size=84 to make them alike")
    examples = Splits(tuple(parts.values()), next(iter(shapes.values())), starts)
    return _collection(examples, {split: labels[split] for split in labels if split in wanted}, first, source)


def _collection(examples: Examples, labels: Mapping[str, Labels], first: Mapping[str, int], source: str) -> Collection:
    members, class_names, parents = [], [], []
    for split, of in labels.items():
        order = np.argsort(of.classes, kind="stable") + first[split]
        groups = np.split(order, np.cumsum(np.bincount(of.classes, minlength=len(of.class_names)))[:-1])
        for numbers, name, category in zip(groups, of.class_names, of.categories, strict=True):
            if len(numbers):
                members.append(numbers)
                class_names.append(name)
                parents.append(of.category_names[category])
    category_names = tuple(dict.fromkeys(parents))
    place = {name: k for k, name in enumerate(category_names)}
    return Collection(
        examples=examples,
        members=tuple(members),
        class_names=tuple(class_names),
        categories=np.array([place[parent] for parent in parents], dtype=np.int64),
        category_names=category_names,
        source=source,
    )


def _open(path: Path, size: Size | None) -> Examples:
    if path.suffix == ".npz":
        return mapped_pictures(path, "images", size=size)
    index = index_of(path)
    if not len(index):
        raise DataError(f"{path}: no PNG pictures in it: expected a pickled list of them, of protocol 1 or later")
    pictures = PickledPictures(path, index, (3, *(size or (0, 0))), resize=True)
    if size is not None:
        return pictures
    shape = decode(pictures.content(0), name=f"{path}: picture 0").shape
    return PickledPictures(path, index, shape)
