import io

import numpy as np
import pytest
from PIL import Image

from polythetic.datasets.storage.pictures import as_size, decode, dimensions
from polythetic.errors import DataError, InputError
from tests.drawn import encoded, picture

ORIENTATION = 0x0112


def with_exif(array, orientation, form):
    exif = Image.Exif()
    exif[ORIENTATION] = orientation
    return encoded(array, form, exif=exif)


def test__decode__png__has_the_same_bytes_channels_first():
    array = picture(height=5, width=7)

    found = decode(encoded(array), name="a.png")

    assert found.dtype == np.uint8
    assert np.array_equal(found, array.transpose(2, 0, 1))


def test__decode__grey_wanted__has_one_channel():
    array = picture(height=5, width=7, channels=1)

    assert np.array_equal(decode(encoded(array), name="a.png", channels=1)[0], array[..., 0])
    assert np.array_equal(decode(encoded(array), name="a.png", channels=3)[2], array[..., 0])


@pytest.mark.parametrize(("orientation", "turned"), [(6, lambda a: np.rot90(a, -1)), (3, lambda a: np.rot90(a, 2))])
def test__decode__camera_was_turned__is_upright(orientation, turned):
    array = picture(height=5, width=7)
    content = with_exif(array, orientation, "PNG")

    found = decode(content, name="a.png")

    assert np.array_equal(found, turned(array).transpose(2, 0, 1))
    assert dimensions(io.BytesIO(content), name="a.png") == found.shape[1:]


def test__dimensions__turned_jpeg__are_those_decoded():
    content = with_exif(picture(height=5, width=7), 8, "JPEG")

    assert dimensions(io.BytesIO(content), name="a.jpg") == (7, 5) == decode(content, name="a.jpg").shape[1:]


def test__decode__transparent_pixels__are_white():
    array = np.zeros((2, 2, 4), np.uint8)
    array[0, 0] = (10, 20, 30, 255)
    palette = Image.fromarray(np.array([[0, 1]], np.uint8), "L").convert("P")
    palette.putpalette([10, 20, 30, 40, 50, 60])
    file = io.BytesIO()
    palette.save(file, "PNG", transparency=1)

    assert decode(encoded(array), name="a.png")[:, 0, 0].tolist() == [10, 20, 30]
    assert (decode(encoded(array), name="a.png")[:, 1] == 255).all()
    assert decode(file.getvalue(), name="p.png")[:, 0].T.tolist() == [[10, 20, 30], [255, 255, 255]]


def test__decode__sixteen_bit_grey__keeps_the_upper_eight():
    file = io.BytesIO()
    Image.fromarray(np.array([[0, 300, 65535]], np.uint16)).save(file, "PNG")

    assert decode(file.getvalue(), name="a.png", channels=1).ravel().tolist() == [0, 1, 255]


def test__decode__floating_point__is_refused():
    file = io.BytesIO()
    Image.fromarray(np.zeros((2, 2), np.float32)).save(file, "TIFF")

    with pytest.raises(DataError, match=r"a\.tif: has pixels of mode F"):
        decode(file.getvalue(), name="a.tif")


def test__decode__size_of_other_proportions__is_cut_about_the_centre_not_stretched():
    array = np.zeros((10, 30, 1), np.uint8)
    array[:, 10:20] = 255

    assert (decode(encoded(array), name="a.png", size=(5, 5), channels=1) == 255).all()


def test__decode__size_it_has__is_untouched():
    array = picture(height=5, width=7)

    assert np.array_equal(decode(encoded(array), name="a.png", size=(5, 7)), array.transpose(2, 0, 1))


@pytest.mark.parametrize("content", [b"", b"<html></html>", b"\x89PNG\r\n\x1a\n", b"%!PS-Adobe-3.0 EPSF-3.0\n"])
def test__decode__no_picture__is_an_error_with_its_name(content):
    with pytest.raises(DataError, match=r"photos/a\.jpg: not a picture"):
        decode(content, name="photos/a.jpg")


def test__decode__postscript__is_not_run():
    content = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n%%EndComments\n(made) print\nshowpage\n%%EOF\n"
    assert Image.open(io.BytesIO(content)).format == "EPS"

    with pytest.raises(DataError, match="not a picture"):
        decode(content, name="a.eps")


@pytest.mark.parametrize("form", ["JPEG", "PNG", "GIF", "BMP"])
def test__decode__cut_short__is_an_error_with_its_name(form):
    content = encoded(picture(height=64, width=64), form)

    with pytest.raises(DataError, match=r"a\.jpg: damaged or cut short"):
        decode(content[: len(content) * 2 // 3], name="a.jpg")


def test__decode__decompression_bomb__is_refused_before_it_unpacks(monkeypatch):
    content = encoded(picture(height=30, width=30))
    for limit in (899, 400):  # what Pillow would warn of, and what it would refuse
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", limit)

        with pytest.raises(DataError, match=r"a\.png: larger than Pillow thinks safe"):
            decode(content, name="a.png")
        with pytest.raises(DataError, match="larger"):
            dimensions(io.BytesIO(content), name="a.png")


def test__decode__channels_unknown__is_refused():
    with pytest.raises(InputError, match="channels = 4"):
        decode(b"", name="a.png", channels=4)


@pytest.mark.parametrize("size", [0, -1, (3, 0), (1, 2, 3), 2.5, "9"])
def test__as_size__not_a_size__is_refused(size):
    with pytest.raises(InputError, match="size = "):
        as_size(size)
