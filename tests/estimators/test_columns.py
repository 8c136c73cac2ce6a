"""Tables to numbers: kinds of columns, missing values, categories unseen, and what is refused."""

from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pytest

from polythetic.errors import InputError, UnseenCategoryWarning
from polythetic.estimators.columns import Columns, by_column

COLOURS = {"size": [1.0, 2.0, 4.0], "colour": ["red", "blue", "green"], "on": [True, False, True]}


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test__columns__of_both_libraries__are_the_same(frame):
    columns = Columns.of(frame(COLOURS))
    assert columns.names == ("size", "colour", "on")
    assert columns.owner.tolist() == [0, 1, 1, 1, 2]
    numbers = columns.numbers(frame(COLOURS))
    np.testing.assert_array_equal(numbers, [[1, 0, 0, 1, 1], [2, 1, 0, 0, 0], [4, 0, 1, 0, 1]])


def test__two_categories__are_one_indicator():
    columns = Columns.of(pd.DataFrame({"sex": ["f", "m", "f"]}))
    np.testing.assert_array_equal(columns.numbers(pd.DataFrame({"sex": ["m", "f"]})), [[1], [0]])


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test__missing_values__imputed__are_the_median_and_the_commonest_category(frame):
    table = frame({"x": [1.0, None, 3.0, 8.0], "c": ["a", "b", None, "b"]})
    np.testing.assert_array_equal(Columns.of(table).numbers(table, missing="impute"), [[1, 0], [3, 1], [3, 1], [8, 1]])
    as_they_are = Columns.of(table).numbers(table)
    assert np.isnan(as_they_are).tolist() == [[False, False], [True, False], [False, True], [False, False]]


def test__pandas_nullable_and_categorical__are_read():
    table = pd.DataFrame(
        {
            "n": pd.array([1, None, 3], dtype="Int64"),
            "c": pd.Categorical(["1", "2", "3"]),
            "b": pd.array([True, None, False], dtype="boolean"),
        }
    )
    columns = Columns.of(table)
    assert [column.categories for column in columns.columns] == [None, ("1", "2", "3"), None]
    assert np.isnan(columns.numbers(table)).sum() == 2


def test__unseen_category__counts_as_none_of_them_and_is_said():
    columns = Columns.of(pd.DataFrame({"colour": ["red", "blue", "green"]}))
    with pytest.warns(UnseenCategoryWarning, match="'colour': 'mauve'"):
        numbers = columns.numbers(pd.DataFrame({"colour": ["mauve", "red"]}))
    np.testing.assert_array_equal(numbers, [[0, 0, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"when": pd.to_datetime(["2020-01-01", "2021-01-01"])}, "when = a column of datetime"),
        ({"name": [f"row {i}" for i in range(60)]}, "name = a column of 60 different texts"),
    ],
)
def test__columns__that_are_no_features__are_refused(table, said):
    with pytest.raises(InputError, match=said):
        Columns.of(pd.DataFrame(table))


def test__numbers__of_a_table_without_a_column__names_it():
    columns = Columns.of(pd.DataFrame(COLOURS))
    with pytest.raises(InputError, match="without column 'colour'"):
        columns.numbers(pd.DataFrame({"size": [1.0], "on": [True]}))


def test__numbers__text_where_numbers_were__is_refused():
    columns = Columns.of(pd.DataFrame({"size": [1.0, 2.0]}))
    with pytest.raises(InputError, match="size = 'large'"):
        columns.numbers(pd.DataFrame({"size": ["large"]}))


def test__two_columns_of_one_name__are_refused():
    with pytest.raises(InputError, match="two columns called 'a'"):
        Columns.of(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test__by_column__keeps_squares():
    scores = by_column(np.array([1.0, 2.0, 2.0, 1.0]), np.array([0, 1, 1, 1]), 3)
    np.testing.assert_allclose(scores, [1, 3, 0])


def test__unseen_category__of_two__is_neither():
    columns = Columns.of(pd.DataFrame({"sex": ["f", "m"]}))
    with pytest.warns(UnseenCategoryWarning):
        np.testing.assert_array_equal(columns.numbers(pd.DataFrame({"sex": ["x", "m"]})), [[0.5], [1]])


def test__pandas_strings__with_gaps__are_read():
    table = pd.DataFrame({"c": pd.array(["a", "b", pd.NA, "a"], dtype="string")})
    np.testing.assert_array_equal(Columns.of(table).numbers(table, missing="impute"), [[0], [1], [0], [0]])


@pytest.mark.parametrize(
    "values", [[Decimal("1.5"), Decimal(2)], [np.int64(1), np.float32(2)], pd.array([True, None], dtype="boolean")]
)
def test__numbers_of_any_kind__are_numbers(values):
    assert Columns.of(pd.DataFrame({"n": pd.Series(values, dtype=object)})).columns[0].categories is None


def test__numbers_and_text_mixed__are_refused():
    with pytest.raises(InputError, match="m = a column of 2 numbers and of others such as 'x'"):
        Columns.of(pd.DataFrame({"m": [1, "x", 2.5]}))


def test__category_called_update__is_no_date():
    table = pl.DataFrame({"e": pl.Series(["update", "new"], dtype=pl.Enum(["update", "new"]))})
    assert Columns.of(table).columns[0].categories == ("new", "update")
