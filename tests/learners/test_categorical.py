"""Multi-categorical pre-training: eight heads that learn, and their answers as features."""

import pytest
import torch

from polythetic.datasets import mnist
from polythetic.episodes import CategoricalPictures
from polythetic.errors import InputError
from polythetic.learners.categorical import (
    HEADS,
    CategoricalEncoder,
    categorical_accuracy,
    categorical_loss,
    pretrain,
)


@pytest.fixture(scope="module")
def pictures():
    return CategoricalPictures(mnist("training", source="embedded"))


@pytest.fixture
def encoder():
    torch.manual_seed(0)
    return CategoricalEncoder()


def test__pictures__have_the_labels_that_made_them(pictures):
    labelled = pictures.batch(seed=3, start=0, stop=200)
    assert labelled.multi_hot.shape == (200, 52)
    assert (labelled.multi_hot.sum(1) == 8).all()
    channels = labelled.pictures.unflatten(2, (2, 28)).unflatten(4, (2, 28)).sum((3, 5))  # [n, 3, 2, 2]: ink
    assert (channels.argmax(1).flatten(1) == labelled.colours).all()
    assert ((channels > 0).sum(1) == 1).all()  # pure colours


def test__pictures__depend_on_their_number_alone(pictures):
    together, alone = pictures.batch(0, 5, 9), pictures.batch(0, 7, 8)
    assert torch.equal(together.pictures[2], alone.pictures[0])
    assert torch.equal(together.digits[2], alone.digits[0])


def test__loss__of_heads_that_know_nothing__is_the_log_of_their_choices(encoder, pictures):
    with torch.no_grad():
        encoder.head[-1].weight.zero_()
        encoder.head[-1].bias.zero_()
    expected = torch.tensor(HEADS).float().log().mean()
    torch.testing.assert_close(categorical_loss(encoder, pictures.batch(0, 0, 8)), expected)


def test__read_outs__are_of_the_same_logits(encoder):
    x = torch.rand(6, 3, 56, 56)
    logits = torch.cat(encoder.logits(x), -1)
    for read_out, expected in (
        ("softmax", torch.cat([part.softmax(-1) for part in logits.split(HEADS, -1)], -1)),
        ("sigmoid", logits.sigmoid()),
    ):
        encoder.read_out = read_out
        torch.testing.assert_close(encoder(x, x[:0])[0], expected)


def test__read_out__unknown__is_refused():
    with pytest.raises(InputError, match="read_out = 'tanh': expected one of softmax, sigmoid"):
        CategoricalEncoder(read_out="tanh")


def test__pretraining__a_few_batches__learns_the_colours(encoder, pictures):
    before = categorical_accuracy(encoder, pictures, examples=100, seed=9)
    after = categorical_accuracy(
        pretrain(encoder, pictures, batches=30, learning_rate=2e-3), pictures, examples=100, seed=9
    )
    assert after[1] > before[1] + 15


def test__pretraining__with_decay__ends_with_steps_of_almost_nothing(encoder, pictures):
    moved = []
    before = encoder.head[-1].bias.detach().clone()

    def note(batch, loss):
        nonlocal before
        moved.append((encoder.head[-1].bias - before).abs().max().item())
        before = encoder.head[-1].bias.detach().clone()

    pretrain(encoder, pictures, batches=6, batch_size=2, decay=True, note=note)
    assert moved[0] == pytest.approx(1e-3, rel=1e-2)  # Adam's first step is the learning rate
    assert moved[-1] < 0.25 * moved[0]


def test__statistics__joint__let_queries_matter_to_the_support(encoder):
    x, query = torch.rand(4, 3, 56, 56), torch.rand(2, 3, 56, 56)
    joint = CategoricalEncoder(statistics="joint")
    joint.load_state_dict(encoder.state_dict())
    torch.testing.assert_close(encoder(x, query)[0], encoder(x, query[:0])[0])
    assert not torch.allclose(joint(x, query)[0], joint(x, query[:0])[0])
