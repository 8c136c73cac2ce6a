"""Units: metres or nanometres, a column says the same."""

import numpy as np
import polars as pl
import pytest
from numpy.testing import assert_allclose

from polythetic.errors import InputError
from polythetic.estimators import AttentionSelector, PolytheticClassifier
from polythetic.table_scores import score_table

X = np.random.default_rng(0).choice([-1.0, 1.0], (160, 8))
Y = X[:, 2] * X[:, 5] > 0
UNITS = [1e-30, 1e-9, 1e-3, 1e9, 1e30]


def in_units(unit: float) -> np.ndarray:
    """Tell the two columns that matter in another unit."""
    return np.where(np.isin(np.arange(8), [2, 5]), unit, 1.0)


@pytest.mark.parametrize("unit", UNITS)
def test__classifier__two_columns_in_another_unit__the_same_answers(unit):
    scale = in_units(unit)
    fitted = PolytheticClassifier().fit(X[:80] * scale, Y[:80])
    assert set(np.argsort(-fitted.feature_scores_)[:2]) == {2, 5}
    assert (fitted.predict(X[80:] * scale) == Y[80:]).all()


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("scorer", ["FS", "none"])
def test__classifier__attention_on_columns_in_many_units__the_same_probabilities(scorer, unit):
    chance = np.random.default_rng(1)
    x = chance.normal(size=(60, 5)) + 3
    y = x[:, 0] + x[:, 1] > 6
    scale = unit ** chance.uniform(-1, 1, 5)
    plain, scaled = (
        PolytheticClassifier(scorer=scorer, votes="attention").fit(x[:40] * by, y[:40]).predict_proba(x[40:] * by)
        for by in (1.0, scale)
    )
    assert_allclose(scaled, plain, rtol=1e-6)


@pytest.mark.parametrize("unit", UNITS)
def test__classifier__every_column_in_another_unit__the_same_probabilities(unit):
    plain, scaled = (PolytheticClassifier().fit(X[:40] * by, Y[:40]).predict_proba(X[40:] * by) for by in (1.0, unit))
    assert_allclose(scaled, plain, rtol=1e-6)


@pytest.mark.parametrize("unit", UNITS)
def test__selector__two_columns_in_another_unit__keeps_them(unit):
    selector = AttentionSelector(2, scorer="FS").fit(X * in_units(unit), Y)
    assert selector.get_support(indices=True).tolist() == [2, 5]
    assert_allclose(selector.feature_scores_, AttentionSelector(scorer="FS").fit(X, Y).feature_scores_, rtol=1e-6)


@pytest.mark.parametrize("method", ["R", "FS"])
@pytest.mark.parametrize("unit", [1e-30, 1e-9, 1e30])
def test__score_table__two_columns_in_another_unit__come_first(method, unit):
    table = pl.DataFrame(X * in_units(unit), schema=list("abcdefgh"))
    found = score_table(table, Y.astype(str).tolist(), method=method, permutations=19)
    assert set(found.names[:2]) == {"c", "f"}
    assert found.scores[1] > 1.1 * found.scores[2]


def test__constant_but_for_rounding__counts_as_constant():
    noise = 1e9 + 1e-7 * np.random.default_rng(2).normal(size=160)
    assert len(np.unique(noise)) > 1
    x = np.column_stack([X, noise])
    fitted = PolytheticClassifier(scorer="FS").fit(x[:80], Y[:80])
    assert fitted.feature_scores_[-1] == 0
    x[:, -1] += 5
    assert (fitted.predict(x[80:]) == Y[80:]).all()


@pytest.mark.parametrize("votes", ["all", "attention"])
def test__numbers_whose_squares_overflow__are_refused_in_fit_and_are_far_out_in_predict(votes):
    x = X[:40].copy()
    fitted = PolytheticClassifier(votes=votes, scorer="FS").fit(x, Y[:40])
    x[7, 3] = -1.7e308
    assert np.isfinite(fitted.predict_proba(x)).all()
    with pytest.raises(
        InputError, match=r"x3 = -1\.7e\+308 in row 7 \(from 0\): expected numbers up to 1e\+150; .*unit"
    ):
        PolytheticClassifier(votes=votes, scorer="FS").fit(x, Y[:40])
    x[7, 3] = -1e150
    assert PolytheticClassifier(votes=votes).fit(x, Y[:40]).score(x, Y[:40]) > 0.9


def test__spread_too_small_to_divide_by__counts_as_constant_and_spoils_no_other():
    rng = np.random.default_rng(0)
    x = rng.choice([-1.0, 1.0], (60, 4))
    y = (x[:, 1] * x[:, 2] > 0).astype(int)
    x[:, 3] = np.where(x[:, 3] > 0, 4e-310, 0.0)  # as p-values are
    fitted = PolytheticClassifier().fit(x[:40], y[:40])
    assert fitted.score(x[40:], y[40:]) == 1
    assert fitted.feature_scores_[3] == 0
