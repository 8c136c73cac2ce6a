"""The labels of tieredImageNet's official release, and what is wrong with their categories."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.releases.class_lists import read_class_list
from polythetic.datasets.storage.unpickling import load_pickle
from polythetic.errors import DataError, MissingDataError

KEYS = ("label_specific", "label_general", "label_specific_str", "label_general_str")

FAULT = (
    "the first release counts most categories wrongly (see https://github.com/renmengye/few-shot-ssl-public/issues/8). "
    "To mend them, put beside it {split}.csv from fewshot/data/tiered_imagenet_split in that repository, and the "
    "release's own synsets.txt and class_names.txt"
)


@dataclass(frozen=True, eq=False)
class Labels:
    """The classes of a split's pictures, and the categories of its classes.

    Attributes:
        classes: for each picture, the number of its class.
        class_names: one a class.
        categories: for each class, the number of its category.
        category_names: one a category.
    """

    classes: NDArray[np.int64]
    class_names: tuple[str, ...]
    categories: NDArray[np.int64]
    category_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.classes)


def read_labels(folder: Path, split: str) -> Labels:
    """Read ``<split>_labels.pkl``; nothing in it is run.

    The program that wrote the release gave a picture, instead of its category's number, the number of categories
    that it had met before the picture's class. That is right for the first class of each category and wrong for the
    others, the last of which have a number too large. Labels with such a number are mended with the lists that go with
    the release: the class's name leads to its synset, that to its category. They are believed only if the same
    mistake, made again on what they say, gives the labels in the file.
    """
    path = folder / f"{split}_labels.pkl"
    found = _read(path)
    classes, general = (_numbers(path, key, found[key]) for key in KEYS[:2])
    class_names, category_names = (tuple(map(_text, found[key])) for key in KEYS[2:])
    if len(general) != len(classes):
        raise DataError(f"{path}: {len(classes):,} labels of classes and {len(general):,} of categories: get it again")
    if len(classes) and not 0 <= classes.min() <= classes.max() < len(class_names):
        raise DataError(f"{path}: labels of classes up to {classes.max()} for {len(class_names)} names: get it again")
    categories = _category_of_each(path, classes, general, class_names)
    if categories.min(initial=0) < 0 or categories.max(initial=0) > len(category_names):
        raise DataError(
            f"{path}: labels of categories up to {categories.max()} for {len(category_names)} names: get it again"
        )
    if categories.max(initial=0) == len(category_names):
        categories = _mended(folder, split, categories, class_names, category_names)
    return Labels(classes, class_names, categories, category_names)


def _read(path: Path) -> dict[str, Any]:
    try:
        with path.open("rb") as file:
            content = load_pickle(file, name=str(path))
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error
    found = {_text(key): value for key, value in content.items()} if isinstance(content, Mapping) else {}
    if lacking := [key for key in KEYS if key not in found]:
        raise DataError(f"{path}: has no {', '.join(lacking)}: expected a dictionary with {', '.join(KEYS)}")
    return found


def _text(value: object) -> str:
    return value.decode("latin1") if isinstance(value, bytes) else str(value)


def _numbers(path: Path, key: str, values: Any) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.ndim != 1 or not np.issubdtype(array.dtype, np.integer):
        raise DataError(f"{path}: {key} is {array.dtype} {list(array.shape)}: expected a list of whole numbers")
    return array.astype(np.int64)


def _category_of_each(
    path: Path, classes: NDArray[np.int64], general: NDArray[np.int64], names: Sequence[str]
) -> NDArray[np.int64]:
    """Return each class's category, from any of its pictures if all of them agree."""
    categories = np.zeros(len(names), np.int64)
    categories[classes] = general
    if len(odd := np.flatnonzero(categories[classes] != general)):
        raise DataError(
            f"{path}: class {names[classes[odd[0]]]!r} is in category {general[odd[0]]} and "
            f"{categories[classes[odd[0]]]}: a class belongs to one"
        )
    return categories


def _mended(
    folder: Path, split: str, written: NDArray[np.int64], class_names: Sequence[str], category_names: Sequence[str]
) -> NDArray[np.int64]:
    where, fault = folder / f"{split}_labels.pkl", FAULT.format(split=split)
    try:
        listed = read_class_list([folder / f"{split}.csv"])
        synsets, names = (_lines(folder / file) for file in ("synsets.txt", "class_names.txt"))
    except MissingDataError as error:
        raise DataError(f"{where}: {fault}") from error
    synset = {name: one for one, name in zip(synsets, names, strict=False) if one in listed}  # unique in a split
    if unknown := [name for name in class_names if name not in synset]:
        raise DataError(f"{where}: class {unknown[0]!r} is not in class_names.txt and {split}.csv: {fault}")
    parents = [listed[synset[name]].category for name in class_names]
    met: list[str] = []
    mistaken = []
    for parent in parents:
        mistaken.append(len(met))
        if parent not in met:
            met.append(parent)
    if mistaken != written.tolist() or len(met) != len(category_names):
        raise DataError(f"{where}: its labels of categories do not go with the lists beside it: {fault}")
    return np.array([met.index(parent) for parent in parents])


def _lines(path: Path) -> list[str]:
    try:
        return [line.strip() for line in path.read_text(encoding="utf-8").splitlines()]
    except FileNotFoundError:
        raise MissingDataError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(f"{path}: cannot be read ({error})") from error
