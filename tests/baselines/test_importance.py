import pytest
import torch
from sklearn.feature_selection import mutual_info_classif

from polythetic.baselines import importance
from polythetic.baselines.importance import boosting, forest, mutual_information
from polythetic.errors import InputError
from tests.baselines.tasks import task


@pytest.mark.parametrize("values", [2, 3])
def test__mutual_information__is_scikit_learns(values):
    x, labels = task(70, values=values)
    expected = mutual_info_classif(x.numpy(), labels.numpy(), discrete_features=True)
    torch.testing.assert_close(mutual_information(x, labels).double(), torch.from_numpy(expected), rtol=0, atol=1e-6)


@pytest.mark.parametrize("score", [mutual_information, forest, boosting])
def test__importance__of_a_feature_that_is_the_class__is_the_greatest(score):
    x, _ = task(60)
    assert score(x, x[:, 3]).argmax() == 3


def test__trees__again__are_the_same():
    x, labels = task(60)
    assert torch.equal(forest(x, labels), forest(x, labels))
    assert torch.equal(boosting(x, labels), boosting(x, labels))


def test__trees__without_scikit_learn__name_the_remedy(monkeypatch):
    monkeypatch.setattr(importance, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install scikit-learn"):
        forest(*task(20))
