"""Every check of scikit-learn's, for both estimators, with every option."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from polythetic.estimators import AttentionSelector, PolytheticClassifier

pytestmark = pytest.mark.filterwarnings("ignore:.*SCIPY_ARRAY_API.*")

CLASSIFIERS = [
    PolytheticClassifier(),
    PolytheticClassifier(scorer="FS"),
    PolytheticClassifier(scorer="none", votes="attention", prior="uniform"),
    PolytheticClassifier(missing="impute", novelty=0.2, seconds=0.5, random_state=3),
    PolytheticClassifier(votes="attention"),
]
SELECTORS = [
    AttentionSelector(),
    AttentionSelector(1, scorer="FS", random_state=None),
    AttentionSelector(scorer="none", missing="impute"),
    AttentionSelector(keep=2, seconds=0.5),
]


@parametrize_with_checks(CLASSIFIERS + SELECTORS)
def test__check_estimator__passes(estimator, check):
    check(estimator)
