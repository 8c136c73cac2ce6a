import gzip
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from polythetic.datasets.storage import idx
from polythetic.datasets.storage.idx import read_idx, write_idx
from polythetic.errors import DataError
from tests.serving import PAGE

PICTURES = np.arange(2 * 3 * 4, dtype=np.uint8).reshape(2, 3, 4)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "pictures.gz"


def refuse(path, content: bytes, match: str):
    path.write_bytes(content)
    with pytest.raises(DataError, match=match) as error:
        read_idx(path)
    assert str(path) in str(error.value)


@given(array=arrays(np.uint8, array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=5)), packed=st.booleans())
def test__read_idx__what_was_written__is_the_same(array, packed, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "written.idx"
    path.write_bytes(gzip.compress(write_idx(array)) if packed else write_idx(array))

    np.testing.assert_array_equal(read_idx(path), array)


def test__write_idx__order_in_memory__does_not_matter():
    assert write_idx(PICTURES.T) == write_idx(np.ascontiguousarray(PICTURES.T))


@pytest.mark.parametrize("length", [1, 11, 20, -9, -1])
def test__read_idx__gzip_cut_short__says_so(path, length):
    refuse(path, gzip.compress(write_idx(PICTURES))[:length], "cut short|not an IDX file")


def test__read_idx__gzip_with_flipped_bits__says_damaged(path):
    content = bytearray(gzip.compress(write_idx(np.tile(PICTURES, (10, 10, 10)))))
    content[len(content) // 2] ^= 0xFF
    refuse(path, bytes(content), "damaged|cut short|announces")


def test__read_idx__wrong_sum_at_the_end__says_damaged(path):
    content = bytearray(gzip.compress(write_idx(PICTURES)))
    content[-5] ^= 0xFF
    refuse(path, bytes(content), "damaged")


@pytest.mark.parametrize("magic", [b"", b"\x00\x00", b"\x00\x00\x0d\x01", b"\x93NUMPY", b"PK\x03\x04"])
def test__read_idx__wrong_magic__says_what_it_starts_with(path, magic):
    refuse(path, magic, "not an IDX file of bytes")


def test__read_idx__web_page__says_so(path):
    refuse(path, PAGE, "an HTML page, not an IDX file")


def test__read_idx__header_cut_short__says_so(path):
    refuse(path, write_idx(PICTURES)[:10], "cut short within its header")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test__read_idx__fewer_bytes_than_announced__says_how_many(path, pack):
    refuse(path, pack(write_idx(PICTURES)[:-1]), r"announces 2 × 3 × 4 = 24 bytes but has only 23")


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test__read_idx__more_bytes_than_announced__says_so(path, pack):
    refuse(path, pack(write_idx(PICTURES) + b"x"), "but has more")


def test__read_idx__absurd_sizes__are_refused_unread(path):
    refuse(path, struct.pack(">BBBBIII", 0, 0, 8, 3, 2**32 - 1, 2**32 - 1, 2**32 - 1), "more than the")


def test__read_idx__bomb__is_read_no_further_than_announced(path, monkeypatch):
    monkeypatch.setattr(idx, "LARGEST", 100)
    refuse(path, gzip.compress(write_idx(PICTURES) + bytes(10**7)), "but has more")


def test__read_idx__nothing_there__names_it(path):
    with pytest.raises(DataError, match=r"pictures\.gz: cannot be read"):
        read_idx(path)
