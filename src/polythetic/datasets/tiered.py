"""tieredImageNet: classes of ImageNet in categories that no two splits share (Ren et al., 2018); or its stand-in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import product
from pathlib import Path

from polythetic.arguments import one_of, whole_number
from polythetic.datasets.collection import Collection
from polythetic.datasets.hierarchy import read_hierarchy
from polythetic.datasets.releases.class_lists import read_class_list
from polythetic.datasets.releases.tiered_release import FORMS, ORDER, read_release
from polythetic.datasets.storage.pictures import Size, as_size
from polythetic.datasets.storage.places import look_for, missing
from polythetic.errors import DataError, InputError

SPLITS = {"training": "train", "validation": "val", "evaluation": "test"}
RELEASES = ("auto", "official", "stand-in")

OFFICIAL = "tiered-imagenet"
STAND_IN = "tiered-imagenet-64"
STAND_IN_SIZE = (64, 64)
CLASSES = "classes.csv"
STAND_IN_PLACES = ("tiered_imagenet_64.zip", "tiered_imagenet_64", ".")  # the archive, or where it was unpacked

REMEDY = (
    "https://github.com/renmengye/few-shot-ssl-public says where the release is, 13 GB behind a page of Google Drive, "
    "so it cannot be fetched for you, and ImageNet's terms have to be accepted by you; unpack it so that {folder}/ has "
    "train_images_png.pkl, train_labels.pkl and the same of val and test (…_images.npz will do for …_images_png.pkl)"
)


def tiered(
    split: str | Sequence[str] = "evaluation",
    *,
    data: Path | str | None = None,
    size: int | Size | None = None,
    release: str = "auto",
) -> Collection:
    """Read tieredImageNet, or the stand-in for it: pictures of classes in categories, decoded when they are taken.

    The official release, 608 classes of 84×84 pictures, is looked for in ``tiered-imagenet/`` of the data folder and
    of the cache: ``train|val|test_images_png.pkl``, or ``…_images.npz``, with ``…_labels.pkl``. Nothing in a pickle is
    run, and no file is read whole: PNG pictures are indexed once and then read one by one; arrays are mapped into
    memory, unpacked once if they are compressed. The stand-in, 123 of the classes with 100 pictures of 64×64, is
    looked for in ``tiered-imagenet-64/``: ``tiered_imagenet_64.zip``, or what is in it, and ``classes.csv``.

    Colours: the release was made with OpenCV, which has blue first. It wrote the PNG pictures as PNG has it, so they
    are read with the right colours, red first. The ``.npz`` arrays that its scripts unpack from them keep OpenCV's
    order; they are used as they are stored, and only where there are no PNG pictures.

    Categories: the first release counts them wrongly, and is refused unless the lists to mend it are beside it
    (``tiered_labels`` says how).

    Args:
        split: ``"training"``, ``"validation"``, ``"evaluation"``, or several of them, or ``"all"``. No category is in
            two of them. Those read from the same files share numbers.
        data: the folder of all datasets; ``$POLYTHETIC_DATA`` unless given.
        size: the pictures' height and width, or one number for both; their own unless given.
        release: ``"official"``, ``"stand-in"``, or ``"auto"``: the official one if any of its files is there.

    Raises:
        MissingDataError: neither is on this machine; the message says where to get what.
        DataError: a file is damaged, or pictures and labels are not equally many.

    >>> animals = tiered("evaluation", release="stand-in")  # doctest: +SKIP
    >>> animals.classes, which_serve(animals, groups=10)  # doctest: +SKIP
    (45, {'insect': 10, 'vessel': 10})
    """
    one_of("release", release, RELEASES)
    wanted = _wanted(split)
    pixels = as_size(size)
    if release == "stand-in" or (release == "auto" and not _any_official(data)):
        found = _stand_in(wanted, data, pixels)
        if found is None and release == "stand-in":
            remedy = f"it is a zip of train|val|test/category/class/*.JPEG, and {CLASSES} names its classes"
            raise missing(STAND_IN, [STAND_IN_PLACES[0], CLASSES], data, remedy)
        if found is not None:
            return found
    return _official(wanted, data, pixels)


def which_serve(collection: Collection, groups: int) -> dict[str, int]:
    """Return the categories that have at least so many classes, with how many each has: those that tasks can use.

    >>> import numpy as np
    >>> from polythetic.datasets.collection import Rows
    >>> pets = Collection.from_labels(
    ...     Rows(np.eye(3)), ["pug", "boxer", "lynx"], categories={"pug": "dog", "boxer": "dog"}, source="an example"
    ... )
    >>> which_serve(pets, groups=2)
    {'dog': 2}
    """
    whole_number("groups", groups, least=1)
    counts = Counter(collection.categories.tolist())
    return {name: counts[k] for k, name in enumerate(collection.category_names) if counts[k] >= groups}


def which_splits_serve(categories: int, groups: int, *, data: Path | str | None = None) -> dict[str, dict[str, int]]:
    """Return the splits with enough categories of enough classes for tasks of C categories × G classes.

    Each comes with its categories that serve, and how many classes these have; ``"all"``, the splits mixed, is among
    them where it serves.
    """
    whole_number("categories", categories, least=1)
    able = {split: which_serve(tiered(split, data=data), groups) for split in (*SPLITS, "all")}
    return {split: found for split, found in able.items() if len(found) >= categories}


def _wanted(split: str | Sequence[str]) -> list[str]:
    """Return the splits by the names of their files, in the order of the numbering."""
    if split == "all":
        return list(ORDER)
    chosen = [split] if isinstance(split, str) else list(split)
    if not chosen:
        raise InputError("split", repr(split), f"one of {', '.join(SPLITS)} or all, or several")
    for one in chosen:
        one_of("split", one, [*SPLITS, "all"] if isinstance(split, str) else SPLITS)
    names = {SPLITS[one] for one in chosen}
    return [name for name in ORDER if name in names]


def _files(split: str, form: str) -> list[str]:
    return [f"{split}{form}", f"{split}_labels.pkl"]


def _any_official(data: Path | str | None) -> bool:
    files = [file for split in ORDER for form in FORMS for file in _files(split, form)]
    return any(look_for(OFFICIAL, [file], data) for file in files)


def _official(wanted: Sequence[str], data: Path | str | None, size: Size | None) -> Collection:
    for forms in product(FORMS, repeat=len(wanted)):
        files = [file for split, form in zip(wanted, forms, strict=True) for file in _files(split, form)]
        if folder := look_for(OFFICIAL, files, data):
            break
    else:
        files = [file for split in wanted for file in _files(split, FORMS[0])]
        raise missing(OFFICIAL, files, data, REMEDY.format(folder=OFFICIAL))
    chosen = dict(zip(wanted, forms, strict=True))
    for split, form in product(ORDER, FORMS):
        if split not in chosen and all((folder / file).exists() for file in _files(split, form)):
            chosen[split] = form
    return read_release(folder, chosen, wanted, size, f"tieredImageNet, {' and '.join(wanted)}")


def _stand_in(wanted: Sequence[str], data: Path | str | None, size: Size | None) -> Collection | None:
    for place in STAND_IN_PLACES:
        pictures = [place] if place.endswith(".zip") else [f"{place}/{split}" for split in ORDER]
        if folder := look_for(STAND_IN, [*pictures, CLASSES], data):
            break
    else:
        return None
    source = f"a part of tieredImageNet, 64×64, {' and '.join(wanted)}"
    path, listed = folder / place, read_class_list([folder / CLASSES])
    # With a size the pictures need not be looked at now; those that have it already are not resized.
    found = read_hierarchy(path, folder / CLASSES, split=wanted, size=size or STAND_IN_SIZE, source=source)
    expected = sum(one.split in wanted for one in listed.values())
    if found.classes != expected:
        has = f"has {found.classes} classes of {' and '.join(wanted)}"
        raise DataError(f"{path}: {has}, and {CLASSES} lists {expected}: get it again")
    return found
