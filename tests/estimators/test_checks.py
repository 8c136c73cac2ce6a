"""Every check of scikit-learn's, for both estimators, with every option."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from polythetic.estimators import AttentionSelector, PolytheticClassifier

pytestmark = pytest.mark.filterwarnings("ignore:.*SCIPY_ARRAY_API.*")

ESTIMATORS = [
    PolytheticClassifier(),
    PolytheticClassifier(scorer="FS", votes="attention", prior="uniform"),
    PolytheticClassifier(scorer="none", missing="impute", novelty=0.2, seconds=0.5, random_state=3),
    AttentionSelector(),
    AttentionSelector(1, scorer="FS", missing="impute", random_state=None),
    AttentionSelector(keep=2, scorer="none", seconds=0.5),
]


@parametrize_with_checks(ESTIMATORS)
def test__check_estimator__passes(estimator, check):
    check(estimator)
