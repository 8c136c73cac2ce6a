"""Lists of classes and their categories, as tables of two columns or of five."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from polythetic.errors import DataError, MissingDataError

NAMED = ("split", "category", "category_name", "class", "class_name")
FORMS = f"a header {','.join(NAMED)}, or two columns class,category without one"


@dataclass(frozen=True)
class Listed:
    """A class in a list.

    Attributes:
        category: its category, by the name of its folder.
        class_name: its name for people.
        category_name: its category's name for people.
        split: the split it belongs to, where the list says.
    """

    category: str
    class_name: str
    category_name: str
    split: str | None = None


def read_class_list(paths: Sequence[Path | str]) -> dict[str, Listed]:
    r"""Read which category each class belongs to, from one or more CSV files.

    Either with the header ``split,category,category_name,class,class_name``, or, as tieredImageNet's own ``train.csv``,
    ``val.csv`` and ``test.csv``, two columns ``class,category`` without a header.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "test.csv")
    ...     _ = path.write_text("n02165105,n02159955\n")
    ...     read_class_list([path])["n02165105"].category
    'n02159955'
    """
    classes: dict[str, Listed] = {}
    for path in map(Path, paths):
        for line, (name, listed) in enumerate(_rows(path), start=1):
            if classes.setdefault(name, listed).category != listed.category:
                raise DataError(
                    f"{path}: row {line}: class {name} is in {listed.category} here and in {classes[name].category} "
                    "before: a class belongs to one category"
                )
    return classes


def _rows(path: Path) -> Iterator[tuple[str, Listed]]:
    rows = [row for row in _read(path) if row]
    if not rows:
        raise DataError(f"{path}: is empty: expected {FORMS}")
    width = len(rows[0])
    for line, row in enumerate(rows, start=1):
        if len(row) != width:
            raise DataError(f"{path}: row {line} has {len(row)} columns, the first {width}: expected {FORMS}")
    if tuple(rows[0]) == NAMED:
        for split, category, category_name, name, class_name in rows[1:]:
            yield name, Listed(category, class_name, category_name, split)
    elif width == 2:
        for name, category in rows:
            yield name, Listed(category, name, category)
    else:
        raise DataError(f"{path}: begins with {','.join(rows[0])}: expected {FORMS}")


def _read(path: Path) -> list[list[str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.reader(file))
    except FileNotFoundError:
        raise MissingDataError(f"{path}: there is no such list of classes: check the path") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: cannot be read as CSV ({error}): expected {FORMS}") from error
