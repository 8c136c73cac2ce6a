"""Where files are: in the folder the user names, or in the cache."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from polythetic.errors import DataError, MissingDataError

DATA_VARIABLE = "POLYTHETIC_DATA"
CACHE_VARIABLE = "POLYTHETIC_CACHE"


def cache_folder() -> Path:
    """Return the folder of what is downloaded and decoded: ``$POLYTHETIC_CACHE``, else the system's place for it.

    >>> cache_folder().is_absolute()
    True
    """
    if named := os.environ.get(CACHE_VARIABLE):
        return _expanded(named, CACHE_VARIABLE)
    from platformdirs import user_cache_path

    return user_cache_path("polythetic", appauthor=False)


def look_for(dataset: str, files: Sequence[str], data: Path | str | None = None) -> Path | None:
    """Return the folder that holds all of a dataset's files, or None.

    Looked at are ``<data>/<dataset>``, with ``$POLYTHETIC_DATA`` for ``data`` unless it is given, and then the cache.

    Args:
        dataset: the name of its folder.
        files: names of files in that folder.
        data: the folder of all datasets.

    Raises:
        DataError: ``data`` is not a folder, or something on the way cannot be read. That is not the same as
            missing: to download again, or to fall back on other data, would hide it.

    >>> look_for("unheard-of", ["a.zip"], data=Path.cwd()) is None
    True
    """
    for folder, _ in _places(dataset, data):
        if not _lacking(folder, files):
            return folder
    return None


def check_data_folder(data: Path | str | None = None) -> None:
    """Refuse a data folder that is not there, whatever dataset it is for.

    >>> check_data_folder(Path.cwd())

    Raises:
        DataError: ``data``, or ``$POLYTHETIC_DATA``, is not a folder.
    """
    _places("", data)


def missing(dataset: str, files: Sequence[str], data: Path | str | None, remedy: str) -> MissingDataError:
    """Return the error that says which files are missing, where they were looked for, and what to do.

    >>> print(missing("mnist", ["a.gz", "b.gz"], Path.cwd(), "fetch_mnist() fetches them"))  # doctest: +ELLIPSIS
    mnist: a.gz and b.gz are not in ...mnist (data), nor in ...mnist (the cache): fetch_mnist() fetches them
    """
    places = [(folder, name, _lacking(folder, files)) for folder, name in _places(dataset, data)]
    if all(lacking == list(files) for *_, lacking in places):
        where = ", nor in ".join(f"{folder} ({name})" for folder, name, _ in places)
        what = f"{_listed(files)} {'is' if len(files) == 1 else 'are'} not in {where}"
    else:
        what = "; ".join(f"{folder} ({name}) lacks {_listed(lacking)}" for folder, name, lacking in places)
    return MissingDataError(f"{dataset}: {what}: {remedy}")


def _places(dataset: str, data: Path | str | None) -> list[tuple[Path, str]]:
    """Return the folders to look at, each with what it is called."""
    places = []
    given = data if data is not None else os.environ.get(DATA_VARIABLE) or None
    if given is not None:
        name = "data" if data is not None else DATA_VARIABLE
        places.append((_folder(_expanded(given, name), name) / dataset, name))
    return [*places, (cache_folder() / dataset, "the cache")]


def _expanded(path: Path | str, name: str) -> Path:
    try:
        return Path(path).expanduser().absolute()
    except RuntimeError:  # ~ of a user that there is not
        raise DataError(f"{name} = {path}: there is no such home folder: write the path out") from None


def _folder(path: Path, name: str) -> Path:
    remedy = "name a folder that holds a folder for each dataset"
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            raise DataError(f"{name} = {path}: that is not a folder: {remedy}")
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(f"{name} = {path}: there is no such folder: {remedy}") from None
    except OSError as error:
        raise _unreadable(path, error) from error
    return path


def _lacking(folder: Path, files: Sequence[str]) -> list[str]:
    return [file for file in files if not _can_be_read(folder / file)]


def _can_be_read(path: Path) -> bool:
    """Say whether a file or folder is there, by opening it; what is there but closed to us is an error."""
    try:
        mode = path.stat().st_mode
        if stat.S_ISDIR(mode):
            os.scandir(path).close()
        elif stat.S_ISREG(mode):
            path.open("rb").close()
        else:
            return False
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise _unreadable(path, error) from error
    return True


def _unreadable(path: Path, error: OSError) -> DataError:
    return DataError(
        f"{path}: cannot be read ({error.strerror or error}): give this user the right to read it and to enter the "
        f"folders above it, or name other folders with {DATA_VARIABLE} and {CACHE_VARIABLE}"
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
