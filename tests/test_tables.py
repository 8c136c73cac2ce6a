import re
import warnings

import numpy as np
import pytest

from polythetic import memory
from polythetic.errors import DataError, InputError, MissingDataError, TooLargeError
from polythetic.tables import check_classes, read_table, split_label

pl = pytest.importorskip("polars")

ROWS = {"a": [1, 2, 3], "b": [0.5, -1.5, 2.0], "y": ["u", "v", "u"]}


@pytest.fixture
def write(tmp_path):
    def to_file(content, name="table.csv"):
        path = tmp_path / name
        if isinstance(content, dict):
            np.savez(path, **content)
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return to_file


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "npz"])
def test__read_table__any_format__is_the_same(tmp_path, write, ending):
    path = tmp_path / f"table.{ending}"
    if ending == "parquet":
        pl.DataFrame(ROWS).write_parquet(path)
    elif ending == "npz":
        write({"X": np.column_stack([ROWS["a"], ROWS["b"]]), "y": ROWS["y"], "names": ["a", "b"]}, path.name)
    else:
        pl.DataFrame(ROWS).write_csv(path, separator="," if ending == "csv" else "\t")

    assert read_table(path).to_dict(as_series=False) == ROWS


def test__read_table__label__is_as_written(write):
    path = write("a,y\n1,01\n2,1\n")

    assert read_table(path, as_written=["y"])["y"].to_list() == ["01", "1"]


def test__read_table__numbers_with_marked_gaps__are_numbers(write):
    found = read_table(write("a,y\n1,u\nNA,v\n?,u\n-,v\n3,v\n"))

    assert found["a"].to_list() == [1, None, None, None, 3]


def test__read_table__text_with_marked_gaps__has_gaps_and_a_note_that_names_the_marks(write):
    path = write("a,b,y\n1,x,u\n2,NA,NA\n3,?,u\n4, z,null\n")

    with pytest.warns(UserWarning, match="taken for no value") as said:
        found = read_table(path, as_written=["y"])

    assert found["b"].to_list() == ["x", None, None, " z"]
    assert found["y"].to_list() == ["u", None, "u", None]
    assert [str(each.message).partition(";")[0] for each in said] == [
        "column 'b': '?' and 'NA', in 2 of 4 rows, taken for no value",
        "column 'y': 'NA' and 'null', in 2 of 4 rows, taken for no value",
    ]


def test__read_table__plus_and_minus__are_two_classes(write):
    assert read_table(write("a,y\n1,+\n2,-\n"), as_written=["y"])["y"].to_list() == ["+", "-"]


def test__read_table__true_and_false_with_marked_gaps__are_true_and_false(write):
    found = read_table(write("a,y\nTRUE,u\nNA,v\nFalse,u\n"))

    assert found["a"].to_list() == [True, None, False]


@pytest.mark.parametrize(
    "days",
    [
        ["2026-01-31", "NA", "2025-12-01"],
        ["2026-01-31 12:30", "2026-01-31 12:31", "NA"],
        ["2026-01-31T12:30:01", "2026-01-31T12:30:01.250", "NA"],
        ["2026-01-31T12:30:01Z", "2026-01-31T12:30:01+02:00", "NA"],
    ],
)
def test__read_table__iso_dates__are_dates(write, days):
    column = read_table(write("\n".join(["day,y", *(f"{day},u" for day in days)])))["day"]

    assert column.dtype.is_temporal()
    assert column.null_count() == 1


@pytest.mark.parametrize("days", [["2026-13-01", "2026-01-01"], ["2026-01-01", "2026-01-01 or so"], ["01-02", "x"]])
def test__read_table__what_only_looks_like_dates__is_text(write, days):
    assert read_table(write("\n".join(["day,y", *(f"{day},u" for day in days)])))["day"].to_list() == days


@pytest.mark.skipif(not hasattr(pl, "Int128"), reason="an older polars reads no such numbers")
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test__read_table__whole_numbers_of_more_than_64_bits__are_numbers_that_an_array_holds(tmp_path, ending):
    table = pl.DataFrame({"id": [10**30, 3], "y": [10**30, 10**30 + 1]}, schema={"id": pl.Int128, "y": pl.Int128})
    path = tmp_path / f"table.{ending}"
    table.write_csv(path) if ending == "csv" else table.write_parquet(path)

    found = read_table(path, as_written=["y"])

    assert found["id"].to_numpy().tolist() == [1e30, 3]
    assert split_label(found, "y")[1] == [str(10**30), str(10**30 + 1)]  # labels differ by their last digit


def test__read_table__npz_without_names__numbers_its_columns(write):
    found = read_table(write({"features": np.eye(3, dtype=">f4"), "labels": np.array([0, 1, 1])}, "t.npz"))

    assert found.columns == ["x1", "x2", "x3", "labels"]
    assert found["x2"].to_list() == [0, 1, 0]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is empty"),
        ("a,b,y\n", "the table has no rows"),
        ("a,b,y\n1,2\n3,4,v\n", "line 2 has 2 values and the header 3 names"),
        ("a,b,y\n1,2,u,9\n3,4,v\n", "as many columns in each row as in the header"),
        ("a,b,a\n1,2,u\n", "2 columns are called 'a': give each its own name"),
        (b"PK\x03\x04\x00\x00,\n\x00,\n", "is no text"),
        (bytes(range(1, 256)), "text in UTF-8"),
    ],
)
def test__read_table__no_table__is_an_error_with_a_remedy(write, content, said):
    path = write(content)

    with pytest.raises(DataError, match=re.escape(said)) as caught:
        read_table(path)

    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("arrays", "said"),
    [
        ({"rows": np.eye(2)}, "has arrays rows: call that of the rows X"),
        ({"X": np.zeros((2, 2, 2))}, "X has shape [2, 2, 2]"),
        ({"X": np.eye(2), "names": np.array(["a"])}, "a name for each of 2 columns"),
        ({"X": np.eye(2), "names": np.array(["y", "b"]), "y": np.arange(2)}, "2 columns are called 'y'"),
        ({"X": np.eye(2).astype(complex)}, "'x1' is of complex128: expected numbers or text"),
        ({"X": np.array([[{}, 1]], dtype=object)}, "no Python objects"),
    ],
)
def test__read_table__npz_of_something_else__is_an_error(write, arrays, said):
    with pytest.raises(DataError, match=re.escape(said)):
        read_table(write(arrays, "t.npz"))


@pytest.mark.parametrize("name", ["t.npz", "t.parquet", "t.csv.gz"])
def test__read_table__not_what_its_name_says__is_an_error(write, name):
    with pytest.raises(DataError, match=re.escape(name)):
        read_table(write("a,y\n1,u\n", name))


def test__read_table__unknown_ending__is_refused(write):
    with pytest.raises(InputError, match=r"table = .*t\.xlsx: expected a file ending in \.csv, .*\.npz"):
        read_table(write("a", "t.xlsx"))


def test__read_table__no_file__is_missing(tmp_path):
    with pytest.raises(MissingDataError, match=r"none\.csv: there is no such file"):
        read_table(tmp_path / "none.csv")
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(MissingDataError, match="is a folder"):
        read_table(tmp_path / "folder.csv")


def test__read_table__larger_than_memory__is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("wb") as file:
        file.truncate(2**40)  # no such disk: a file of holes, which takes no room

    with pytest.raises(
        TooLargeError, match=r"large\.csv: a table of this size needs about .* GiB are free: give fewer"
    ):
        read_table(path)


@pytest.mark.parametrize("ending", ["parquet", "npz"])
def test__read_table__packed_to_almost_nothing__is_refused_by_what_it_holds(tmp_path, monkeypatch, ending):
    path = tmp_path / f"large.{ending}"
    if ending == "parquet":
        pl.DataFrame({"a": np.zeros(10**5)}).write_parquet(path)
    else:
        np.savez_compressed(path, X=np.zeros((10**5, 1)))
    monkeypatch.setattr(memory, "CHUNK_BYTES", 0)
    monkeypatch.setattr(memory.psutil, "virtual_memory", lambda: type("Memory", (), {"available": 10**6}))

    with pytest.raises(TooLargeError, match="large"):
        read_table(path)
    assert path.stat().st_size < 10**5


def test__split_label__column_that_is_not_there__is_refused_with_the_nearest():
    with pytest.raises(InputError, match="label = 'z': expected one of a, b, y"):
        split_label(pl.DataFrame(ROWS), "z")
    with pytest.raises(InputError, match="label = 'yy': expected 'y', perhaps, or another of a, b, y"):
        split_label(pl.DataFrame(ROWS), "yy")


def test__split_label__rows_without_label__are_left_out_and_counted():
    table = pl.DataFrame({"a": [1, 2, 3, 4], "y": ["u", None, " ", "v"]})

    with pytest.warns(UserWarning, match="2 of 4 rows without a label in column 'y': left out"):
        features, labels = split_label(table, "y")

    assert (features["a"].to_list(), labels) == ([1, 4], ["u", "v"])


def test__split_label__marks_of_nothing__are_no_class_and_named():
    table = pl.DataFrame({"a": [1, 2, 3, 4, 5], "y": ["u", "NA", " ?", "nan", "v"]})

    with pytest.warns(
        UserWarning, match=r"3 of 5 rows without a label in column 'y', where '\?' and 'NA' and 'nan' is taken for none"
    ):
        features, labels = split_label(table, "y")

    assert (features["a"].to_list(), labels) == ([1, 5], ["u", "v"])


def test__split_label__numbers_as_labels__are_text():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert split_label(pl.DataFrame({"a": [1, 2], "y": [1.0, float("nan")]}), "y")[1] == ["1.0"]
    assert split_label(pl.DataFrame({"a": [1, 2], "y": [True, False]}), "y")[1] == ["true", "false"]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"y": ["u", "v"]}, "at least one column besides it"),
        ({"a": [1, 2], "y": [None, None]}, "all its 2 values are missing"),
    ],
)
def test__split_label__nothing_left__is_refused(table, said):
    with pytest.raises(InputError, match=said):
        split_label(pl.DataFrame(table), "y")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["u"], "with 1 labelled row: expected at least two rows"),
        (["u", "u", "u"], "all 3 rows are 'u': expected at least two classes"),
        (
            ["1.5", "2.5", "3.5", "4.5"],
            "4 classes in 4 rows: expected classes that have several rows each; cut numbers",
        ),
    ],
)
def test__check_classes__that_cannot_be_told_apart__are_refused(labels, said):
    with pytest.raises(InputError, match=re.escape(said)):
        check_classes("y", labels)


def test__check_classes__counts_them():
    assert check_classes("y", ["u", "v", "u"]) == {"u": 2, "v": 1}
