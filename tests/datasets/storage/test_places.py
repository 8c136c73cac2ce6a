import re
import tempfile
from pathlib import Path

import pytest

from polythetic.datasets.storage.places import cache_folder, look_for, missing
from polythetic.errors import DataError, MissingDataError

# Root may read everything, so there the child becomes nobody first.
ASK_AS_NOBODY = """
import os, sys
import platformdirs
from polythetic.datasets.storage.places import look_for
from polythetic.errors import DataError, MissingDataError
if os.getuid() == 0:
    try:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)
    except OSError as error:
        print("IMPOSSIBLE", error)
        sys.exit()
try:
    print(look_for("mnist", ["a.gz"]))
except MissingDataError as error:
    print("MISSING", error)
except DataError as error:
    print("DATA", error)
"""


def put(folder, *files):
    folder.mkdir(parents=True, exist_ok=True)
    for file in files:
        (folder / file).write_bytes(b"x")
    return folder


def test__cache_folder__variable_set__is_that(own_cache):
    assert cache_folder() == own_cache


def test__cache_folder__variable_not_set__is_the_systems(monkeypatch):
    monkeypatch.delenv("POLYTHETIC_CACHE", raising=False)

    assert cache_folder().is_absolute()
    assert "polythetic" in str(cache_folder())


def test__cache_folder__home_in_variable__is_spelt_out(monkeypatch):
    monkeypatch.setenv("POLYTHETIC_CACHE", "~/somewhere")

    assert "~" not in str(cache_folder())


def test__look_for__all_files_in_data__is_their_folder(own_cache, tmp_path):
    folder = put(tmp_path / "data" / "mnist", "a.gz", "b.gz")
    put(own_cache / "mnist", "a.gz", "b.gz")

    assert look_for("mnist", ["a.gz", "b.gz"], tmp_path / "data") == folder
    assert look_for("mnist", ["a.gz", "b.gz"], str(tmp_path / "data")) == folder


def test__look_for__variable_names_the_folder__is_used(own_cache, tmp_path, monkeypatch):
    folder = put(tmp_path / "data" / "mnist", "a.gz")
    monkeypatch.setenv("POLYTHETIC_DATA", str(tmp_path / "data"))

    assert look_for("mnist", ["a.gz"]) == folder


def test__look_for__data_given__goes_before_the_variable(own_cache, tmp_path, monkeypatch):
    put(tmp_path / "one" / "mnist", "a.gz")
    folder = put(tmp_path / "two" / "mnist", "a.gz")
    monkeypatch.setenv("POLYTHETIC_DATA", str(tmp_path / "one"))

    assert look_for("mnist", ["a.gz"], tmp_path / "two") == folder


def test__look_for__some_files_in_data_all_in_cache__is_the_cache(own_cache, tmp_path):
    put(tmp_path / "data" / "mnist", "a.gz")
    folder = put(own_cache / "mnist", "a.gz", "b.gz")

    assert look_for("mnist", ["a.gz", "b.gz"], tmp_path / "data") == folder


def test__look_for__nowhere__is_none(own_cache, tmp_path):
    put(tmp_path / "data")

    assert look_for("mnist", ["a.gz"], tmp_path / "data") is None
    assert look_for("mnist", ["a.gz"]) is None


def test__look_for__empty_variable__is_no_folder(own_cache, monkeypatch):
    monkeypatch.setenv("POLYTHETIC_DATA", "")

    assert look_for("mnist", ["a.gz"]) is None


def test__look_for__no_such_folder__is_an_error_that_names_it(own_cache, tmp_path, monkeypatch):
    with pytest.raises(DataError, match=f"data = {re.escape(str(tmp_path / 'no'))}.*no such folder"):
        look_for("mnist", ["a.gz"], tmp_path / "no")

    monkeypatch.setenv("POLYTHETIC_DATA", str(tmp_path / "no"))
    with pytest.raises(DataError, match="POLYTHETIC_DATA = "):
        look_for("mnist", ["a.gz"])


def test__look_for__data_is_a_file__is_an_error(own_cache, tmp_path):
    put(tmp_path, "file")

    with pytest.raises(DataError, match="not a folder"):
        look_for("mnist", ["a.gz"], tmp_path / "file")


@pytest.fixture
def open_folder():
    """A folder that everyone may enter, as pytest's own are not."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


@pytest.mark.parametrize("closed", ["data", "data/mnist", "data/mnist/a.gz"])
def test__look_for__closed_to_the_user__is_an_error_not_missing(own_cache, open_folder, monkeypatch, run, closed):
    put(open_folder / "data" / "mnist", "a.gz")
    monkeypatch.setenv("POLYTHETIC_DATA", str(open_folder / "data"))
    (open_folder / closed).chmod(0)

    try:
        said = run(ASK_AS_NOBODY)
    finally:
        (open_folder / closed).chmod(0o755)

    if said.startswith("IMPOSSIBLE"):
        pytest.skip(f"root may read everything, and cannot become nobody here: {said}")
    assert said.startswith("DATA")
    assert "Permission denied" in said
    assert str(open_folder / "data") in said


def test__missing__no_file_anywhere__names_files_places_and_remedy(own_cache, tmp_path):
    error = missing("mnist", ["a.gz", "b.gz"], tmp_path, "do this")

    assert isinstance(error, MissingDataError)
    places = f"{tmp_path / 'mnist'} (data), nor in {own_cache / 'mnist'} (the cache)"
    assert str(error) == f"mnist: a.gz and b.gz are not in {places}: do this"


def test__missing__one_file_lacks__names_that(own_cache, tmp_path):
    put(tmp_path / "mnist", "a.gz")

    error = missing("mnist", ["a.gz", "b.gz"], tmp_path, "do this")

    assert f"{tmp_path / 'mnist'} (data) lacks b.gz; " in str(error)


def test__missing__no_data_folder__names_the_cache_alone(own_cache):
    error = missing("mnist", ["a.gz"], None, "do this")

    assert str(error) == f"mnist: a.gz is not in {own_cache / 'mnist'} (the cache): do this"
