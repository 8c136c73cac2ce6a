import gzip
import re

import numpy as np
import pytest

from polythetic.datasets.table import read_table
from polythetic.errors import DataError, InputError, MissingDataError

pl = pytest.importorskip("polars")

ROWS = {"a": [1, 2, 3, 4], "b": [0.5, -1.5, 2.0, 1e-3], "c": [True, False, True, True], "y": ["u", "v", "u", "w"]}
CSV = "a,b,c,y\n1,0.5,true,u\n2,-1.5,false,v\n3,2,true,u\n4,0.001,true,w\n"


@pytest.fixture
def write(tmp_path):
    def to_file(content, name="table.csv"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return to_file


@pytest.fixture(params=["csv", "tsv", "csv.gz", "parquet", "crlf.csv", "bom.csv", "blank.csv"])
def path(request, tmp_path, write):
    name = f"table.{request.param}"
    if request.param == "parquet":
        pl.DataFrame(ROWS).write_parquet(tmp_path / name)
        return tmp_path / name
    content = {
        "csv": CSV,
        "tsv": CSV.replace(",", "\t"),
        "csv.gz": gzip.compress(CSV.encode()),
        "crlf.csv": CSV.replace("\n", "\r\n"),
        "bom.csv": "\ufeff" + CSV,
        "blank.csv": CSV + "\n\n",
    }
    return write(content[request.param], name)


def test__read_table__any_format__is_the_same(path):
    found = read_table(path, label="y")

    assert found.class_names == ("u", "v", "w")
    assert [members.tolist() for members in found.members] == [[0, 2], [1], [3]]
    assert found.examples.names == ("a", "b", "c")
    expected = np.column_stack([ROWS["a"], ROWS["b"], ROWS["c"]]).astype(np.float32)
    assert np.array_equal(found.examples.take(np.arange(4)), expected)


def test__read_table__features__are_those_in_that_order(path):
    found = read_table(path, label="y", features=["c", "a"])

    assert found.examples.names == ("c", "a")
    assert found.examples.take(np.array([1])).tolist() == [[0, 2]]


def test__read_table__group__makes_classes_of_pairs(write):
    found = read_table(write("g,x,y\n1,5,no\n2,6,yes\n1,7,yes\n1,8,no\n"), label="y", group="g")

    assert found.class_names == ("no/1", "yes/1", "yes/2")
    assert found.category_names == ("no", "yes")
    assert found.examples.names == ("x",)


def test__read_table__labels__are_as_written(write):
    assert read_table(write("x,y\n1,01\n2,1\n3,1.0\n"), label="y").class_names == ("01", "1", "1.0")


def test__read_table__labels_that_are_whole_numbers__are_sorted_as_such(write):
    assert read_table(write("x,y\n1,10\n2,9\n3,-1\n"), label="y").class_names == ("-1", "9", "10")


def test__read_table__labels_of_other_types_in_parquet__are_text(tmp_path):
    frame = pl.DataFrame({"x": [1, 2], "y": [True, False]})
    frame.write_parquet(tmp_path / "table.pq")

    assert read_table(tmp_path / "table.pq", label="y").class_names == ("false", "true")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("a,b,y\n1,2,u\n3,red,v\n", "column 'b' has 'red' in row 2: expected numbers; leave the column out"),
        ("a,b,y\n1,NA,u\n3,4,v\n", "column 'b' has 'NA' in row 1: expected numbers"),
        ("a,b,y\n1,2,u\n,4,v\n", "column 'a' has nothing in row 2: expected a value"),
        ("a,b,y\n1,2,u\n3,4,\n", "column 'y' has nothing in row 2: expected a value"),
        ("a,b,y\n1,,u\n3,,v\n", "column 'b' has nothing in row 1"),
        ("a,b,y\n1,2,u\n3,NaN,v\n", "column 'b' has nan in row 2: expected finite"),
        ("a,b,y\n1,2,u\n3,1e300,v\n", "column 'b' has 1e+300 in row 2: expected finite"),
        ("a,b,y\n1,2,u\n\n3,4,v\n", "column 'a' has nothing in row 2"),
        ("a,b,a,y\n1,2,3,u\n", "2 columns are called 'a'"),
        (",a,y\n0,1,u\n1,2,v\n", "column 1 has no name"),
        ("a,b,y\n", "the table has no rows"),
        ("", "is empty"),
        ("y\nu\n", "no columns besides y"),
        ("a,b,y\n1,2,u,9\n", "cannot be read"),
        ("a;b;y\n1;2;u\n", "separated by semicolons"),
        (b"a,y\n1,\xff\xfe\n", "cannot be read"),
    ],
)
def test__read_table__not_a_table_of_numbers__is_an_error_with_column_and_row(write, content, said):
    path = write(content)

    with pytest.raises(DataError, match=re.escape(said)) as caught:
        read_table(path, label="y")

    assert str(path) in str(caught.value)


def test__read_table__text_not_asked_for__does_not_matter(write):
    path = write(",a,note,y\n0,1,red,u\n1,2,,v\n")

    assert read_table(path, label="y", features=["a"]).examples.names == ("a",)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"label": "z"}, "label = 'z': expected one of a, b, c, y"),
        ({"label": "y", "group": "yy"}, "group = 'yy': expected 'y', perhaps, or another of a, b, c, y"),
        ({"label": "y", "features": ["a", "bb"]}, "features = 'bb': expected 'b', perhaps"),
        ({"label": "y", "features": ["a", "y"]}, "features = 'y': expected columns other than the label's"),
        ({"label": "y", "features": ["a", "a"]}, "each column once"),
    ],
)
def test__read_table__column_that_cannot_be__is_refused(write, arguments, said):
    with pytest.raises(InputError, match=said):
        read_table(write(CSV), **arguments)


def test__read_table__no_features__is_an_error(write):
    with pytest.raises(DataError, match="at least one feature"):
        read_table(write(CSV), label="y", features=[])


@pytest.mark.parametrize("name", ["table.parquet", "table.csv.gz"])
def test__read_table__not_what_its_name_says__is_an_error(write, name):
    with pytest.raises(DataError, match=re.escape(name)):
        read_table(write("<html></html>", name), label="y")


def test__read_table__unknown_suffix__is_refused(write):
    with pytest.raises(InputError, match=r"path = .*table\.xlsx: expected a file ending in \.csv"):
        read_table(write("", "table.xlsx"), label="y")


def test__read_table__no_such_file__is_missing(tmp_path):
    with pytest.raises(MissingDataError, match=r"none\.csv: there is no such file"):
        read_table(tmp_path / "none.csv", label="y")


def test__read_table__name_with_wildcards__is_one_file(write):
    write(CSV, "table1.csv")

    assert len(read_table(write(CSV, "table[1].csv"), label="y")) == 4
