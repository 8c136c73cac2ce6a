"""ResNet-12: its shape, its arithmetic, and checkpoints in the layout of the public ones."""

import pytest
import torch
from safetensors.torch import save_file
from torch.nn.functional import batch_norm, conv2d, leaky_relu, max_pool2d

from polythetic.encoders import ResNet12
from polythetic.encoders.resnet12 import DEEPEMD, FEAT
from polythetic.errors import DataError, InputError


@pytest.fixture(scope="module")
def weights():
    """Weights under the names that FEAT and DeepEMD give them, as the encoder of a larger model."""
    generator = torch.Generator().manual_seed(0)
    found, inputs = {}, 3
    for number, width in enumerate((64, 160, 320, 640), 1):
        shapes = {"conv1": (width, inputs, 3, 3), "conv2": (width, width, 3, 3), "conv3": (width, width, 3, 3)}
        shapes["downsample.0"] = (width, inputs, 1, 1)
        for part, shape in shapes.items():
            found[f"layer{number}.0.{part}.weight"] = torch.randn(shape, generator=generator) / 30
        for part in ("bn1", "bn2", "bn3", "downsample.1"):
            norm = f"layer{number}.0.{part}"
            found[f"{norm}.weight"] = torch.rand(width, generator=generator) + 0.5
            found[f"{norm}.bias"] = torch.randn(width, generator=generator) / 10
            found[f"{norm}.running_mean"] = torch.randn(width, generator=generator) / 10
            found[f"{norm}.running_var"] = torch.rand(width, generator=generator) + 0.5
            found[f"{norm}.num_batches_tracked"] = torch.tensor(7)
        inputs = width
    return found


def renamed(weights, prefix):
    return {prefix + name: x for name, x in weights.items()}


def by_hand(weights, x):
    """Encode as the papers describe it."""

    def norm(name, x):
        rest = (weights[f"{name}.{part}"] for part in ("running_mean", "running_var", "weight", "bias"))
        return batch_norm(x, *rest, training=False)

    for layer in ("layer1.0", "layer2.0", "layer3.0", "layer4.0"):
        y = x
        for number in (1, 2, 3):
            y = norm(f"{layer}.bn{number}", conv2d(y, weights[f"{layer}.conv{number}.weight"], padding=1))
            y = leaky_relu(y, 0.1) if number < 3 else y
        shortcut = norm(f"{layer}.downsample.1", conv2d(x, weights[f"{layer}.downsample.0.weight"]))
        x = max_pool2d(leaky_relu(y + shortcut, 0.1), 2)
    return x.mean((2, 3))


def test__resnet12__size__is_that_of_the_literature():
    assert sum(x.numel() for x in ResNet12().parameters()) == 12_424_320


@pytest.mark.parametrize(
    "layout",
    [
        lambda w: {"params": renamed(w, "encoder.")},
        lambda w: {"params": renamed(w, "module.encoder.") | {"module.fc.weight": torch.zeros(351, 640)}},
        lambda w: {"params": renamed(w, "encoder.module.") | {"slf_attn.fc.weight": torch.zeros(2)}},
        lambda w: {"params": w | {"fc.weight": torch.zeros(64, 640), "fc.bias": torch.zeros(64)}},
        lambda w: {"epoch": 3, "state_dict": renamed(w, "module.")},
        lambda w: w,
        lambda w: {name: x for name, x in w.items() if "num_batches" not in name},
    ],
    ids=["encoder", "devices", "encoder on devices", "with a head", "state_dict", "bare", "old"],
)
def test__load_checkpoint__every_public_layout__the_features_by_hand(weights, layout, tmp_path):
    torch.save(layout(weights), tmp_path / "max_acc.pth")
    encoder = ResNet12().load_checkpoint(tmp_path / "max_acc.pth")
    x = torch.rand(3, 3, 20, 23)
    with torch.no_grad():
        features, _ = encoder(x, x[:1])
    assert not encoder.training
    torch.testing.assert_close(features, by_hand(weights, x), rtol=1e-3, atol=1e-4)


def test__load_checkpoint__safetensors__read_as_well(weights, tmp_path):
    save_file(renamed(weights, "encoder."), tmp_path / "weights.safetensors")
    encoder = ResNet12(embedding=5).load_checkpoint(str(tmp_path / "weights.safetensors"))
    assert torch.equal(encoder.layer4[0].conv3.weight, weights["layer4.0.conv3.weight"])


def test__load_checkpoint__something_missing_unknown_or_misshapen__named(weights, tmp_path):
    wrong = dict(weights)
    del wrong["layer2.0.conv1.weight"]
    wrong |= {"layer5.0.conv1.weight": torch.zeros(1), "layer1.0.bn1.bias": torch.zeros(63)}
    torch.save({"params": renamed(wrong, "encoder.")}, tmp_path / "wrong.pth")
    encoder = ResNet12()
    before = {name: x.clone() for name, x in encoder.state_dict().items()}
    message = (
        r"wrong.pth: lacks layer2.0.conv1.weight; has unknown layer5.0.conv1.weight; "
        r"has of another shape layer1.0.bn1.bias \(63, not 64\): it is of another network: give one that fits"
    )
    with pytest.raises(DataError, match=message):
        encoder.load_checkpoint(tmp_path / "wrong.pth")
    assert all(torch.equal(x, before[name]) for name, x in encoder.state_dict().items())


def test__load_checkpoint__of_another_network__some_names_and_how_many_more(tmp_path):
    torch.save({f"conv{i}.weight": torch.zeros(1) for i in range(9)}, tmp_path / "other.pth")
    with pytest.raises(DataError, match=r"lacks .* and 77 more; has unknown .*conv2.weight and 6 more"):
        ResNet12().load_checkpoint(tmp_path / "other.pth")


class Trap:
    """What a hostile file would have executed."""

    def __reduce__(self):
        return print, ("executed",)


@pytest.mark.parametrize(
    ("name", "write", "message"),
    [
        ("a.pth", lambda path: None, "cannot be read"),
        ("a.pth", lambda path: path.write_bytes(b"no checkpoint"), "damaged, or not plain weights"),
        ("a.pth", lambda path: path.write_bytes(b""), "damaged, or not plain weights"),
        ("a.safetensors", lambda path: path.write_bytes(b"no checkpoint"), "damaged, or not plain weights"),
        ("a.pth", lambda path: torch.save([1, 2], path), "holds no weights by name"),
        ("a.pth", lambda path: torch.save({"params": {}}, path), "holds no weights by name"),
        ("a.pth", lambda path: torch.save({"params": Trap()}, path), "damaged, or not plain weights"),
    ],
    ids=["missing", "garbage", "empty", "bad safetensors", "a list", "no weights", "a trap"],
)
def test__load_checkpoint__not_weights__refused_and_nothing_executed(name, write, message, tmp_path, capsys):
    write(tmp_path / name)
    with pytest.raises(DataError, match=rf"{name}: {message}"):
        ResNet12().load_checkpoint(tmp_path / name)
    assert "executed" not in capsys.readouterr().out


@pytest.mark.parametrize("shades", [FEAT, DEEPEMD])
def test__resnet12__shades__standardise_the_pictures(shades):
    torch.manual_seed(0)
    encoder, standardised = ResNet12(shades=shades).eval(), ResNet12().eval()
    standardised.load_state_dict(encoder.state_dict())
    mean, deviation = (torch.tensor(x)[:, None, None] for x in shades)
    x = torch.rand(2, 3, 16, 16)
    with torch.no_grad():
        expected = standardised((x - mean) / deviation, x[:0])[0]
        torch.testing.assert_close(encoder(x, x[:0])[0], expected, rtol=1e-4, atol=1e-5)


def test__resnet12__drop__only_in_training():
    torch.manual_seed(0)
    encoder, x = ResNet12(drop=0.5), torch.rand(2, 3, 16, 16)
    with torch.no_grad():
        assert not torch.equal(encoder(x, x)[0], encoder(x, x)[0])
        encoder.eval()
        assert torch.equal(encoder(x, x)[0], encoder(x, x)[0])


def test__resnet12__argument_that_cannot_be__refused():
    with pytest.raises(InputError, match=r"drop = 1\.0"):
        ResNet12(drop=1.0)
    with pytest.raises(InputError, match="a mean and a deviation for each of 1 channels"):
        ResNet12(1, shades=FEAT)
    with pytest.raises(InputError, match="support = 2×3×8×16: expected rows of pictures of 3 channels, 16 pixels"):
        ResNet12()(torch.rand(2, 3, 8, 16), torch.rand(2, 3, 8, 16))
