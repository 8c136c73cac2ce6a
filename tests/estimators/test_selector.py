"""The selector: alone, and in front of any classifier."""

import numpy as np
import pandas as pd
import pytest
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

from polythetic.errors import InputError
from polythetic.estimators import AttentionSelector

X = np.random.default_rng(0).choice([-1.0, 1.0], (120, 10))
Y = (X[:, 1] * X[:, 7] > 0).astype(int)


def test__in_front_of_a_classifier__makes_it_see_the_pattern():
    blind = KNeighborsClassifier().fit(X[:40], Y[:40]).score(X[40:], Y[40:])
    seeing = make_pipeline(AttentionSelector(), KNeighborsClassifier()).fit(X[:40], Y[:40]).score(X[40:], Y[40:])
    assert blind < 0.75
    assert seeing == 1


def test__names__are_those_of_the_columns_kept():
    table = pd.DataFrame(X, columns=list("abcdefghij"))
    selector = AttentionSelector().set_output(transform="pandas").fit(table[:40], Y[:40])
    assert selector.get_feature_names_out().tolist() == ["b", "h"]
    assert selector.transform(table[40:]).columns.tolist() == ["b", "h"]
    assert selector.feature_scores_.shape == (10,)


@pytest.mark.parametrize("keep", [1, 3, 10])
def test__keep__a_number__keeps_the_highest_scores(keep):
    selector = AttentionSelector(keep).fit(X[:40], Y[:40])
    assert selector.transform(X).shape == (120, keep)
    assert selector.feature_scores_[selector.get_support()].min() >= selector.feature_scores_[
        ~selector.get_support()
    ].max(initial=0)


@pytest.mark.parametrize("keep", [0, 11, "most", 2.5])
def test__keep__that_cannot_be__is_refused(keep):
    with pytest.raises(InputError, match="keep = "):
        AttentionSelector(keep).fit(X[:40], Y[:40])


def test__seconds__that_are_no_time__are_refused():
    with pytest.raises(InputError, match="seconds = '5': expected a number above 0, or None"):
        AttentionSelector(seconds="5").fit(X[:40], Y[:40])
