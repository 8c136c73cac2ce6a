import pickle

import numpy as np
import pytest

from polythetic.datasets.releases.tiered_labels import read_labels
from polythetic.errors import DataError

# Five classes in the order in which they were met, with their synsets and categories. Two are called crane, but the
# other is in another split.
CLASSES = [
    ("lion", "n1", "cats"),
    ("pug", "n2", "dogs"),
    ("lynx", "n3", "cats"),
    ("crane", "n4", "birds"),
    ("boxer", "n5", "dogs"),
]
CATEGORIES = ["cats", "dogs", "birds"]
TRUE = [0, 1, 0, 2, 1]
MISTAKEN = [0, 1, 2, 2, 3]  # how many categories were met before: 3 is no category


def write(folder, general, **changes):
    labels = {
        "label_specific": np.repeat(np.arange(5), 2),
        "label_general": np.repeat(general, 2),
        "label_specific_str": [name for name, _, _ in CLASSES],
        "label_general_str": CATEGORIES,
    }
    (folder / "test_labels.pkl").write_bytes(pickle.dumps({**labels, **changes}, 2))
    return folder


def write_lists(folder, classes=CLASSES):
    (folder / "test.csv").write_text("".join(f"{synset},{category}\n" for _, synset, category in classes))
    known = [*classes, ("crane", "n9", "machines")]
    (folder / "synsets.txt").write_text("".join(f"{synset}\n" for _, synset, _ in known))
    (folder / "class_names.txt").write_text("".join(f"{name}\n" for name, _, _ in known))
    return folder


def test__read_labels__right_ones__are_as_written(tmp_path):
    found = read_labels(write(tmp_path, TRUE), "test")

    assert found.categories.tolist() == TRUE
    assert found.category_names == tuple(CATEGORIES)
    assert len(found) == 10


def test__read_labels__lists_instead_of_arrays__are_as_good(tmp_path):
    labels = {"label_specific": [0, 1, 2, 3, 4], "label_general": TRUE}

    assert read_labels(write(tmp_path, TRUE, **labels), "test").categories.tolist() == TRUE


def test__read_labels__miscounted_categories__are_refused_with_the_remedy(tmp_path):
    with pytest.raises(DataError, match=r"test_labels\.pkl: the first release counts .* put beside it test\.csv"):
        read_labels(write(tmp_path, MISTAKEN), "test")


def test__read_labels__miscounted_categories_with_the_lists__are_mended(tmp_path):
    found = read_labels(write_lists(write(tmp_path, MISTAKEN)), "test")

    assert found.categories.tolist() == TRUE
    assert found.category_names == tuple(CATEGORIES)


def test__read_labels__lists_of_something_else__are_not_believed(tmp_path):
    others = [*CLASSES[:2], ("lynx", "n3", "dogs"), ("crane", "n4", "dogs"), ("boxer", "n5", "birds")]

    with pytest.raises(DataError, match="do not go with the lists beside it"):
        read_labels(write_lists(write(tmp_path, MISTAKEN), others), "test")


def test__read_labels__a_class_that_is_in_no_list__is_named(tmp_path):
    with pytest.raises(DataError, match="class 'boxer' is not in"):
        read_labels(write_lists(write(tmp_path, MISTAKEN), CLASSES[:4]), "test")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"label_specific": np.arange(9) % 5}, "9 labels of classes and 10 of categories"),
        ({"label_specific": np.arange(10)}, "labels of classes up to 9 for 5 names"),
        ({"label_general": np.full(10, 7)}, "labels of categories up to 7 for 3 names"),
        ({"label_general": np.arange(10) % 3}, "class 'lion' is in category 0 and 1"),
        ({"label_specific": np.ones(10)}, r"label_specific is float64 \[10\]: expected a list of whole numbers"),
    ],
)
def test__read_labels__labels_that_do_not_fit__are_an_error(tmp_path, changes, said):
    with pytest.raises(DataError, match=said):
        read_labels(write(tmp_path, TRUE, **changes), "test")


def test__read_labels__other_keys__is_an_error_with_those_expected(tmp_path):
    (tmp_path / "test_labels.pkl").write_bytes(pickle.dumps({"labels": [0]}))

    with pytest.raises(DataError, match="has no label_specific, label_general"):
        read_labels(tmp_path, "test")
