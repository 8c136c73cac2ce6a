import pytest
import torch

from polythetic.baselines import BASELINES, NCFS
from tests.baselines.tasks import task


def value_as_written(x, labels, w, ncfs):
    """The objective of Yang, Wang & Zuo, in loops."""
    total = -ncfs.penalty * (w**2).sum()
    for i in range(len(x)):
        kernel = torch.stack([torch.exp(-(w**2 * (x[i] - row).abs()).sum() / ncfs.width) for row in x])
        others = torch.arange(len(x)) != i
        total = total + kernel[others & (labels == labels[i])].sum() / kernel[others].sum()
    return total


@pytest.mark.parametrize("ncfs", [NCFS(), NCFS(penalty=0.3, width=2.0)])
def test__objective_and_gradient__are_those_of_the_paper(ncfs):
    x, labels = task(12, n=4)
    x, w = x.double(), torch.tensor([1.0, 0.5, 0.2, 0.9], dtype=torch.float64, requires_grad=True)
    expected = value_as_written(x, labels, w, ncfs)
    (slope,) = torch.autograd.grad(expected, w)
    same = labels[:, None] == labels
    value, gradient = ncfs._objective(x, same.fill_diagonal_(False), w.detach())
    assert value == pytest.approx(expected.item())
    torch.testing.assert_close(gradient, slope)


@pytest.mark.parametrize("values", [2, 3])
def test__ncfs__xor_of_two_among_ten__puts_them_on_top(values):
    x, labels = task(200, n=10, values=values)
    assert set(BASELINES["NCFS"].rank(x, labels, 2).topk(2).indices.tolist()) == {0, 1}


def test__ncfs__many_steps__do_not_end_lower_than_they_began():
    x, labels = task(80, n=10)
    x, same = x.float(), (labels[:, None] == labels).fill_diagonal_(False)
    ncfs = NCFS()
    assert ncfs._objective(x, same, ncfs(x, labels))[0] > ncfs._objective(x, same, torch.ones(10))[0]
