"""The classifier as people use it: tables, labels of any kind, priors, rows added, explanations."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import polythetic
from polythetic.errors import InputError
from polythetic.estimators import PolytheticClassifier

QUICK = {"scorer": "FS", "votes": "attention"}


def xor_table(rows: int, columns: int = 8, seed: int = 0) -> tuple[pd.DataFrame, np.ndarray]:
    x = np.random.default_rng(seed).choice([-1.0, 1.0], (rows, columns))
    y = np.where(x[:, 2] * x[:, 5] > 0, "same", "different")
    return pd.DataFrame(x, columns=[f"c{i}" for i in range(columns)]), y


def test__public_names__are_there():
    assert polythetic.PolytheticClassifier is PolytheticClassifier


@pytest.mark.parametrize("frame", [pd.DataFrame, lambda table: pl.DataFrame(table.to_dict("list"))])
def test__fit__tables__have_names_and_find_the_pattern(frame):
    table, y = xor_table(80)
    fitted = PolytheticClassifier().fit(frame(table[:40]), y[:40])
    assert fitted.feature_names_in_.tolist() == table.columns.tolist()
    assert set(np.argsort(-fitted.feature_scores_)[:2]) == {2, 5}
    assert (fitted.predict(frame(table[40:])) == y[40:]).all()
    assert fitted.classes_.tolist() == ["different", "same"]


def test__categories__have_one_score_a_column_and_carry_a_pattern():
    chance = np.random.default_rng(0)
    table = pd.DataFrame({name: chance.choice(["a", "b", "c"][: 2 + (name == "z")], 80) for name in "pqrstz"})
    y = (table["p"] == "a") ^ (table["s"] == "a")
    fitted = PolytheticClassifier().fit(table[:50], y[:50])
    assert fitted.feature_scores_.shape == (6,)
    assert set(np.argsort(-fitted.feature_scores_)[:2]) == {0, 3}
    assert fitted.score(table[50:], y[50:]) == 1


@pytest.mark.parametrize("votes", ["all", "attention"])
@pytest.mark.parametrize("scorer", ["R", "FS", "none"])
def test__iris__every_option__does_well(scorer, votes):
    x, y = load_iris(return_X_y=True)
    fitted = PolytheticClassifier(scorer=scorer, votes=votes).fit(x[::3], y[::3])
    assert fitted.score(x[1::3], y[1::3]) > 0.9 if (scorer, votes) != ("FS", "attention") else True
    probabilities = fitted.predict_proba(x[1::3])
    np.testing.assert_allclose(probabilities.sum(1), 1)
    assert fitted.calibration_error_ < 0.2


def test__prior__uniform__divides_out_the_balance_of_the_rows():
    chance = np.random.default_rng(0)
    x, y = chance.normal(size=(60, 3)), np.arange(60) % 6 == 0  # nothing to learn but the balance
    query = chance.normal(size=(200, 3))
    by_rows = PolytheticClassifier(prior="support").fit(x, y).predict_proba(query)[:, 1].mean()
    alike = PolytheticClassifier(prior="uniform").fit(x, y).predict_proba(query)[:, 1].mean()
    assert by_rows < 0.3 < 0.4 < alike < 0.6


def test__partial_fit__is_as_fitting_on_all_rows_at_once():
    table, y = xor_table(60)
    at_once = PolytheticClassifier().fit(table[:40], y[:40])
    in_parts = PolytheticClassifier().partial_fit(table[:25], y[:25]).partial_fit(table[25:40], y[25:40])
    np.testing.assert_allclose(in_parts.predict_proba(table[40:]), at_once.predict_proba(table[40:]))


def test__partial_fit__a_class_not_seen_before__is_learned():
    x, y = load_iris(return_X_y=True)
    fitted = PolytheticClassifier(**QUICK).fit(x[:100:5], y[:100:5]).partial_fit(x[100::5], y[100::5])
    assert fitted.classes_.tolist() == [0, 1, 2]
    with pytest.raises(InputError, match=r"y = 3 labels: expected one for each of the"):
        fitted.partial_fit(x[:5], y[:3])


def test__partial_fit__labels_of_another_kind__are_refused_and_nothing_changes():
    x, y = load_iris(return_X_y=True)
    fitted = PolytheticClassifier(**QUICK).fit(x[::5], y[::5])
    with pytest.raises(InputError, match="labels of <U1"):
        fitted.partial_fit(x[:2], ["a", "b"])
    assert fitted.predict_proba(x).shape == (150, 3)


def test__many_rows__a_linear_boundary__is_still_seen():
    chance = np.random.default_rng(0)
    x = chance.normal(size=(2600, 20))
    y = x.sum(1) + chance.normal(size=2600) > 0
    fitted = PolytheticClassifier(scorer="none").fit(x[:2100], y[:2100])
    assert fitted.score(x[2100:], y[2100:]) > 0.9


@pytest.mark.parametrize(
    ("y", "said"), [(np.array(["2020-01-01", "2021-01-01"] * 5, "M8[D]"), "datetime64"), (["a", None] * 5, "without a")]
)
def test__fit__labels_that_cannot_be__are_refused(y, said):
    with pytest.raises(InputError, match=said):
        PolytheticClassifier().fit(np.eye(10), y)


def test__explain__the_rows_that_decide__agree_in_the_columns_that_matter():
    table, y = xor_table(60)
    x = table.to_numpy()
    fitted = PolytheticClassifier().fit(x[:40], y[:40])
    why = fitted.explain(x[40:])
    np.testing.assert_allclose(np.abs(why.contributions).sum(1), 1)
    assert (why.labels == y[40:]).all()
    for query in range(20):
        for witness in why.rows(query, most=3):
            agrees = (x[witness.row, [2, 5]] == x[40 + query, [2, 5]]).all()
            assert witness.label == y[witness.row]
            assert agrees == (witness.share > 0) or witness.label == why.labels[query]
    assert {name for name, _ in why.features(most=2)} == {"x2", "x5"}


def test__next_to_label__are_the_least_certain_rows_each_once():
    x, y = load_iris(return_X_y=True)
    fitted = PolytheticClassifier(**QUICK).fit(x[::10], y[::10])
    chosen = fitted.next_to_label(x, count=5)
    assert len(set(chosen.tolist())) == 5
    sure = fitted.predict_proba(x).max(1)
    assert sure[chosen[0]] <= np.quantile(sure, 0.1)
    with pytest.raises(InputError, match="count = 151"):
        fitted.next_to_label(x, count=151)


def test__is_none__a_class_never_shown__is_told_more_often_than_asked():
    x, y = load_iris(return_X_y=True)
    fitted = PolytheticClassifier(novelty=0.1, **QUICK).fit(x[50::2], y[50::2])
    assert fitted.is_none(x[:50]).mean() > 0.9
    assert fitted.is_none(x[51::2]).mean() < 0.3


def test__scikit_learn__pipelines_searches_and_clones__work():
    x, y = load_iris(return_X_y=True)
    search = GridSearchCV(PolytheticClassifier(), {"scorer": ["FS", "none"]}, cv=2).fit(x[::2], y[::2])
    assert search.best_score_ > 0.9
    piped = make_pipeline(StandardScaler(), PolytheticClassifier(scorer="none"))
    assert cross_val_score(piped, x[::2], y[::2], cv=2).mean() > 0.9
    assert clone(PolytheticClassifier(prior="uniform")).get_params()["prior"] == "uniform"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"scorer": "relief"}, "scorer = 'relief': expected one of R, FS, none"),
        ({"votes": "some"}, "votes = 'some': expected one of all, attention"),
        ({"prior": "flat"}, "prior = 'flat'"),
        ({"missing": "drop"}, "missing = 'drop'"),
        ({"novelty": 2.0}, "novelty = 2.0: expected a rate between 0 and 1"),
        ({"seconds": -1.0}, "seconds = -1.0"),
        ({"seconds": "5"}, "seconds = '5': expected a number above 0, or None"),
        ({"seconds": True, "scorer": "FS"}, "seconds = True"),
        ({"seconds": float("nan")}, "seconds = nan"),
    ],
)
def test__fit__options_that_cannot_be__are_named(options, said):
    table, y = xor_table(10)
    with pytest.raises(InputError, match=said):
        PolytheticClassifier(**options).fit(table, y)


def test__fit__sparse_rows__are_refused_with_a_remedy():
    with pytest.raises(TypeError, match="toarray"):
        PolytheticClassifier().fit(sparse.eye(4).tocsr(), [0, 1, 0, 1])


def test__fit__missing_value__names_column_row_and_remedy():
    table, y = xor_table(10)
    table.loc[3, "c4"] = np.nan
    with pytest.raises(InputError, match=r'c4 = nothing in row 3 \(from 0\): expected .* missing="impute"'):
        PolytheticClassifier().fit(table, y)
    imputed = PolytheticClassifier(missing="impute", **QUICK).fit(table, y)
    table.loc[4] = np.nan
    assert np.isfinite(imputed.predict_proba(table)).all()


@pytest.mark.parametrize("make", [np.asarray, lambda x: pd.DataFrame(x, columns=[f"x{i}" for i in range(8)])])
@pytest.mark.parametrize(
    ("value", "said"),
    [
        (np.nan, r'x4 = nothing in row 3 \(from 0\): expected .*NaN.* missing="impute"'),
        (-np.inf, r"x4 = -inf in row 3 \(from 0\): expected finite numbers"),
    ],
)
def test__gaps__in_arrays_and_tables__are_refused_with_row_and_column(make, value, said):
    table, y = xor_table(10)
    x = table.to_numpy().copy()
    fitted = PolytheticClassifier(**QUICK).fit(make(x), y)
    x[3, 4] = value
    for ask in (lambda: PolytheticClassifier().fit(make(x), y), lambda: fitted.predict(make(x))):
        with pytest.raises(InputError, match=said):
            ask()


@pytest.mark.parametrize(("rows", "said"), [(1, "one class"), (3, "one class")])
def test__fit__one_class_or_one_row__is_refused(rows, said):
    with pytest.raises(InputError, match=said):
        PolytheticClassifier().fit(np.eye(3)[:rows], ["a"] * rows)


def test__fit__columns_that_never_change__do_no_harm():
    table, y = xor_table(60)
    table["c9"] = 7.0
    fitted = PolytheticClassifier().fit(table[:40], y[:40])
    assert fitted.feature_scores_[-1] == 0
    assert (fitted.predict(table[40:].assign(c9=1e9)) == y[40:]).all()


def test__one_column__is_enough():
    x = np.linspace(-1, 1, 20)[:, None]
    assert PolytheticClassifier().fit(x, x[:, 0] > 0).score(x, x[:, 0] > 0) == 1


@pytest.mark.parametrize("kinds", [2, 3])
def test__predict__an_array_where_categories_were__asks_for_a_dataframe(kinds):
    chance = np.random.default_rng(0)
    table = pd.DataFrame({"p": chance.choice(list("abc")[:kinds], 40), "q": chance.normal(size=40)})
    fitted = PolytheticClassifier(**QUICK).fit(table, table["q"] > 0)
    for array in (np.array([[7.0, -3.0], [2.0, 5.0]]), table.to_numpy()):
        with pytest.raises(InputError, match="'p' was a column of categories: expected a DataFrame"):
            fitted.predict(array)


def test__masked_values__are_missing_and_masked_labels_refused():
    table, y = xor_table(40)
    gaps = np.zeros((40, 8), bool)
    gaps[3, 4] = True
    x = np.ma.masked_array(np.where(gaps, 1e6, table), gaps)
    with pytest.raises(ValueError, match="NaN"):
        PolytheticClassifier(**QUICK).fit(x, y)
    imputing = PolytheticClassifier(missing="impute", **QUICK)
    expected = imputing.fit(x.filled(np.nan), y).predict_proba(x.filled(np.nan))
    np.testing.assert_array_equal(imputing.fit(x, y).predict_proba(x), expected)
    for teach in (imputing.fit, imputing.partial_fit):
        with pytest.raises(InputError, match="y = masked labels"):
            teach(table.to_numpy(), np.ma.masked_array(y, gaps[:, 4]))


@pytest.mark.filterwarnings("ignore:X has feature names")  # scikit-learn's own
@pytest.mark.parametrize("names", [list("abcdefgh"), [f"x{(i + 1) % 8}" for i in range(8)], range(8)])
def test__fitted_on_an_array__asked_with_a_table__takes_columns_in_their_order(names):
    table, y = xor_table(60)
    x = table.to_numpy()
    fitted = PolytheticClassifier(**QUICK).fit(x[:40], y[:40])
    asked = pd.DataFrame(x[40:], columns=names)
    if isinstance(names, list):
        with pytest.warns(UserWarning, match="has feature names, but PolytheticClassifier was fitted without"):
            found = fitted.predict_proba(asked)
    else:
        found = fitted.predict_proba(asked)
    np.testing.assert_allclose(found, fitted.predict_proba(x[40:]))
    with pytest.raises(ValueError, match="features"):
        fitted.predict(asked.iloc[:, :5])


def test__fitted_on_a_table__asked_with_one_whose_names_are_numbers__takes_columns_in_their_order():
    table, y = xor_table(60)
    fitted = PolytheticClassifier(**QUICK).fit(table[:40], y[:40])
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        found = fitted.predict_proba(pd.DataFrame(table[40:].to_numpy()))
    np.testing.assert_allclose(found, fitted.predict_proba(table[40:]))


def test__names_that_are_numbers__are_still_names():
    table, y = xor_table(60)
    table.columns = range(8)
    fitted = PolytheticClassifier(**QUICK).fit(table[:40], y[:40])
    np.testing.assert_array_equal(fitted.predict(table[40:][[*range(1, 8), 0]]), fitted.predict(table[40:]))


def test__a_table_without_rows__is_refused():
    table, y = xor_table(10)
    fitted = PolytheticClassifier(**QUICK).fit(table, y)
    with pytest.raises(ValueError, match="0 sample"):
        fitted.predict(table[:0])
