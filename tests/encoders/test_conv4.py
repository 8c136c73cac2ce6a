"""Conv4 against torch's own layers, and what its statistics are of."""

import pytest
import torch
from torch import nn

from polythetic.encoders import Conv4
from polythetic.errors import InputError

both_ways = pytest.mark.parametrize("fused", [True, False])


def network(encoder, bias=0.0):
    """Write a Conv4 with torch's layers, with the same weights."""
    layers = []
    for block in encoder.blocks:
        width, channels = block.conv.weight.shape[:2]
        conv, norm = nn.Conv2d(channels, width, 3, padding=1), nn.BatchNorm2d(width, track_running_stats=False)
        nn.init.constant_(conv.bias, bias)
        for ours, theirs in ((block.conv.weight, conv.weight), (block.gamma, norm.weight), (block.beta, norm.bias)):
            theirs.data.copy_(ours.data)
        layers += [conv, norm, nn.ReLU(), nn.MaxPool2d(2)]
    return nn.Sequential(*layers, nn.Flatten(), encoder.linear).double()


def shuffled(encoder):
    """Move γ and β away from where they start; some γ become negative."""
    with torch.no_grad():
        for block in encoder.blocks:
            block.gamma.normal_()
            block.beta.normal_()
    return encoder.double()


@both_ways
@pytest.mark.parametrize("size", [(16, 16), (28, 28), (33, 47), (84, 20)])
@pytest.mark.parametrize("channels", [1, 2, 3])
def test__conv4__joint_statistics_of_any_size__equals_torchs_layers(size, channels, fused):
    torch.manual_seed(0)
    encoder = shuffled(Conv4(channels, size=size, width=4, embedding=5, statistics="joint", fused=fused))
    x = torch.randn(9, channels, *size, dtype=torch.float64)
    features, query_features = encoder(x[:6], x[6:])
    torch.testing.assert_close(torch.cat((features, query_features)), network(encoder)(x))


@both_ways
def test__conv4__biases_in_the_convolutions__would_cancel(fused):
    torch.manual_seed(0)
    encoder = shuffled(Conv4(1, size=(16, 16), width=4, statistics="joint", fused=fused))
    x = torch.randn(5, 1, 16, 16, dtype=torch.float64)
    torch.testing.assert_close(encoder(x, x[:0])[0], network(encoder, bias=3.0)(x))


@both_ways
def test__conv4__support_statistics__support_as_if_there_were_no_queries(fused):
    torch.manual_seed(0)
    encoder = shuffled(Conv4(3, size=(20, 20), width=4, fused=fused))
    support, query = torch.randn(6, 3, 20, 20).double(), 100 * torch.randn(2, 3, 20, 20).double()
    torch.testing.assert_close(encoder(support, query)[0], network(encoder)(support))


@both_ways
def test__conv4__query_equal_to_a_row_of_support__equal_features(fused):
    torch.manual_seed(0)
    encoder = shuffled(Conv4(3, size=(20, 20), width=4, fused=fused))
    support = torch.randn(6, 3, 20, 20).double()
    features, query_features = encoder(support, support[[4]])
    torch.testing.assert_close(query_features[0], features[4])


@both_ways
@pytest.mark.parametrize(("statistics", "influence"), [("support", False), ("joint", True)])
def test__conv4__another_query__matters_only_for_joint_statistics(statistics, influence, fused):
    torch.manual_seed(0)
    encoder = shuffled(Conv4(1, size=(16, 16), width=4, statistics=statistics, fused=fused))
    support, query = torch.randn(6, 1, 16, 16).double(), torch.randn(2, 1, 16, 16).double()
    query.requires_grad_()
    features, query_features = encoder(support, query)
    (of_support,) = torch.autograd.grad(features.sum(), query, retain_graph=True, allow_unused=True)
    (of_first,) = torch.autograd.grad(query_features[0].sum(), query)
    assert bool(of_support is not None and (of_support != 0).any()) == influence
    assert bool((of_first[1] != 0).any()) == influence
    assert (of_first[0] != 0).any()


@both_ways
def test__conv4__one_row_of_support__finite(fused):
    encoder = Conv4(1, size=(16, 16), fused=fused)
    features, query_features = encoder(torch.rand(1, 1, 16, 16), torch.rand(1, 1, 16, 16))
    assert features.isfinite().all()
    assert query_features.isfinite().all()


def test__conv4__whole_numbers__are_taken_as_numbers():
    encoder = Conv4(1, size=(16, 16))
    bits = torch.randint(0, 2, (4, 1, 16, 16))
    torch.testing.assert_close(encoder(bits, bits)[1], encoder(bits.float(), bits.float())[1])


def test__conv4__start__as_torchs_layers_start():
    torch.manual_seed(0)
    encoder = Conv4(3, size=(56, 56))
    bounds = [27**-0.5, *[576**-0.5] * 3]  # Kaiming's with a = √5: 1/√(inputs of a filter)
    for block, bound in zip(encoder.blocks, bounds, strict=True):
        assert block.conv.bias is None
        assert 0.99 * bound < block.conv.weight.abs().max() <= bound
        assert (block.gamma == 1).all()
        assert (block.beta == 0).all()
    assert encoder.linear.in_features == 64 * 3 * 3
    assert list(encoder.buffers()) == []  # nothing is remembered from task to task


def test__conv4__defaults__are_the_papers():
    encoder = Conv4(1, size=(28, 28))
    assert [tuple(block.conv.weight.shape) for block in encoder.blocks] == [(64, 1, 3, 3), *[(64, 64, 3, 3)] * 3]
    assert (encoder.linear.in_features, encoder.linear.out_features, encoder.statistics) == (64, 64, "support")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"channels": 0}, "channels = 0: expected a whole number of at least 1"),
        ({"size": (15, 28)}, r"size = 15: expected a whole number of at least 16 \(pixels"),
        ({"embedding": 0}, "embedding = 0"),
        ({"width": 0}, "width = 0"),
        ({"statistics": "running"}, "statistics = 'running': expected one of support, joint"),
    ],
)
def test__conv4__argument_that_cannot_be__refused(arguments, message):
    with pytest.raises(InputError, match=message):
        Conv4(**{"channels": 1, "size": (28, 28), **arguments})


def test__conv4__pictures_of_another_size__refused():
    with pytest.raises(InputError, match="query = 2×1×28×29: expected pictures of 1×28×28, rows of them first"):
        Conv4(1, size=(28, 28))(torch.rand(2, 1, 28, 28), torch.rand(2, 1, 28, 29))


def test__conv4__task_that_is_all_padding__refused():
    mask = torch.tensor([[True, True], [False, False]])
    with pytest.raises(InputError, match="mask = no row of task 1: expected at least one row of support"):
        Conv4(1, size=(16, 16))(torch.rand(2, 2, 1, 16, 16), torch.rand(2, 1, 1, 16, 16), mask)
