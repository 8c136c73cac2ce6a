import pickle
import struct

import numpy as np
import pytest

from polythetic.datasets.storage.png_pickles import PickledPictures, index_of
from polythetic.errors import DataError
from tests.drawn import encoded, picture

ARRAYS = [picture(seed, 12, 10) for seed in range(5)]
PNGS = [encoded(array) for array in ARRAYS]
EXPECTED = np.stack(ARRAYS).transpose(0, 3, 1, 2) / np.float32(255)


class Hostile:
    """Unpickled, it would write a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return (open, (str(self.path), "w"))


def string(content):
    """A string as Python 2 pickles it."""
    return b"T" + struct.pack("<i", len(content)) + content


def array(content):
    """An array of bytes [n, 1], as OpenCV encodes pictures, as Python 2 pickles it by protocol 2."""
    empty = b"cnumpy.core.multiarray\n_reconstruct\ncnumpy\nndarray\nK\x00\x85U\x01b\x87R"
    kind = b"cnumpy\ndtype\nU\x02u1K\x00K\x01\x87R(K\x03U\x01|NNNJ\xff\xff\xff\xffJ\xff\xff\xff\xffK\x00tb"
    return (
        empty + b"(K\x01M" + struct.pack("<H", len(content)) + b"K\x01\x86" + kind + b"\x89" + string(content) + b"tb"
    )


def by_python_2(items):
    return b"\x80\x02]q\x01(" + b"".join(items) + b"e."


def as_arrays(pngs):
    return [np.frombuffer(png, np.uint8).reshape(-1, 1) for png in pngs]


PICKLES = {
    "Python 2, strings": by_python_2(map(string, PNGS)),
    "Python 2, arrays": by_python_2(map(array, PNGS)),
    **{f"protocol {protocol}, bytes": pickle.dumps(PNGS, protocol) for protocol in (1, 2, 3, 4, 5)},
    **{f"protocol {protocol}, arrays": pickle.dumps(as_arrays(PNGS), protocol) for protocol in (2, 3, 4, 5)},
    "bytearrays": pickle.dumps([bytearray(png) for png in PNGS], 5),
}


@pytest.fixture
def write(own_cache, tmp_path):
    def to_file(content):
        path = tmp_path / "test_images_png.pkl"
        path.write_bytes(content)
        return path

    return to_file


@pytest.mark.parametrize("name", PICKLES)
def test__take__any_way_of_pickling__gives_the_pictures(write, name):
    path = write(PICKLES[name])

    found = PickledPictures(path, index_of(path), (3, 12, 10))

    assert len(found) == 5
    assert np.array_equal(found.take(np.arange(5)), EXPECTED)
    assert np.array_equal(found.take(np.array([[3, 0]])), EXPECTED[None, [3, 0]])


def test__arrays_of_python_2__as_made_here__are_what_pickle_reads():
    found = pickle.loads(PICKLES["Python 2, arrays"], encoding="latin1")

    assert [item.tobytes() for item in found] == PNGS
    assert found[0].shape == (len(PNGS[0]), 1)


@pytest.mark.parametrize("protocol", [0, 2, 5])
def test__index_of__a_hostile_pickle__runs_nothing(write, tmp_path, protocol):
    path = write(pickle.dumps([Hostile(tmp_path / "written"), *PNGS], protocol))

    found = index_of(path)

    assert not (tmp_path / "written").exists()
    assert len(found) == (5 if protocol else 0)


def test__index_of__text_within_a_string__is_no_picture(write):
    path = write(pickle.dumps([b"see " + PNGS[0], "\x89PNG", PNGS[1]], 4))

    assert len(index_of(path)) == 1


def test__index_of__second_time__is_not_scanned_again(write, monkeypatch):
    path = write(PICKLES["protocol 4, bytes"])
    first = index_of(path)
    monkeypatch.setattr("polythetic.datasets.storage.png_pickles._scan", None)

    assert np.array_equal(index_of(path), first)
    assert isinstance(index_of(path).base, np.memmap)


def test__index_of__another_file_of_the_name__is_scanned(write):
    assert len(index_of(write(PICKLES["protocol 4, bytes"]))) == 5
    assert len(index_of(write(pickle.dumps(PNGS[:2], 4)))) == 2


@pytest.mark.parametrize(
    "content", [b"", b"<html></html>", PICKLES["protocol 4, bytes"][:-200], b"\x80\x04\x8e" + b"\xff" * 7 + b"\x3f"]
)
def test__index_of__not_a_pickle_or_cut_short__is_an_error(write, content):
    path = write(content)

    with pytest.raises(DataError, match=r"test_images_png\.pkl: not a pickle, or cut short"):
        index_of(path)


def test__take__a_damaged_picture__is_an_error_with_its_number(write):
    path = write(pickle.dumps([PNGS[0], PNGS[1][:60], PNGS[2]], 4))
    found = PickledPictures(path, index_of(path), (3, 12, 10))

    assert found.take(np.array([0, 2])).shape == (2, 3, 12, 10)
    with pytest.raises(DataError, match=r"test_images_png\.pkl: picture 1: "):
        found.take(np.array([1]))


def test__take__another_size__is_refused_or_resized(write):
    path = write(pickle.dumps([PNGS[0], encoded(picture(9, 20, 20))], 4))

    with pytest.raises(DataError, match="picture 1: has 20 × 20 pixels"):
        PickledPictures(path, index_of(path), (3, 12, 10)).take(np.array([1]))
    assert PickledPictures(path, index_of(path), (3, 6, 6), resize=True).take(np.arange(2)).shape == (2, 3, 6, 6)


def test__pickled_pictures__pickled__leave_the_map_behind(write):
    path = write(PICKLES["protocol 4, bytes"])
    found = PickledPictures(path, index_of(path), (3, 12, 10))
    found.take(np.arange(5))

    again = pickle.loads(pickle.dumps(found))

    assert len(pickle.dumps(found)) < 1_000
    assert np.array_equal(again.take(np.arange(5)), EXPECTED)
