"""The fast block against the plain one, and both against finite differences."""

import copy

import pytest
import torch
from torch.func import functional_call, grad

from polythetic.encoders import Conv4
from polythetic.encoders.block import norm_relu_pool
from polythetic.encoders.fused import NormReluPool
from polythetic.encoders.packing import Span

TASKS = [Span(0, 2, 3), Span(3, 6, 7)]  # supports of 2 and 3 rows, one query each
JOINT = [Span(0, 3, 3), Span(3, 7, 7)]

both_statistics = pytest.mark.parametrize("spans", [TASKS, JOINT], ids=["support", "joint"])


def maps(*shape, dtype=torch.float64, offset=0.0):
    y = torch.randn(*shape, dtype=dtype, generator=torch.Generator().manual_seed(0)) + offset
    return y.contiguous(memory_format=torch.channels_last).requires_grad_()


def line(channels, dtype=torch.float64):
    generator = torch.Generator().manual_seed(1)
    gamma, beta = torch.rand(channels, generator=generator) + 0.1, torch.randn(channels, generator=generator)
    return gamma.to(dtype).requires_grad_(), beta.to(dtype).requires_grad_()


def gradients(function, *inputs):
    out = function(*inputs)
    weights = torch.randn(out.shape, dtype=torch.float64, generator=torch.Generator().manual_seed(2)).to(out.dtype)
    return out, *torch.autograd.grad((out * weights).sum(), inputs)


@both_statistics
@pytest.mark.parametrize("size", [(2, 2), (4, 6), (5, 7)])
def test__fused__double_precision__values_and_gradients_of_the_plain_one(spans, size):
    inputs = maps(7, 3, *size), *line(3)
    fused = gradients(lambda *x: NormReluPool.apply(*x, spans), *inputs)
    plain = gradients(lambda *x: norm_relu_pool(*x, spans), *inputs)
    for found, expected in zip(fused, plain, strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-10, atol=1e-12)


@both_statistics
def test__fused__single_precision__near_the_plain_one_in_double(spans):
    inputs = maps(7, 3, 12, 10), *line(3)
    fused = gradients(lambda *x: NormReluPool.apply(*x, spans), *(x.detach().float().requires_grad_() for x in inputs))
    plain = gradients(lambda *x: norm_relu_pool(*x, spans), *inputs)
    for found, expected in zip(fused, plain, strict=True):
        torch.testing.assert_close(found.double(), expected, rtol=1e-4, atol=1e-5)


@both_statistics
def test__fused__first_derivatives__equal_finite_differences(spans):
    assert torch.autograd.gradcheck(lambda *x: NormReluPool.apply(*x, spans), (maps(7, 2, 2, 4), *line(2)))


@both_statistics
def test__fused__second_derivatives__equal_finite_differences(spans):
    assert torch.autograd.gradgradcheck(lambda *x: NormReluPool.apply(*x, spans), (maps(7, 2, 2, 2), *line(2)))


def test__fused__ties__gradients_go_where_the_plain_ones_go():
    y = torch.randint(0, 2, (7, 2, 4, 4), generator=torch.Generator().manual_seed(0)).double()
    inputs = y.contiguous(memory_format=torch.channels_last).requires_grad_(), *line(2)
    fused = gradients(lambda *x: NormReluPool.apply(*x, TASKS), *inputs)
    plain = gradients(lambda *x: norm_relu_pool(*x, TASKS), *inputs)
    for found, expected in zip(fused, plain, strict=True):
        torch.testing.assert_close(found, expected)


def test__fused__all_values_alike__finite_gradients():
    y = torch.full((3, 2, 4, 4), 0.7).contiguous(memory_format=torch.channels_last).requires_grad_()
    fused = gradients(lambda *x: NormReluPool.apply(*x, [Span(0, 2, 3)]), y, *line(2, torch.float32))
    assert all(x.isfinite().all() for x in fused)


def test__fused__means_far_from_zero_over_many_values__statistics_keep_their_digits():
    y = maps(64, 2, 56, 56, dtype=torch.float32, offset=100.0)
    gamma, beta = torch.ones(2), torch.zeros(2)
    found = NormReluPool.apply(y, gamma, beta, [Span(0, 64, 64)])
    expected = norm_relu_pool(y.double(), gamma.double(), beta.double(), [Span(0, 64, 64)])
    torch.testing.assert_close(found.double(), expected, rtol=1e-4, atol=1e-4)


def test__fused__backward_twice__the_same_gradients():
    y, gamma, beta = maps(3, 2, 4, 4), *line(2)
    out = NormReluPool.apply(y, gamma, beta, [Span(0, 2, 3)]).square().sum()
    first = torch.autograd.grad(out, (y, gamma, beta), retain_graph=True)
    second = torch.autograd.grad(out, (y, gamma, beta))
    assert all(torch.equal(a, b) for a, b in zip(first, second, strict=True))


# ---------------------------------------------------------------- the whole encoder


def pair(**arguments):
    """Make the same Conv4 twice, fused and plain, with γ of both signs."""
    torch.manual_seed(0)
    encoder = Conv4(**{"channels": 3, "size": (19, 17), "width": 5, "embedding": 4, **arguments}).double()
    with torch.no_grad():
        for block in encoder.blocks:
            block.gamma.normal_()
            block.beta.normal_()
    plain = copy.deepcopy(encoder)
    plain.fused = False
    return encoder, plain


def episode(channels=3, size=(19, 17)):
    generator = torch.Generator().manual_seed(0)
    support = torch.randn(2, 6, channels, *size, dtype=torch.float64, generator=generator)
    query = torch.randn(2, 4, channels, *size, dtype=torch.float64, generator=generator)
    mask, query_mask = torch.ones(2, 6, dtype=torch.bool), torch.ones(2, 4, dtype=torch.bool)
    mask[1, 4:], query_mask[0, 2] = False, False
    return support.requires_grad_(), query.requires_grad_(), mask, query_mask


@pytest.mark.parametrize("statistics", ["support", "joint"])
@pytest.mark.parametrize("channels", [1, 3])
def test__conv4__fused_and_plain__the_same_values_and_gradients(statistics, channels):
    inputs, found = episode(channels), []
    for encoder in pair(channels=channels, statistics=statistics):
        features, query_features = encoder(*inputs)
        loss = (features.square() * torch.arange(4)).sum() + query_features.sin().sum()
        found.append((features, query_features, *torch.autograd.grad(loss, [*inputs[:2], *encoder.parameters()])))
    for fused, plain in zip(*found, strict=True):
        torch.testing.assert_close(fused, plain, rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize("fused", [True, False])
def test__conv4__padding__has_no_gradient(fused):
    support, query, mask, query_mask = episode()
    features, query_features = pair()[0 if fused else 1](support, query, mask, query_mask)
    (features.sin().sum() + query_features.sin().sum()).backward()
    assert (support.grad[~mask] == 0).all()
    assert (query.grad[~query_mask] == 0).all()
    assert (support.grad[mask] != 0).any()


def test__conv4__filters_of_the_first_block__gradient_equals_finite_differences():
    encoder, _ = pair(channels=1, size=(16, 16), width=2)
    support, query, *_ = episode(1, (16, 16))
    weights = dict(encoder.named_parameters())

    def features(filters):
        return functional_call(encoder, {**weights, "blocks.0.conv.weight": filters}, (support[0], query[0]))

    support, query = support.detach(), query.detach()
    assert torch.autograd.gradcheck(features, weights["blocks.0.conv.weight"].detach().clone().requires_grad_())


def test__conv4__gamma_of_zero__finite_gradients_that_can_leave_it():
    encoder, _ = pair()
    torch.nn.init.zeros_(encoder.blocks[3].gamma)
    torch.nn.init.ones_(encoder.blocks[3].beta)
    encoder(*episode())[1].square().sum().backward()
    assert encoder.blocks[3].gamma.grad.isfinite().all()
    assert (encoder.blocks[3].gamma.grad != 0).any()


def test__conv4__under_torch_func__the_plain_gradients():
    encoder, plain = pair()
    inputs = tuple(x.detach() for x in episode())

    def loss(parameters):
        return functional_call(encoder, parameters, inputs)[1].square().sum()

    found = grad(loss)(dict(encoder.named_parameters()))
    plain(*inputs)[1].square().sum().backward()
    for name, parameter in plain.named_parameters():
        torch.testing.assert_close(found[name], parameter.grad)


def test__conv4__gradient_of_a_gradient__equals_the_plain_one():
    inputs, found = tuple(x.detach() for x in episode()), []
    for encoder in pair():
        inner = torch.autograd.grad(encoder(*inputs)[1].square().sum(), list(encoder.parameters()), create_graph=True)
        outer = sum(x.square().sum() for x in inner)
        found.append(torch.autograd.grad(outer, list(encoder.parameters()), allow_unused=True))
    for fused, plain in zip(*found, strict=True):
        torch.testing.assert_close(fused, plain)
