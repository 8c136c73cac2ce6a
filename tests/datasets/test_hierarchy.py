import re

import numpy as np
import pytest

from polythetic.datasets.hierarchy import read_hierarchy
from polythetic.errors import DataError, InputError, MissingDataError
from tests.drawn import encoded, picture, put_all

NAMES = ["train/k1/c1/1", "train/k1/c1/2", "train/k1/c2/1", "val/k2/c3/1", "test/k3/c4/1", "test/k4/c5/1"]
FILES = {f"{name}.png": encoded(picture(k)) for k, name in enumerate(NAMES)}
HEADER = "split,category,category_name,class,class_name\n"
NAMED = (
    HEADER
    + 'train,k1,cat,c1,"lion, king"\ntrain,k1,cat,c2,crane\nval,k2,dog,c3,pug\ntest,k3,bird,c4,crane\ntest,k4,x,c5,y\n'
)


@pytest.fixture(params=["tree", "tree.zip"])
def place(request, tmp_path):
    return put_all(tmp_path / request.param, FILES)


@pytest.fixture
def lists(tmp_path):
    def write(**contents):
        for name, content in contents.items():
            (tmp_path / f"{name}.csv").write_text(content)
        return [tmp_path / f"{name}.csv" for name in contents]

    return write


def test__read_hierarchy__no_list__names_are_those_of_the_folders(place):
    found = read_hierarchy(place)

    assert found.class_names == ("c1", "c2", "c3", "c4", "c5")
    assert found.category_names == ("k1", "k2", "k3", "k4")
    assert found.categories.tolist() == [0, 0, 1, 2, 3]


def test__read_hierarchy__splits__share_numbers_train_val_test(place):
    test, train = read_hierarchy(place, split="test"), read_hierarchy(place, split=["train"])

    assert [members.tolist() for members in train.members] == [[0, 1], [2]]
    assert [members.tolist() for members in test.members] == [[4], [5]]
    assert test.category_names == ("k3", "k4")
    for found in (test, train):
        for number in np.concatenate(found.members):
            expected = picture(number).transpose(2, 0, 1) / 255
            assert np.allclose(found.examples.take(np.array([number]))[0], expected)


def test__read_hierarchy__list_with_names__are_used_with_ids_where_two_are_alike(place, lists):
    (path,) = lists(classes=NAMED)

    found = read_hierarchy(place, path)

    assert found.class_names == ("lion, king", "crane (c2)", "pug", "crane (c4)", "y")
    assert found.category_names == ("cat", "dog", "bird", "x")


def test__read_hierarchy__lists_of_two_columns__are_checked(place, lists):
    paths = lists(train="c1,k1\nc2,k1\nc9,k1\n\n", val="c3,k2\n", test="c4,k3\nc5,k4\n")

    assert read_hierarchy(place, paths).class_names == ("c1", "c2", "c3", "c4", "c5")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("c1,k1\nc2,k1\nc3,k2\nc4,k3\n", "class c5 of k4 is in no list"),
        ("c1,k1\nc2,k2\nc3,k2\nc4,k3\nc5,k4\n", "class c2 is in k1, but listed in k2"),
        ("c1,k1\nc1,k2\n", "row 2: class c1 is in k2 here and in k1 before"),
        ("", "is empty"),
        ("c1,k1,more\n", "begins with c1,k1,more"),
        ("c1,k1\nc2\n", "row 2 has 1 columns, the first 2"),
    ],
)
def test__read_hierarchy__a_list_that_disagrees__is_an_error(place, lists, content, said):
    with pytest.raises(DataError, match=re.escape(said)):
        read_hierarchy(place, lists(classes=content))


def test__read_hierarchy__no_such_list__is_missing(place, tmp_path):
    with pytest.raises(MissingDataError, match=r"nothing\.csv: there is no such list"):
        read_hierarchy(place, tmp_path / "nothing.csv")


def test__read_hierarchy__no_such_split__is_refused(place):
    with pytest.raises(InputError, match="split = 'dev': expected one of train, val, test"):
        read_hierarchy(place, split="dev")


def test__read_hierarchy__another_layout__is_an_error(tmp_path):
    with pytest.raises(DataError, match=r"has train/c1/1\.png: expected split/category/class/picture"):
        read_hierarchy(put_all(tmp_path / "flat", {"train/c1/1.png": encoded(picture())}))
