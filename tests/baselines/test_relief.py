import pytest
import torch

from polythetic.baselines import relief
from polythetic.baselines.relief import RELIEFS, by_skrebate, multisurf, relieff
from polythetic.errors import InputError
from tests.baselines.tasks import task


@pytest.mark.parametrize("name", RELIEFS)
@pytest.mark.parametrize(("rows", "values"), [(30, 2), (150, 2), (60, 3)])
def test__relief__of_matrices__has_the_scores_of_scikit_rebate(name, rows, values):
    pytest.importorskip("skrebate")
    x, labels = task(rows, values=values)
    torch.testing.assert_close(RELIEFS[name](x, labels), by_skrebate(name, x, labels), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("name", RELIEFS)
def test__relief__one_class_much_smaller__has_the_scores_of_scikit_rebate(name):
    pytest.importorskip("skrebate")
    x, _ = task(50, seed=1)
    labels = (torch.arange(50) < 7).long()
    torch.testing.assert_close(RELIEFS[name](x, labels), by_skrebate(name, x, labels), rtol=1e-4, atol=1e-6)


def test__relief__labels_named_otherwise__scores_the_same():
    x, labels = task(60)
    for score in (relieff, multisurf):
        torch.testing.assert_close(score(x, labels), score(x, 5 - 7 * labels))


def test__multisurf__xor_of_two__puts_them_on_top():
    x, labels = task(200)
    assert set(multisurf(x, labels).topk(2).indices.tolist()) == {0, 1}


def test__relieff__no_neighbours__says_so():
    with pytest.raises(InputError, match="neighbours = 0"):
        relieff(*task(20), neighbours=0)


def test__by_skrebate__not_installed__names_the_remedy(monkeypatch):
    monkeypatch.setattr(relief, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install skrebate"):
        by_skrebate("MultiSURF", *task(20))


def test__by_skrebate__unknown__lists_those_there_are():
    with pytest.raises(InputError, match=r"ReliefF, .*MultiSURF"):
        by_skrebate("SURF", *task(20))
