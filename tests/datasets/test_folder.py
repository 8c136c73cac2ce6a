import pickle
import re
import tempfile
from pathlib import Path

import numpy as np
import pytest

from polythetic.datasets.folder import read_folder
from polythetic.datasets.storage import picture_files
from polythetic.datasets.storage.containers import container
from polythetic.errors import DataError, InputError, MissingDataError
from tests.drawn import encoded, picture, put_all

PETS = {f"{name}.png": encoded(picture(k)) for k, name in enumerate(["cat/1", "cat/2", "dog/1", "emu/1", "emu/2"])}
TREE = {
    f"{name}.png": encoded(picture(k)) for k, name in enumerate(["big/cat/1", "big/dog/1", "big/dog/2", "small/cat/1"])
}

READ_IN_FORKS = """
import multiprocessing, sys
import numpy as np
from polythetic.datasets.folder import read_folder

found = read_folder(sys.argv[1]).examples
whole = found.take(np.arange(len(found)))  # the archive is open before the processes part

def same(seed):
    numbers = np.random.default_rng(seed).integers(0, len(found), 50)
    return all(np.array_equal(found.take(numbers), whole[numbers]) for _ in range(5))

with multiprocessing.get_context("fork").Pool(3) as pool:
    print(pool.map(same, range(6)))
"""

READ_AS_NOBODY = """
import os, sys
from PIL import Image
from polythetic.datasets.folder import read_folder
from polythetic.errors import DataError
Image.init()
if os.getuid() == 0:
    try:
        os.setgroups([]), os.setgid(65534), os.setuid(65534)
    except OSError as error:
        sys.exit(print("IMPOSSIBLE", error))
try:
    read_folder(sys.argv[1])
except DataError as error:
    print("DATA", error)
"""


@pytest.fixture(params=["pets", "pets.zip"])
def place(request, tmp_path):
    return tmp_path / request.param


def test__read_folder__a_folder_a_class__has_them_in_order(place):
    pets = read_folder(put_all(place, PETS))

    assert pets.class_names == pets.category_names == ("cat", "dog", "emu")
    assert [members.tolist() for members in pets.members] == [[0, 1], [2], [3, 4]]
    assert pets.examples.shape == (3, 9, 9)
    assert str(place) in pets.source


def test__take__any_numbers__are_the_pictures_in_their_order(place):
    found = read_folder(put_all(place, PETS)).examples

    taken = found.take(np.array([[4, 0], [2, 2]]))

    assert taken.dtype == np.float32
    assert taken.shape == (2, 2, 3, 9, 9)
    for row, number in zip(taken.reshape(-1, 3, 9, 9), [4, 0, 2, 2], strict=True):
        assert np.allclose(row, picture(number).transpose(2, 0, 1) / 255)


def test__take__threads__change_nothing(place, monkeypatch):
    found = read_folder(put_all(place, PETS)).examples
    one_by_one = found.take(np.arange(5))
    monkeypatch.setattr(picture_files, "THREADS_FROM", 1)

    assert np.array_equal(found.take(np.arange(5)), one_by_one)


def test__read_folder__categories__hold_classes_of_the_same_name_apart(place):
    tree = read_folder(put_all(place, TREE))

    assert tree.class_names == ("big/cat", "big/dog", "small/cat")
    assert tree.category_names == ("big", "small")
    assert tree.categories.tolist() == [0, 0, 1]


def test__read_folder__a_folder_around_all__does_not_matter(place):
    around = read_folder(put_all(place, {f"all/{name}": content for name, content in TREE.items()}))

    assert around.class_names == ("big/cat", "big/dog", "small/cat")


def test__read_folder__levels__says_what_is_a_class(place):
    put_all(place, {name: content for name, content in TREE.items() if name.startswith("big")})

    assert read_folder(place).category_names == ("big",)
    assert read_folder(place, levels=1).category_names == ("cat", "dog")


def test__read_folder__other_files__are_passed_over(place):
    more = {"readme.txt": b"", ".hidden/1.png": b"", "cat/.1.png": b"", "__MACOSX/cat/._1.png": b"", "cat/a.csv": b""}

    assert len(read_folder(put_all(place, PETS | more))) == 5


def test__read_folder__size_and_channels__are_those_of_the_examples(place):
    put_all(place, PETS | {"cat/large.jpg": encoded(picture(height=40, width=30), "JPEG")})

    assert read_folder(place, size=8, channels=1).examples.take(np.arange(6)).shape == (6, 1, 8, 8)
    assert read_folder(place, size=(6, 4)).examples.take(np.arange(6)).shape == (6, 3, 6, 4)


def test__read_folder__different_sizes__is_an_error_with_both(place):
    put_all(place, PETS | {"dog/2.png": encoded(picture(height=8, width=9))})

    with pytest.raises(DataError, match=r"dog/2\.png: has 8 × 9 pixels, cat/1\.png 9 × 9: give size="):
        read_folder(place)


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({"readme.txt": b""}, "no pictures in it"),
        (PETS | {"1.png": b""}, "has 1.png: expected class/picture"),
        (PETS | {"dog/pug/1.png": b""}, "has both cat/1.png and dog/pug/1.png: expected class/picture"),
        ({f"{k}/{name}": content for k in "ab" for name, content in TREE.items()}, "no more than one folder around"),
        (PETS | {"dog/2.png": b"<html>"}, "dog/2.png: not a picture"),
    ],
)
def test__read_folder__not_as_it_should_be__is_an_error(place, files, said):
    with pytest.raises(DataError, match=re.escape(said)) as caught:
        read_folder(put_all(place, files))

    assert str(place) in str(caught.value)


def test__take__a_file_that_is_no_picture__is_an_error_with_its_name(place):
    put_all(place, PETS | {"dog/2.png": b"<html>", "dog/3.jpg": encoded(picture(), "JPEG")[:-100]})
    found = read_folder(place, size=9).examples

    with pytest.raises(DataError, match=r"pets.*: dog/2\.png: not a picture"):
        found.take(np.array([3]))
    with pytest.raises(DataError, match=r"pets.*: dog/3\.jpg: "):
        found.take(np.array([4]))


def test__take__a_file_that_is_gone__is_an_error_with_its_name(tmp_path):
    found = read_folder(put_all(tmp_path / "pets", PETS)).examples
    (tmp_path / "pets/cat/1.png").unlink()

    with pytest.raises(DataError, match=r"cat/1\.png: cannot be read"):
        found.take(np.array([0]))


def test__read_folder__nothing_there__is_missing(tmp_path):
    with pytest.raises(MissingDataError, match=r"nowhere: there is no such folder"):
        read_folder(tmp_path / "nowhere")


def test__read_folder__web_page_called_zip__is_an_error(tmp_path):
    (tmp_path / "pets.zip").write_bytes(b"<!DOCTYPE html><html>please log in</html>")

    with pytest.raises(DataError, match=r"pets\.zip: an HTML page"):
        read_folder(tmp_path / "pets.zip")


@pytest.mark.parametrize(("argument", "value"), [("levels", 3), ("levels", 0), ("channels", 2), ("size", 0)])
def test__read_folder__impossible_argument__is_refused(tmp_path, argument, value):
    with pytest.raises(InputError, match=f"{argument} = {value}"):
        read_folder(tmp_path, **{argument: value})


def test__read_folder__link_that_leads_back__ends(tmp_path):
    put_all(tmp_path / "pets", PETS)
    (tmp_path / "pets/cat/loop").symlink_to(tmp_path / "pets")

    with pytest.raises(DataError, match="has both"):
        read_folder(tmp_path / "pets")


def test__files__pickled__take_the_same(place):
    found = read_folder(put_all(place, PETS)).examples
    before = found.take(np.arange(5))  # now an archive is open

    again = pickle.loads(pickle.dumps(found))

    assert np.array_equal(again.take(np.arange(5)), before)


def test__files__forked__each_process_reads_for_itself(place, run):
    assert run(READ_IN_FORKS, put_all(place, PETS)) == str([True] * 6)


def test__container__names__are_the_same_of_folder_and_archive(tmp_path):
    folder, archive = put_all(tmp_path / "a", TREE), put_all(tmp_path / "a.zip", TREE)

    assert sorted(container(folder).names()) == sorted(container(archive).names()) == sorted(TREE)


@pytest.mark.parametrize("closed", [".", "dog", "dog/1.png"])
def test__read_folder__closed_to_the_user__is_an_error_with_the_path(run, closed):
    with tempfile.TemporaryDirectory() as name:  # pytest's own folders are closed to others
        Path(name).chmod(0o755)
        path = put_all(Path(name) / "pets", PETS) / closed
        path.chmod(0)
        said = run(READ_AS_NOBODY, Path(name) / "pets")
        path.chmod(0o755)

    if said.startswith("IMPOSSIBLE"):
        pytest.skip(f"root may read everything, and cannot become nobody here: {said}")
    assert said.startswith(f"DATA {path}: cannot be read (Permission denied)")
