import pickle
import zipfile

import numpy as np
import pytest

from polythetic.datasets.storage.npz_arrays import mapped_pictures
from polythetic.errors import DataError
from tests.drawn import picture

IMAGES = np.stack([picture(seed, 12, 10) for seed in range(5)])
EXPECTED = IMAGES.transpose(0, 3, 1, 2) / np.float32(255)


@pytest.fixture
def path(own_cache, tmp_path):
    return tmp_path / "test_images.npz"


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
@pytest.mark.parametrize("images", [IMAGES, np.asfortranarray(IMAGES)])
def test__take__stored_or_compressed__gives_the_pictures(path, save, images):
    save(path, other=np.arange(3), images=images)

    found = mapped_pictures(path, "images")

    assert (len(found), found.shape) == (5, (3, 12, 10))
    assert np.array_equal(found.take(np.arange(5)), EXPECTED)
    assert np.array_equal(found.take(np.array([[3, 0]])), EXPECTED[None, [3, 0]])


def test__mapped_pictures__stored__are_mapped_where_they_lie(path, own_cache):
    np.savez(path, images=IMAGES)

    found = mapped_pictures(path, "images")
    found.take(np.arange(1))

    assert found.path == path
    assert isinstance(found._mapped.base, np.memmap)
    assert path.read_bytes()[found.offset :].startswith(IMAGES.tobytes())
    assert not own_cache.exists()


def test__mapped_pictures__compressed__are_unpacked_once(path, own_cache, monkeypatch):
    np.savez_compressed(path, images=IMAGES)
    first = mapped_pictures(path, "images")
    monkeypatch.setattr("polythetic.datasets.storage.npz_arrays.replacing", None)

    again = mapped_pictures(path, "images")

    assert first.path == again.path
    assert first.path.is_relative_to(own_cache)
    assert np.array_equal(again.take(np.arange(5)), EXPECTED)


def test__mapped_pictures__pickled__leave_the_map_behind(path):
    np.savez(path, images=np.repeat(IMAGES, 100, axis=0))
    found = mapped_pictures(path, "images")
    found.take(np.arange(5))

    again = pickle.loads(pickle.dumps(found))

    assert len(pickle.dumps(found)) < 1_000
    assert np.array_equal(again.take(np.array([499])), EXPECTED[[4]])


def test__take__size__is_that(path):
    np.savez(path, images=IMAGES)

    assert mapped_pictures(path, "images", size=(4, 6)).take(np.arange(5)).shape == (5, 3, 4, 6)
    assert np.array_equal(mapped_pictures(path, "images", size=(12, 10)).take(np.arange(5)), EXPECTED)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"pictures": IMAGES}, "has no array 'images', but pictures.npy"),
        ({"images": IMAGES.astype(np.float32)}, "is float32"),
        ({"images": IMAGES[..., 0]}, "expected bytes"),
        ({"images": np.array([{}], dtype=object)}, "is object"),
    ],
)
def test__mapped_pictures__another_array__is_an_error(path, arrays, said):
    np.savez(path, **arrays)

    with pytest.raises(DataError, match=said):
        mapped_pictures(path, "images")


def test__mapped_pictures__shape_larger_than_the_file__is_an_error(path):
    np.savez(path, images=IMAGES)
    content = path.read_bytes()
    path.write_bytes(content.replace(b"(5, 12, 10, 3)", b"(9, 12, 10, 3)"))

    with pytest.raises(DataError, match="cut short"):
        mapped_pictures(path, "images")


def test__mapped_pictures__damaged_compressed_data__is_an_error_and_nothing_is_kept(path, own_cache):
    np.savez_compressed(path, images=IMAGES)
    with zipfile.ZipFile(path) as archive:
        start = archive.getinfo("images.npy").header_offset + 100
    content = bytearray(path.read_bytes())
    content[start : start + 20] = bytes(20)
    path.write_bytes(content)

    with pytest.raises(DataError, match=r"test_images\.npz: member 'images\.npy' is damaged"):
        mapped_pictures(path, "images")
    assert not list((own_cache / "decoded").glob("*.npy"))


@pytest.mark.parametrize("content", [b"", b"<html></html>", b"PK\x03\x04 and nothing more"])
def test__mapped_pictures__not_an_archive__is_an_error(path, content):
    path.write_bytes(content)

    with pytest.raises(DataError, match=r"test_images\.npz: "):
        mapped_pictures(path, "images")
