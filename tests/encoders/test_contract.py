"""What every encoder promises; one that is added to the registry inherits these tests."""

from functools import cache

import pytest
import torch

from polythetic.encoders import ENCODERS, Conv4, EfficientNetLite0, Encoder, encoder_for
from polythetic.errors import InputError

PICTURE = (3, 18, 21)
SHAPES = {"identity": (7,), "mlp": (7,), "conv4": PICTURE, "resnet12": PICTURE}

FACTORIES = {
    **{name: lambda name=name: ENCODERS[name](SHAPES[name], 8) for name in ENCODERS},
    "conv4, plain": lambda: Conv4(3, size=PICTURE[1:], embedding=8, fused=False),
    "conv4, joint": lambda: Conv4(3, size=PICTURE[1:], embedding=8, statistics="joint"),
    "efficientnet": lambda: EfficientNetLite0(size=32, remember=False),
}
INDEPENDENT = [name for name in FACTORIES if name != "conv4, joint"]

every_encoder = pytest.mark.parametrize("name", FACTORIES)
every_independent_encoder = pytest.mark.parametrize("name", INDEPENDENT)


LARGE = ("resnet12", "efficientnet")  # in single precision, which is quicker


def anew(name):
    """Make an encoder whose weights are the same each time, some γ negative among them."""
    if name == "efficientnet":
        pytest.importorskip("efficientnet_lite_pytorch")
        return FACTORIES[name]()
    torch.manual_seed(0)
    encoder = FACTORIES[name]().to(dtype(name)).eval()
    with torch.no_grad():
        for weight in encoder.parameters():
            if weight.ndim == 1:
                weight.normal_()
    return encoder


made = cache(anew)


def dtype(name):
    return torch.float32 if name in LARGE else torch.float64


def examples(name, *rows, seed=0):
    shape = SHAPES.get(name.split(",")[0], PICTURE)
    return torch.rand(*rows, *shape, dtype=dtype(name), generator=torch.Generator().manual_seed(seed))


def close(found, expected):
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-4 if found.dtype == torch.float32 else 1e-9)


@every_encoder
def test__encoder__a_task__one_row_of_finite_features_an_example(name):
    encoder = made(name)
    support, query = encoder(examples(name, 5), examples(name, 2, seed=1))
    assert isinstance(encoder, Encoder)
    assert support.shape == (5, support.shape[1])
    assert query.shape == (2, support.shape[1])
    assert support.isfinite().all()
    assert query.isfinite().all()


@every_encoder
def test__encoder__batch_of_tasks__equals_a_loop(name):
    encoder = made(name)
    support, query = examples(name, 2, 3, 4), examples(name, 2, 3, 2, seed=1)
    features, query_features = encoder(support, query)
    for i in range(2):
        for j in range(3):
            alone, query_alone = encoder(support[i, j], query[i, j])
            close(features[i, j], alone)
            close(query_features[i, j], query_alone)


@every_encoder
@pytest.mark.parametrize("garbage", [0.0, 1e30, torch.nan])
def test__encoder__padding__has_no_effect(name, garbage):
    encoder = made(name)
    support, query = examples(name, 2, 5), examples(name, 2, 4, seed=1)
    mask, query_mask = torch.ones(2, 5, dtype=torch.bool), torch.ones(2, 4, dtype=torch.bool)
    mask[0, 3:], mask[1, 0], query_mask[0, 1] = False, False, False
    padded, query_padded = support.clone(), query.clone()
    padded[~mask], query_padded[~query_mask] = garbage, garbage
    features, query_features = encoder(padded, query_padded, mask, query_mask)
    for task in range(2):
        alone, query_alone = encoder(support[task][mask[task]], query[task][query_mask[task]])
        close(features[task][mask[task]], alone)
        close(query_features[task][query_mask[task]], query_alone)


@every_independent_encoder
def test__encoder__one_query_alone__the_same_features_as_among_others(name):
    encoder = made(name)
    support, query = examples(name, 4), examples(name, 3, seed=1)
    _, together = encoder(support, query)
    for number in range(3):
        _, alone = encoder(support, query[number : number + 1])
        close(alone[0], together[number])


@every_encoder
def test__encoder__rows_permuted__features_follow(name):
    encoder = made(name)
    support, query = examples(name, 4), examples(name, 3, seed=1)
    order, query_order = torch.tensor([2, 0, 3, 1]), torch.tensor([1, 2, 0])
    features, query_features = encoder(support, query)
    permuted, query_permuted = encoder(support[order], query[query_order])
    close(permuted, features[order])
    close(query_permuted, query_features[query_order])


@every_encoder
def test__encoder__no_queries__features_of_the_support(name):
    encoder = made(name)
    features, query_features = encoder(examples(name, 3), examples(name, 0))
    assert query_features.shape == (0, features.shape[1])


@every_encoder
def test__encoder__twice_and_made_anew__exactly_the_same(name):
    encoder = made(name)
    support, query = examples(name, 6), examples(name, 3, seed=1)
    first, second, third = encoder(support, query), encoder(support, query), anew(name)(support, query)
    assert torch.equal(first[1], second[1])
    assert torch.equal(first[1], third[1])


@every_encoder
def test__encoder__inputs__are_left_as_they_were(name):
    support, query = examples(name, 3), examples(name, 2, seed=1)
    before = support.clone(), query.clone()
    made(name)(support, query)
    assert torch.equal(support, before[0])
    assert torch.equal(query, before[1])


# ---------------------------------------------------------------- the registry


@pytest.mark.parametrize("name", ENCODERS)
def test__encoder_for__name__makes_it(name):
    assert type(encoder_for(SHAPES[name], name=name)) is type(ENCODERS[name](SHAPES[name], 64))


def test__encoder_for__auto__suits_the_examples():
    assert isinstance(encoder_for((1, 28, 28), statistics="joint"), Conv4)
    assert encoder_for((1, 28, 28), statistics="joint").statistics == "joint"
    assert not encoder_for((1, 28, 28), fused=False).fused
    assert type(encoder_for((3, 8, 8))).__name__ == "MLP"  # too small to halve four times


def test__encoder_for__unknown_name__says_which_there_are():
    with pytest.raises(InputError, match="encoder = 'vgg': expected one of identity, mlp, conv4, resnet12"):
        encoder_for((3, 28, 28), name="vgg")


@pytest.mark.parametrize("name", ["conv4", "resnet12"])
def test__encoder_for__rows_of_a_table_to_a_network_for_pictures__refused(name):
    with pytest.raises(InputError, match=f"encoder = '{name}' for examples of 10: expected mlp or identity"):
        encoder_for((10,), name=name)
