"""What encoders promise a task: its queries do not feel each other, padding is nothing, batches are loops."""

import pytest
import torch

from polythetic.encoders import MLP, Conv4, Identity, ResNet12, encoder_for
from polythetic.encoders.registry import ENCODERS
from polythetic.errors import InputError

SHAPE = (2, 18, 21)
MAKE = {
    "conv4": lambda: Conv4(2, size=SHAPE[1:], width=6, embedding=5),
    "conv4, plain": lambda: Conv4(2, size=SHAPE[1:], width=6, embedding=5, fused=False),
    "mlp": lambda: MLP(2 * 18 * 21, embedding=5, example_dims=3),
    "identity": lambda: Identity(example_dims=3),
}
every_encoder = pytest.mark.parametrize("name", MAKE)


def made(name):
    torch.manual_seed(0)
    encoder = MAKE[name]()
    with torch.no_grad():
        for key, parameter in encoder.named_parameters():
            if key.endswith("gamma"):
                parameter.normal_()  # of both signs
    return encoder


def pictures(*rows):
    return torch.rand(*rows, *SHAPE, generator=torch.Generator().manual_seed(sum(rows)))


@every_encoder
def test__batch__equals_a_loop_over_its_tasks(name):
    encoder, support, query = made(name), pictures(3, 7), pictures(3, 4)
    together = encoder(support, query)
    for t in range(3):
        for whole, alone in zip(together, encoder(support[t], query[t]), strict=True):
            torch.testing.assert_close(whole[t], alone, rtol=1e-4, atol=1e-5)


@every_encoder
def test__a_query_alone__has_the_features_it_has_among_others(name):
    encoder, support, query = made(name), pictures(7), pictures(4)
    among = encoder(support, query)[1]
    for k in range(4):
        torch.testing.assert_close(encoder(support, query[k : k + 1])[1][0], among[k], rtol=1e-4, atol=1e-5)


@every_encoder
def test__padding__whatever_it_holds__changes_nothing(name):
    encoder, support, query = made(name), pictures(2, 7), pictures(2, 4)
    mask, query_mask = torch.ones(2, 7, dtype=bool), torch.ones(2, 4, dtype=bool)
    mask[0, 5:], query_mask[1, 3:] = False, False
    found = encoder(support, query, mask, query_mask)
    other = encoder(
        torch.where(mask[..., None, None, None], support, 9.0),
        torch.where(query_mask[..., None, None, None], query, -7.0),
        mask,
        query_mask,
    )
    alone = encoder(support[0, :5], query[0])
    for first, second, real in zip(found, other, (mask, query_mask), strict=True):
        torch.testing.assert_close(first[real], second[real], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(found[0][0, :5], alone[0], rtol=1e-4, atol=1e-5)
    torch.testing.assert_close(found[1][0], alone[1], rtol=1e-4, atol=1e-5)


def reference(encoder, support, query, joint):
    """Conv4 as torch has it: batch statistics by nn.functional, applied to the queries by hand."""
    x, n = torch.cat([support, query]), len(support)
    for block in encoder.blocks:
        y = block.conv(x)
        measured = y if joint else y[:n]
        mean, var = measured.mean((0, 2, 3)), measured.var((0, 2, 3), correction=0)
        normal = (y - mean[:, None, None]) / (var[:, None, None] + 1e-5).sqrt()
        z = torch.relu(block.gamma[:, None, None] * normal + block.beta[:, None, None])
        x = torch.nn.functional.max_pool2d(z, 2)
    return encoder.linear(x.flatten(1)).split([n, len(query)])


@pytest.mark.parametrize("fused", [True, False])
@pytest.mark.parametrize("statistics", ["support", "joint"])
def test__conv4__values_and_gradients__are_those_of_torchs_own_operations(fused, statistics):
    torch.manual_seed(1)
    encoder = Conv4(2, size=SHAPE[1:], width=6, embedding=5, statistics=statistics, fused=fused).double()
    with torch.no_grad():
        for block in encoder.blocks:
            block.gamma.normal_()
            block.beta.normal_()
    support, query = pictures(7).double().requires_grad_(), pictures(4).double()
    weights = [torch.randn(n, 5, dtype=torch.float64) for n in (7, 4)]
    wanted = [support, *encoder.parameters()]

    def gradients(found):
        total = sum((part * w).sum() for part, w in zip(found, weights, strict=True))
        return torch.autograd.grad(total, wanted)

    ours, theirs = encoder(support, query), reference(encoder, support, query, statistics == "joint")
    for first, second in zip((*ours, *gradients(ours)), (*theirs, *gradients(theirs)), strict=True):
        torch.testing.assert_close(first, second, rtol=1e-9, atol=1e-10)


def test__conv4__joint_statistics__let_queries_feel_each_other():
    torch.manual_seed(0)
    encoder = Conv4(2, size=SHAPE[1:], statistics="joint", width=6)
    support, query = pictures(7), pictures(4)
    assert not torch.allclose(encoder(support, query)[1][:1], encoder(support, query[:1])[1], atol=1e-3)


def test__conv4__under_torch_func_and_for_second_derivatives__takes_the_plain_form():
    torch.manual_seed(0)
    encoder = Conv4(1, size=(16, 16), width=2, embedding=2).double()
    support, query = torch.rand(4, 1, 16, 16).double(), torch.rand(2, 1, 16, 16).double()
    weights = dict(encoder.named_parameters())

    def loss(parameters):
        return torch.func.functional_call(encoder, parameters, (support, query))[1].square().sum()

    found = torch.func.grad(loss)(weights)
    expected = torch.autograd.grad(loss(weights), list(weights.values()))
    for first, second in zip(found.values(), expected, strict=True):
        torch.testing.assert_close(first, second)


def test__resnet12__pictures__become_640_averages():
    torch.manual_seed(0)
    encoder = ResNet12(3).eval()
    with torch.no_grad():
        support, query = encoder(torch.rand(2, 3, 32, 32), torch.rand(1, 3, 32, 32))
    assert support.shape[-1] == query.shape[-1]
    assert torch.isfinite(support).all()


@pytest.mark.parametrize("name", [name for name in ENCODERS if name != "resnet12"])
def test__encoder_for__every_name__encodes(name):
    encoder = encoder_for((1, 16, 16), name=name, embedding=3)
    support, _ = encoder(torch.rand(4, 1, 16, 16), torch.rand(1, 1, 16, 16))
    assert support.shape == (4, 256 if name == "identity" else 3)


def test__encoder_for__what_it_cannot_encode__is_refused():
    with pytest.raises(InputError, match="these are not pictures"):
        encoder_for((10,), name="conv4")
    with pytest.raises(InputError, match="encoder = 'vgg': expected one of"):
        encoder_for((10,), name="vgg")
