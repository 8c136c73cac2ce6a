"""The official release of tieredImageNet, made up small in every way it may be written."""

import pickle
from collections.abc import Mapping

import numpy as np
import pytest

from polythetic.datasets.tiered import tiered
from polythetic.errors import DataError, MissingDataError
from tests.drawn import encoded, picture

COUNTS = {"train": 12, "val": 6, "test": 8}
STARTS = {"train": 0, "val": 12, "test": 18}


def images_of(split):
    return np.stack([picture(STARTS[split] + k, 84, 84) for k in range(COUNTS[split])])


def labels_of(split, **changes):
    """Four classes (two in val), two a category; pictures take turns."""
    classes = 2 if split == "val" else 4
    return {
        "label_specific": np.arange(COUNTS[split], dtype=np.int32) % classes,
        "label_general": np.arange(COUNTS[split], dtype=np.int32) % classes // 2,
        "label_specific_str": [f"{split} class {k}" for k in range(classes)],
        "label_general_str": [f"{split} category {k}" for k in range(classes // 2)],
    } | changes


WAYS = {
    "PNG bytes, protocol 2": lambda images, path: png(images, path, bytes, 2),
    "PNG bytes, protocol 5": lambda images, path: png(images, path, bytes, 5),
    "PNG arrays, protocol 2": lambda images, path: png(images, path, column, 2),
    "PNG arrays, protocol 4": lambda images, path: png(images, path, column, 4),
    "npz": lambda images, path: np.savez(f"{path}_images.npz", images=images),
    "npz, compressed": lambda images, path: np.savez_compressed(f"{path}_images.npz", images=images),
}


def column(content):
    return np.frombuffer(content, np.uint8).reshape(-1, 1)


def png(images, path, kind, protocol):
    content = pickle.dumps([kind(encoded(image)) for image in images], protocol)
    path.with_name(f"{path.name}_images_png.pkl").write_bytes(content)


@pytest.fixture
def release(own_cache, tmp_path):
    """Return a function that writes a release and returns the folder of data."""
    folder = tmp_path / "data" / "tiered-imagenet"
    folder.mkdir(parents=True)

    def write(way="npz", splits=COUNTS, protocol=4, **changes):
        for split in splits:
            how = way[split] if isinstance(way, Mapping) else way
            WAYS[how](images_of(split), folder / split)
            labels = labels_of(split, **changes)
            (folder / f"{split}_labels.pkl").write_bytes(pickle.dumps(labels, protocol))
        return tmp_path / "data"

    return write


@pytest.mark.parametrize("way", WAYS)
def test__tiered__official__any_way_it_is_written__is_read(release, way):
    found = tiered("evaluation", data=release(way))

    assert found.class_names == tuple(f"test class {k}" for k in range(4))
    assert found.category_names == ("test category 0", "test category 1")
    assert found.categories.tolist() == [0, 0, 1, 1]
    assert [members.tolist() for members in found.members] == [[18, 22], [19, 23], [20, 24], [21, 25]]
    assert found.examples.shape == (3, 84, 84)
    assert len(found.examples) == 26
    taken = found.examples.take(np.array([25, 18]))
    assert np.array_equal(taken, images_of("test")[[7, 0]].transpose(0, 3, 1, 2) / np.float32(255))


def test__tiered__official__parts_share_numbers(release):
    data = release({"train": "PNG bytes, protocol 5", "val": "npz", "test": "PNG arrays, protocol 4"})
    whole = tiered("all", data=data)

    assert whole.classes == 10
    assert sorted(np.concatenate(whole.members).tolist()) == list(range(26))
    pictures = np.concatenate([images_of(split) for split in COUNTS]).transpose(0, 3, 1, 2) / np.float32(255)
    assert np.array_equal(
        whole.examples.take(np.arange(26)[::-1].reshape(13, 2)), pictures[::-1].reshape(13, 2, 3, 84, 84)
    )
    some = tiered(["validation", "evaluation"], data=data)
    assert np.array_equal(some.examples.take(some.members[-1]), pictures[some.members[-1]])


def test__tiered__official__splits_not_asked_for_are_not_read(release, tmp_path):
    data = release("PNG bytes, protocol 5")
    (data / "tiered-imagenet/train_images_png.pkl").write_bytes(b"unfinished")

    assert tiered("evaluation", data=data).members[0].tolist() == [18, 22]
    with pytest.raises(DataError, match=r"train_images_png\.pkl: not a pickle, or cut short"):
        tiered("training", data=data)


def test__tiered__official__one_split_alone__will_do(release):
    data = release(splits=["test"])

    assert tiered("evaluation", data=data).members[0].tolist() == [0, 4]
    with pytest.raises(MissingDataError, match=r"val_images_png\.pkl and val_labels\.pkl"):
        tiered("validation", data=data)


def test__tiered__official__png_goes_before_npz(release):
    data = release("npz", splits=["test"])
    np.savez(data / "tiered-imagenet/test_images.npz", images=images_of("test")[..., ::-1])
    release("PNG bytes, protocol 5", splits=["test"])

    taken = tiered("evaluation", data=data).examples.take(np.arange(1))

    assert np.array_equal(taken[0], images_of("test")[0].transpose(2, 0, 1) / np.float32(255))


@pytest.mark.parametrize("way", ["npz", "PNG bytes, protocol 5"])
def test__tiered__official__size__is_that(release, way):
    found = tiered("evaluation", data=release(way), size=32)

    assert found.examples.shape == (3, 32, 32)
    assert found.examples.take(np.array([18])).shape == (1, 3, 32, 32)


def test__tiered__official__keys_of_bytes__are_read(release):
    data = release(splits=["test"])
    labels = {key.encode(): value for key, value in labels_of("test").items()}
    labels[b"label_specific_str"] = [name.encode() for name in labels[b"label_specific_str"]]
    (data / "tiered-imagenet/test_labels.pkl").write_bytes(pickle.dumps(labels, 2))

    assert tiered("evaluation", data=data).class_names[0] == "test class 0"


@pytest.mark.parametrize("way", ["npz", "PNG bytes, protocol 5"])
def test__tiered__official__labels_too_few__is_an_error_with_both_counts(release, way):
    data = release(way, splits=["test"], label_specific=np.arange(7) % 4, label_general=np.arange(7) % 4 // 2)

    with pytest.raises(DataError, match="has 8 pictures, and its labels are 7"):
        tiered("evaluation", data=data)


def test__tiered__official__hostile_labels__are_refused_and_nothing_is_run(release, tmp_path):
    class Hostile:
        def __reduce__(self):
            return (open, (str(tmp_path / "written"), "w"))

    data = release(splits=["test"], label_general_str=Hostile())

    with pytest.raises(DataError, match=r"test_labels\.pkl: asks for io\.open"):
        tiered("evaluation", data=data)
    assert not (tmp_path / "written").exists()


def test__tiered__official__no_png_in_the_pickle__is_an_error(release):
    data = release("PNG bytes, protocol 5", splits=["test"])
    (data / "tiered-imagenet/test_images_png.pkl").write_bytes(pickle.dumps([b"JPEG"] * 8))

    with pytest.raises(DataError, match="no PNG pictures in it"):
        tiered("evaluation", data=data)


def test__tiered__official__pickled__takes_the_same(release):
    found = tiered("all", data=release({"train": "npz", "val": "PNG bytes, protocol 5", "test": "npz, compressed"}))
    before = found.examples.take(np.arange(26))

    assert np.array_equal(pickle.loads(pickle.dumps(found)).examples.take(np.arange(26)), before)
