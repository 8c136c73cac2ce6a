import stat
import zipfile
import zlib

import pytest

from polythetic.datasets.storage import archives
from polythetic.datasets.storage.archives import open_zip, read_member
from polythetic.errors import DataError
from tests.serving import PAGE


def zipped(path, *members, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in members:
            archive.writestr(name, content)
    return path


@pytest.fixture
def path(tmp_path):
    return tmp_path / "images.zip"


def test__open_zip__ordinary_archive__is_read_in_place(path, tmp_path):
    zipped(path, ("a/", b""), ("a/b.txt", b"hello"), ("a/b..c.txt", b"dots in a name are no harm"))

    with open_zip(path) as archive:
        assert read_member(archive, "a/b.txt") == b"hello"

    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("../up.txt", "leads out"),
        ("a/../../up.txt", "leads out"),
        ("..", "leads out"),
        ("/etc/passwd", "absolute"),
        ("C:/windows/system.ini", "absolute"),
        ("c:system.ini", "absolute"),
        ("..\\up.txt", "backslash"),
        ("a\\b.txt", "backslash"),
    ],
)
def test__open_zip__unsafe_name__is_refused_by_name(path, name, wrong):
    zipped(path, ("good.txt", b"x"), (name, b"x"))

    with pytest.raises(DataError, match=wrong) as error:
        open_zip(path)

    assert str(path) in str(error.value)
    assert repr(name) in str(error.value)


def test__open_zip__null_in_name__is_refused(path):
    zipped(path, ("good.txtX..", b"x"))
    path.write_bytes(path.read_bytes().replace(b"txtX..", b"txt\0.."))

    with pytest.raises(DataError, match="null"):
        open_zip(path)


def test__open_zip__symbolic_link__is_refused(path):
    link = zipfile.ZipInfo("link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    zipped(path, (link, b"/etc/passwd"))

    with pytest.raises(DataError, match=r"'link' is a symbolic link"):
        open_zip(path)


def test__open_zip__encrypted_member__is_refused(path):
    zipped(path, ("secret", b"x"))
    content = bytearray(path.read_bytes())
    content[content.index(b"PK\x01\x02") + 8] |= 1  # the flag in the central directory
    path.write_bytes(content)

    with pytest.raises(DataError, match="encrypted"):
        open_zip(path)


def test__open_zip__html_page__says_so(path):
    path.write_bytes(PAGE)

    with pytest.raises(DataError, match="an HTML page, not an archive: the download was answered by a web page"):
        open_zip(path)


def test__open_zip__cut_short__says_so(path):
    content = zipped(path, *((f"{k}.txt", b"x" * k) for k in range(50))).read_bytes()
    path.write_bytes(content[: len(content) // 2])

    with pytest.raises(DataError, match=r"images\.zip: a zip archive that is cut short"):
        open_zip(path)


@pytest.mark.parametrize(("content", "what"), [(b"", "empty"), (b"\x89PNG\r\n", "not a zip archive")])
def test__open_zip__something_else__says_so(path, content, what):
    path.write_bytes(content)

    with pytest.raises(DataError, match=what):
        open_zip(path)


def test__open_zip__nothing_there__names_it(path):
    with pytest.raises(DataError, match=r"images\.zip: cannot be read"):
        open_zip(path)


def test__open_zip__bomb__is_refused_unread(path, monkeypatch):
    zipped(path, ("zeros", bytes(3_000_000)))
    monkeypatch.setattr(archives, "RATIO_MATTERS_FROM", 2_000_000)

    with pytest.raises(DataError, match=r"'zeros' unpacks from 2,\d+ to 3,000,000 bytes"):
        open_zip(path)


def test__open_zip__larger_member_than_allowed__is_refused(path):
    zipped(path, ("large", b"x" * 1001), compression=zipfile.ZIP_STORED)

    open_zip(path, largest=1001).close()
    with pytest.raises(DataError, match="unpacks to 1,001 bytes, more than the 1,000 allowed"):
        open_zip(path, largest=1000)


def test__open_zip__small_file_of_one_value__is_no_bomb(path):
    zipped(path, ("blank.pbm", bytes(1_000_000)))

    with open_zip(path) as archive:
        assert len(read_member(archive, "blank.pbm")) == 1_000_000


def test__read_member__no_such_member__names_archive_and_member(path):
    zipped(path, ("a", b"x"))

    with open_zip(path) as archive, pytest.raises(DataError, match=r"images\.zip: has no member 'b'"):
        read_member(archive, "b")


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test__read_member__damaged_content__names_archive_and_member(path, compression):
    body = b"".join(zlib.crc32(bytes([k % 256, k // 256])).to_bytes(4, "big") for k in range(2000))
    zipped(path, ("noise", body), compression=compression)
    content = bytearray(path.read_bytes())
    content[60:3000] = bytes(2940)
    path.write_bytes(content)

    with open_zip(path) as archive, pytest.raises(DataError, match=r"images\.zip: member 'noise' is damaged"):
        read_member(archive, "noise")


def test__read_member__entry_that_lies_about_its_size__is_not_read_beyond(path):
    zipped(path, ("liar", b"x" * 100_000))
    content = bytearray(path.read_bytes())
    entry = content.index(b"PK\x01\x02")
    content[entry + 24 : entry + 28] = (10).to_bytes(4, "little")
    path.write_bytes(content)

    with open_zip(path) as archive, pytest.raises(DataError, match="'liar' is damaged"):
        read_member(archive, "liar")
