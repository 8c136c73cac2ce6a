"""MAML against finite differences, a plain loop of torch.func.grad, and what adaptation must and must not do."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from torch import nn
from torch.func import functional_call, grad
from torch.nn.functional import cross_entropy

from polythetic.encoders import Conv4, Encoder, Pointwise
from polythetic.episodes import BooleanTasks, Episode
from polythetic.errors import InputError
from polythetic.learners.learner import columns
from polythetic.learners.maml import MAML
from tests import plain


class Normalising(Encoder):
    """Linear, normalised by the support with an affine map, tanh, linear: small, smooth, with all that MAML meets."""

    def __init__(self, features=3, width=4, out=2, seed=0):
        super().__init__()
        generator = torch.Generator().manual_seed(seed)
        self.first, self.last = nn.Linear(features, width), nn.Linear(width, out)
        self.gamma, self.beta = nn.Parameter(torch.empty(width)), nn.Parameter(torch.empty(width))
        for p in self.parameters():
            nn.init.normal_(p, generator=generator)

    def forward(self, support, query, mask=None, query_mask=None):
        x, q = self.first(support), self.first(query)
        mean, scale = x.mean(-2, keepdim=True), (x.var(-2, correction=0, keepdim=True) + 0.1).rsqrt()
        x, q = ((z - mean) * scale * self.gamma + self.beta for z in (x, q))
        return self.last(x.tanh()), self.last(q.tanh())


def episode(*seeds, sizes=(3, 3), features=3, queries=4):
    """Normal tasks with queries of all their classes; of one seed, without task dimension."""
    parts = [plain.task(seed, sizes, features, queries) for seed in seeds]
    support, labels, query = plain.tensors(*(np.stack(x) for x in zip(*parts, strict=True)))
    truth = labels.sort(-1).values[..., :: len(labels[0]) // queries][..., :queries]
    whole = Episode(support, labels, query, truth)
    return whole if len(seeds) > 1 else task_of(whole, 0)


def task_of(e, t):
    parts = (e.support, e.support_labels, e.query, e.query_labels, e.support_mask, e.query_mask)
    return Episode(*(None if x is None else x[t] for x in parts))


def gradients(learner, e):
    learner.zero_grad()
    learner.loss(e)[0].backward()
    return {name: p.grad.clone() for name, p in learner.encoder.named_parameters()}


def agree_with_differences(found, loss, parameters, eps=1e-6, tolerance=1e-6):
    """Compare the derivative of the loss by each parameter, in a random direction, with a central difference."""
    generator = torch.Generator().manual_seed(0)
    for name, p in parameters.items():
        direction, value, ends = torch.randn(p.shape, generator=generator, dtype=p.dtype), p.data.clone(), []
        for step in (eps, -eps):
            p.data.copy_(value + step * direction)
            with torch.no_grad():
                ends.append(loss().item())
        p.data.copy_(value)
        slope = (ends[0] - ends[1]) / (2 * eps)
        assert_allclose((found[name] * direction).sum(), slope, rtol=tolerance, atol=tolerance, err_msg=name)


def plain_adaptation(encoder, e, steps, rate):
    """Parameters of encoder and head after steps of gradient descent, by torch.func.grad of the whole loss."""
    y = columns(replace(e, query_labels=e.support_labels))
    K, width = int(y.max()) + 1, encoder(e.support, e.query)[0].shape[-1]
    dtype = e.support.dtype
    theta = {
        **dict(encoder.named_parameters()),
        "W": torch.zeros(K, width, dtype=dtype),
        "b": torch.zeros(K, dtype=dtype),
    }

    def loss(theta):
        return cross_entropy(plain_logits(encoder, theta, e)[0], y)

    for _ in range(steps):
        gradient = grad(loss)(theta)
        theta = {name: p - rate * gradient[name] for name, p in theta.items()}
    return theta


def plain_logits(encoder, theta, e):
    own = {name: p for name, p in theta.items() if name not in ("W", "b")}
    return [x @ theta["W"].mT + theta["b"] for x in functional_call(encoder, own, (e.support, e.query))]


def same(found, expected, tolerance=1e-6):
    for name in expected:
        assert_allclose(found[name], expected[name], rtol=tolerance, atol=tolerance, err_msg=name)


# ---------------------------------------------------------------- the gradient


@pytest.mark.parametrize("steps", [1, 2, 4])
def test__maml__second_order__equals_finite_differences(steps):
    learner, e = MAML(Normalising().double(), steps=steps), episode(0)
    parameters = dict(learner.encoder.named_parameters())
    agree_with_differences(gradients(learner, e), lambda: learner.loss(e)[0], parameters)


def test__maml__first_order__equals_finite_differences_at_the_adapted_parameters():
    learner, e = MAML(Normalising().double(), steps=4, order=1), episode(0)
    theta = {name: p.detach() for name, p in plain_adaptation(learner.encoder, e, steps=4, rate=0.4).items()}

    def loss():
        return cross_entropy(plain_logits(learner.encoder, theta, e)[1], columns(e))

    parameters = {name: theta[name] for name, _ in learner.encoder.named_parameters()}
    agree_with_differences(gradients(learner, e), loss, parameters)


def test__maml__orders__agree_in_the_loss_and_differ_in_the_gradient():
    encoder, e = Normalising().double(), episode(0)
    first, second = (MAML(encoder, order=order) for order in (1, 2))
    assert_allclose(first.loss(e)[0].item(), second.loss(e)[0].item(), rtol=1e-12)
    one, two = gradients(first, e), gradients(second, e)
    assert all((one[name] - two[name]).norm() > 0.01 * two[name].norm() for name in two)


@pytest.mark.parametrize("fused", [True, False])
def test__maml__conv4__second_order_equals_finite_differences(fused):
    torch.manual_seed(0)
    learner = MAML(Conv4(1, size=(16, 16), width=2, embedding=3, fused=fused).double(), steps=3)
    pictures = torch.rand(6, 1, 16, 16, dtype=torch.float64)
    e = Episode(pictures[:4], torch.tensor([0, 0, 1, 1]), pictures[4:], torch.tensor([0, 1]))
    parameters = dict(learner.encoder.named_parameters())
    agree_with_differences(gradients(learner, e), lambda: learner.loss(e)[0], parameters, tolerance=1e-5)


# ---------------------------------------------------------------- adaptation


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize("steps", [1, 2, 5])
def test__maml__adapted__equals_a_plain_loop_of_gradients(order, steps):
    encoder, e = Normalising().double(), episode(1, sizes=(2, 3, 3))
    expected = plain_logits(encoder, plain_adaptation(encoder, e, steps, 0.3), e)[1].log_softmax(-1)
    found = MAML(encoder, steps=steps, rate=0.3, order=order)(e)
    assert_allclose(found.detach(), expected.detach(), rtol=1e-9)


def test__maml__no_steps__knows_nothing():
    learner, e = MAML(Normalising().double(), steps=0), episode(0, sizes=(2, 2, 2))
    loss, log_p = learner.loss(e)
    loss.backward()
    assert_allclose(log_p.detach(), np.full((4, 3), -math.log(3)))
    assert all((p.grad == 0).all() for p in learner.encoder.parameters())


def test__maml__more_steps__lower_loss_on_the_support():
    e = episode(2)
    on_support = replace(e, query=e.support, query_labels=e.support_labels)
    losses = [MAML(Normalising().double(), steps=k, rate=0.05).loss(on_support)[0].item() for k in (0, 1, 2, 10, 50)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.9 * losses[0]


def test__maml__modes__take_their_own_numbers_of_steps():
    encoder, e = Normalising().double(), episode(0)
    learner, short, long = MAML(encoder, steps=2, test_steps=6), MAML(encoder, steps=2), MAML(encoder, steps=6)
    assert torch.equal(learner(e), short(e))
    assert torch.equal(learner.eval()(e), long(e))


@pytest.mark.parametrize("order", [1, 2])
def test__maml__without_gradients__adapts_all_the_same_and_changes_nothing(order):
    learner, e = MAML(Normalising().double(), order=order).eval(), episode(0)
    before = {name: x.clone() for name, x in learner.state_dict().items()}
    with torch.no_grad():
        log_p = learner(e)
    assert not log_p.requires_grad
    assert_allclose(log_p, learner(e).detach(), rtol=1e-12)
    best = learner.predict(e.support, e.support_labels, e.query)
    assert torch.equal(best, e.support_labels.unique()[log_p.argmax(-1)])
    assert all(torch.equal(x, before[name]) for name, x in learner.state_dict().items())
    assert all(p.grad is None for p in learner.parameters())


@pytest.mark.parametrize("order", [1, 2])
def test__maml__frozen_encoder__adapts_all_the_same(order):
    e, encoder = episode(0), Normalising().double()
    expected = MAML(encoder, order=order)(e).detach()
    assert_allclose(MAML(encoder.requires_grad_(False), order=order)(e).detach(), expected, rtol=1e-12)


# ---------------------------------------------------------------- tasks of all kinds


@pytest.mark.parametrize("order", [1, 2])
def test__maml__several_tasks__the_mean_of_one_at_a_time(order):
    learner, e = MAML(Normalising().double(), order=order), episode(0, 1, 2)
    loss, log_p = learner.loss(e)
    alone = [learner.loss(task_of(e, t)) for t in range(3)]
    assert_allclose(log_p.detach(), torch.stack([own for _, own in alone]).detach(), rtol=1e-12)
    assert_allclose(loss.item(), np.mean([own.item() for own, _ in alone]), rtol=1e-12)
    each = [gradients(learner, task_of(e, t)) for t in range(3)]
    same(gradients(learner, e), {name: sum(own[name] for own in each) / 3 for name in each[0]}, 1e-12)


@pytest.mark.parametrize("order", [1, 2])
def test__maml__batch_of_different_sizes_and_classes__equals_a_loop_whatever_the_padding(order):
    tasks = [plain.task(seed, sizes) for seed, sizes in enumerate(plain.SIZES)]
    support, labels, mask, query = plain.tensors(*plain.padded(tasks, garbage=np.nan, rows=12))
    query[:, -1], asked = np.nan, torch.tensor([[True] * 4 + [False]] * 3)
    truth = torch.where(asked, -2, 77)  # a class that every task has
    learner = MAML(Normalising().double(), order=order)
    found = gradients(learner, e := Episode(support, labels, query, truth, mask, asked))
    log_p = learner(e).detach()
    alone = [Episode(*plain.tensors(X, y, Q[:4]), truth[t, :4]) for t, (X, y, Q) in enumerate(tasks)]
    for t, own in enumerate(alone):
        K = len(plain.SIZES[t])
        assert_allclose(log_p[t, :4, :K], learner(own).detach(), rtol=1e-9)
        assert_allclose(log_p[t, 4, :K].exp(), np.full(K, 1 / K))
        assert torch.isneginf(log_p[t, :, K:]).all()
    each = [gradients(learner, own) for own in alone]
    same(found, {name: sum(own[name] for own in each) / 3 for name in found}, 1e-9)


def test__maml__two_leading_dimensions__equal_one():
    learner, e = MAML(Normalising().double()), episode(0, 1, 2, 3)
    parts = (e.support, e.support_labels, e.query, e.query_labels)
    square = Episode(*(x.unflatten(0, (2, 2)) for x in parts))
    assert_allclose(learner(square).flatten(0, 1).detach(), learner(e).detach(), rtol=1e-12)


def test__maml__joint_statistics__count_no_stand_in_queries():
    """With the support for queries, joint statistics are the support's own."""
    torch.manual_seed(0)
    joint, own = (MAML(Conv4(1, size=(16, 16), width=4, statistics=s)).double() for s in ("joint", "support"))
    own.load_state_dict(joint.state_dict())
    pictures, labels = torch.rand(5, 1, 16, 16, dtype=torch.float64), torch.tensor([0, 1, 0, 1, 1])
    e = Episode(pictures, labels, pictures, labels)
    assert_allclose(joint(e).detach(), own(e).detach(), rtol=1e-6)


def test__maml__any_torch_module_with_batch_norm__will_do():
    module = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4, track_running_stats=False), nn.ReLU(), nn.Linear(4, 2))
    learner = MAML(Pointwise(module.double(), example_dims=1))
    assert all(g.isfinite().all() for g in gradients(learner, episode(0, 1)).values())


@pytest.mark.parametrize("order", [1, 2])
def test__maml__trained_on_xor_of_two_classes__learns_and_takes_tasks_of_four(order):
    torch.manual_seed(0)
    suite = BooleanTasks(n=4, alpha=2, active_sets=((0, 1),))
    learner = MAML(Pointwise(nn.Sequential(nn.Linear(4, 16), nn.Tanh(), nn.Linear(16, 8)), example_dims=1), order=order)
    optimiser = torch.optim.Adam(learner.parameters(), lr=0.01)
    losses = []
    for step in range(40):
        optimiser.zero_grad()
        loss, _ = learner.loss(suite.batch(seed=0, start=4 * step, stop=4 * step + 4))
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[0] > 0.6
    assert np.mean(losses[-5:]) < 0.3
    corners = torch.tensor([[a, b, 1.0, -1.0] for a in (-1.0, 1.0) for b in (-1.0, 1.0)])
    assert learner.eval().predict(corners, torch.tensor([5, 2, 9, -3]), corners).tolist() == [5, 2, 9, -3]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"rate": 0.0}, r"rate = 0.0: expected a rate of descent"),
        ({"steps": -1}, r"steps = -1: expected a whole number of at least 0"),
        ({"test_steps": -2}, r"test_steps = -2: expected a whole number of at least 0"),
        ({"order": 3}, r"order = 3: expected a whole number from 1 to 2"),
    ],
)
def test__maml__bad_setting__names_argument_value_and_remedy(settings, message):
    with pytest.raises(InputError, match=message):
        MAML(Normalising(), **settings)
