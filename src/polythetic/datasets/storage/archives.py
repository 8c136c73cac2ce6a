"""Zip archives, read in place and never unpacked, refused before anything in them is trusted."""

from __future__ import annotations

import lzma
import re
import stat
import struct
import zipfile
import zlib
from pathlib import Path

from polythetic.datasets.storage.web_page import ENOUGH, is_web_page
from polythetic.errors import DataError

# No picture comes near these. One member must fit in memory, as it is read whole; and Deflate can expand at most
# 1032-fold, which nothing but a bomb (or a large file of zeros) reaches. Small files of one value may, harmlessly.
LARGEST_MEMBER = 2**30
LARGEST_RATIO = 1000
RATIO_MATTERS_FROM = 100 * 10**6

AGAIN = "delete it and get it again"


def open_zip(path: Path, *, largest: int = LARGEST_MEMBER) -> zipfile.ZipFile:
    """Open a zip archive to be read in place; use it as a context manager.

    Args:
        path: the archive.
        largest: the most bytes that one member may have, unpacked.

    Raises:
        DataError: it is not a zip archive, is cut short, or has a member with an unsafe name, a symbolic link, an
            encrypted member, or one that expands absurdly.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     with zipfile.ZipFile(path := Path(folder) / "a.zip", "w") as made:
    ...         made.writestr("b/c.txt", "hello")
    ...     with open_zip(path) as archive:
    ...         read_member(archive, "b/c.txt")
    b'hello'
    """
    archive = _open(path)
    try:
        for member in archive.infolist():
            if wrong := _wrong_with(member, largest):
                raise DataError(f"{path}: member {member.orig_filename!r} {wrong}: not used; get it from its makers")
    except BaseException:
        archive.close()
        raise
    return archive


def read_member(archive: zipfile.ZipFile, name: str) -> bytes:
    """Return a member's content; an error names the archive and the member."""
    try:
        return archive.read(name)
    except KeyError:
        raise DataError(f"{archive.filename}: has no member {name!r}: {AGAIN}") from None
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        struct.error,
        EOFError,
        NotImplementedError,  # a method of compression that this Python has not
        RuntimeError,  # encrypted
        OSError,
        ValueError,
    ) as error:
        raise DataError(f"{archive.filename}: member {name!r} is damaged ({error}): {AGAIN}") from error


def _open(path: Path) -> zipfile.ZipFile:
    try:
        with path.open("rb") as file:
            start = file.read(ENOUGH)
        return zipfile.ZipFile(path)
    except OSError as error:
        raise DataError(f"{path}: cannot be read ({error.strerror or error})") from error
    except (zipfile.BadZipFile, struct.error, ValueError, NotImplementedError) as error:
        if is_web_page(start):
            what = "an HTML page, not an archive: the download was answered by a web page"
        elif start.startswith(b"PK\x03\x04"):
            what = "a zip archive that is cut short or damaged"
        else:
            what = "empty" if not start else "not a zip archive"
            raise DataError(f"{path}: {what}: check that the path is right, or get the file again") from error
        raise DataError(f"{path}: {what}: {AGAIN}") from error


def _wrong_with(member: zipfile.ZipInfo, largest: int) -> str:
    """Say what is wrong with a member, by what its entry in the archive says; nothing is read."""
    name = member.orig_filename  # as it is in the file; ZipInfo.filename is tidied
    if name.startswith("/") or re.match("[A-Za-z]:", name):
        return "has an absolute path"
    if "\\" in name or "\0" in name:
        return "has a backslash or a null in its path"
    if ".." in name.split("/"):
        return "leads out of its folder"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a symbolic link"
    if member.flag_bits & 0x1:
        return "is encrypted"
    if member.file_size > largest:
        return f"unpacks to {member.file_size:,} bytes, more than the {largest:,} allowed"
    if member.file_size > RATIO_MATTERS_FROM and member.file_size > LARGEST_RATIO * member.compress_size:
        return f"unpacks from {member.compress_size:,} to {member.file_size:,} bytes, as archives made to harm do"
    return ""
