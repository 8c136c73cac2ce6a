"""Collections from folders of splits, categories and classes, as those of tieredImageNet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from polythetic.arguments import one_of
from polythetic.datasets.collection import Collection
from polythetic.datasets.folder import folders_of, sorted_into_classes
from polythetic.datasets.releases.class_lists import Listed, read_class_list
from polythetic.datasets.storage.containers import Container, container
from polythetic.datasets.storage.picture_files import examples_of, pictures_in
from polythetic.datasets.storage.pictures import Size, as_size, mode_of
from polythetic.errors import DataError

ORDER = ("train", "val", "test")  # of the splits; others follow by name


def read_hierarchy(
    path: Path | str,
    classes: Path | str | Sequence[Path | str] | None = None,
    *,
    split: str | Sequence[str] | None = None,
    size: int | Size | None = None,
    channels: int = 3,
    source: str | None = None,
) -> Collection:
    """Read a collection from a folder, or a zip archive of one, with files as ``split/category/class/picture``.

    Pictures are decoded when they are taken. They are numbered over all splits, so that parts read apart share numbers.

    Args:
        path: the folder or archive.
        classes: lists of the classes and their categories, which the folders must agree with: a CSV file with the
            header ``split,category,category_name,class,class_name``, whose names are then used, or tieredImageNet's own
            lists of two columns ``class,category``.
        split: the split, or splits, to keep; all unless given.
        size: the pictures' height and width, or one number for both; as ``read_folder`` has it.
        channels: 3 for red, green and blue, 1 for grey.
        source: what it is, for people.

    Raises:
        DataError: there are no pictures, the folders are not as they should be, or a list disagrees with them.

    >>> from PIL import Image
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     for name in ("train/cat/lion/1.png", "train/cat/lynx/1.png", "test/dog/pug/1.png"):
    ...         path = Path(folder, name)
    ...         path.parent.mkdir(parents=True)
    ...         Image.new("L", (9, 9)).save(path)
    ...     animals = read_hierarchy(folder, split="train")
    >>> animals.class_names, animals.category_names, len(animals.examples)
    (('lion', 'lynx'), ('cat',), 3)
    """
    mode_of(channels)
    wanted = as_size(size)
    files = container(path)
    names = pictures_in(files)
    found = sorted(
        zip(folders_of(files, names, levels=3), names, strict=True),
        key=lambda one: (ORDER.index(one[0][0]) if one[0][0] in ORDER else len(ORDER), one[0]),
    )
    folders = [above for above, _ in found]
    splits = list(dict.fromkeys(above[0] for above in folders))
    kept = splits if split is None else [split] if isinstance(split, str) else list(split)
    for one in kept:
        one_of("split", one, splits)
    collection = sorted_into_classes(
        examples_of(files, [name for _, name in found], wanted, channels),
        folders,
        categories=["/".join(above[:2]) for above in folders],
        source=source or f"pictures in {files.path}",
    )
    collection = collection.in_categories([c for c in collection.category_names if c.split("/")[0] in kept])
    lists = [] if classes is None else [classes] if isinstance(classes, Path | str) else list(classes)
    return _named(collection, read_class_list(lists) if lists else {}, files)


def _named(collection: Collection, listed: dict[str, Listed], files: Container) -> Collection:
    """Give classes and categories the names for people that the lists have, and check that these agree."""
    classes = [name.split("/")[1:] for name in collection.class_names]
    if listed:
        for category, name in classes:
            if name not in listed:
                raise DataError(f"{files.path}: class {name} of {category} is in no list: add it, or remove the folder")
            if listed[name].category != category:
                raise DataError(
                    f"{files.path}: class {name} is in {category}, but listed in {listed[name].category}: "
                    "correct the one or the other"
                )
    ids = [name.split("/")[1] for name in collection.category_names]
    people = {one.category: one.category_name for one in listed.values()}
    return replace(
        collection,
        class_names=_distinct([listed[n].class_name if listed else n for _, n in classes], [n for _, n in classes]),
        category_names=_distinct([people.get(name, name) for name in ids], ids),
    )


def _distinct(names: Sequence[str], ids: Sequence[str]) -> tuple[str, ...]:
    """Return names, with their ids where two are the same: ImageNet has two classes called crane."""
    counts = Counter(names)
    return tuple(f"{name} ({id_})" if counts[name] > 1 else name for name, id_ in zip(names, ids, strict=True))
