from importlib import import_module

import numpy as np
import pytest
from PIL import Image

from polythetic.datasets.collection import Pixels
from polythetic.datasets.omniglot import fetch_omniglot, omniglot
from polythetic.datasets.releases.omniglot_archives import Archive
from polythetic.errors import DataError, InputError
from tests.drawn import encoded, put_all

MODULE = import_module("polythetic.datasets.omniglot")  # in the package the name is the function's
DRAWINGS = 20
SMALL = (Archive("images_background", 6, 7, ""), Archive("images_evaluation", 1, 2, ""))
ALPHABETS = ["A", "B", "C", "D", "E", "F"]


def drawing(number):
    """A drawing, black on white, of a bar as long as its number says."""
    array = np.full((105, 105, 1), 255, np.uint8)
    array[40:60, : 10 + number % 90] = 0
    return encoded(array)


def names_of(archive, alphabets):
    """The names of drawings, one character an alphabet and a second in the last."""
    characters = [(a, 1) for a in alphabets] + [(alphabets[-1], 2)]
    return [
        f"{archive.name}/{a}/character{c:02}/{n:04}_{d:02}.png"
        for n, (a, c) in enumerate(characters)
        for d in range(1, DRAWINGS + 1)
    ]


@pytest.fixture
def small(own_cache, tmp_path, monkeypatch):
    """A folder of data with an Omniglot of nine characters."""
    monkeypatch.setattr("polythetic.datasets.releases.omniglot_archives.ARCHIVES", SMALL)
    monkeypatch.setattr(MODULE, "ARCHIVES", SMALL)
    monkeypatch.setattr(MODULE, "BACKGROUND", SMALL[0])
    files = {}
    for archive, alphabets in zip(SMALL, (ALPHABETS, ["Z"]), strict=True):
        names = names_of(archive, alphabets)
        files[archive.file] = {name: drawing(number) for number, name in enumerate(names)}
        put_all(tmp_path / "omniglot" / archive.file, files[archive.file])
    return tmp_path, files


@pytest.mark.parametrize(
    ("split", "alphabets", "characters"),
    [("training", 30, 964), ("evaluation", 20, 659), ("validation", 5, 158), ("fitting", 25, 806), ("all", 50, 1623)],
)
def test__omniglot__real__has_the_published_counts(real_data, split, alphabets, characters):
    found = omniglot(split)

    assert (len(found.category_names), found.classes, len(found)) == (alphabets, characters, DRAWINGS * characters)
    assert {len(members) for members in found.members} == {DRAWINGS}
    assert found.examples.shape == (1, 28, 28)
    assert len(found.examples) == 32_460


def test__omniglot__real__no_alphabet_is_on_both_sides(real_data):
    alphabets = {split: set(omniglot(split).category_names) for split in ("training", "evaluation")}
    parts = {split: set(omniglot(split).category_names) for split in ("fitting", "validation")}

    assert not alphabets["training"] & alphabets["evaluation"]
    assert not parts["fitting"] & parts["validation"]
    assert parts["fitting"] | parts["validation"] == alphabets["training"]
    assert parts["validation"] == set(sorted(alphabets["training"])[5::6])


def test__omniglot__real__is_ink_on_paper(real_data):
    found = omniglot("all")
    pictures = found.examples.take(np.arange(0, 32_460, 7))

    assert pictures.min() == 0
    assert pictures.max() == 1
    assert 0.06 < pictures.mean() < 0.1  # as much as the drawings have
    assert (pictures.max((1, 2, 3)) > 0.5).all()  # even a dot of Braille


def test__omniglot__real__names_are_alphabet_and_character(real_data):
    found = omniglot("training")

    assert found.class_names[0] == "Alphabet_of_the_Magi/character01"
    for name, category in zip(found.class_names, found.categories, strict=True):
        assert name.split("/")[0] == found.category_names[category]


def test__omniglot__real__rotations_are_those_of_rot90_and_alphabets_of_their_own(real_data):
    upright, turned = omniglot("evaluation"), omniglot("evaluation", rotations=True)

    assert turned.classes == 4 * 659
    assert len(turned.category_names) == 4 * 20
    assert turned.class_names[:659] == upright.class_names
    for k, degrees in enumerate((90, 180, 270), start=1):
        place = k * 659 + 100
        assert turned.class_names[place] == f"{upright.class_names[100]}/{degrees}"
        alphabet = upright.category_names[upright.categories[100]]
        assert turned.category_names[turned.categories[place]] == f"{alphabet}/{degrees}"
        original = upright.examples.take(upright.members[100])
        assert np.array_equal(turned.examples.take(turned.members[place]), np.rot90(original, k, axes=(2, 3)))


def test__omniglot__splits__share_numbers(small):
    data, _ = small

    assert omniglot("training", data=data).class_names[-2:] == ("F/character01", "F/character02")
    assert omniglot("validation", data=data).category_names == ("F",)
    assert omniglot("validation", data=data).members[0].tolist() == list(range(100, 120))
    assert omniglot("evaluation", data=data).members[0].tolist() == list(range(140, 160))
    assert omniglot("evaluation", data=data, rotations=True).members[2][0] == 180 + 140


def test__omniglot__second_time__is_mapped_from_the_cache(small, monkeypatch):
    data, _ = small
    first = omniglot("all", data=data)
    monkeypatch.setattr(MODULE, "pictures_in", None)
    monkeypatch.setattr(MODULE, "characters_in", None)

    again = omniglot("all", data=data)

    assert again.class_names == first.class_names
    assert np.array_equal(again.examples.take(np.arange(180)), first.examples.take(np.arange(180)))
    assert isinstance(again.examples, Pixels)
    assert isinstance(again.examples.array.base, np.memmap)


def test__omniglot__pictures__are_the_share_of_ink(small):
    data, _ = small
    ink = np.zeros((105, 105), np.uint8)
    ink[40:60, :10] = 255
    expected = np.asarray(Image.fromarray(ink).resize((28, 28), Image.Resampling.BOX)) / 255

    found = omniglot("all", data=data).examples.take(np.arange(1))[0, 0]

    assert np.abs(found - expected).max() < 0.01


def test__omniglot__progress__is_told_of_every_drawing(small):
    class Told:
        def __init__(self):
            self.total, self.steps = 0, 0

        def start(self, what, total):
            self.total += total

        def advance(self, steps=1):
            self.steps += steps

    told = Told()
    omniglot("all", data=small[0], progress=told)

    assert (told.total, told.steps) == (180, 180)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"<html>", "not a picture"),
        (drawing(3)[:-40], "damaged or cut short"),
        (encoded(np.zeros((28, 28, 1), np.uint8)), "has 28 × 28 pixels, Omniglot 105 × 105"),
    ],
    ids=["page", "cut", "small"],
)
def test__omniglot__a_bad_drawing__is_an_error_with_archive_and_member(small, content, said):
    data, files = small
    name = "images_evaluation/Z/character02/0001_07.png"
    put_all(data / "omniglot/images_evaluation.zip", files["images_evaluation.zip"] | {name: content})

    with pytest.raises(DataError, match=said) as caught:
        omniglot(data=data)

    assert f"{data / 'omniglot/images_evaluation.zip'}: {name}" in str(caught.value)


def test__omniglot__a_drawing_too_few__is_an_error_with_the_counts(small):
    data, files = small
    some = dict(list(files["images_background.zip"].items())[:-1])
    put_all(data / "omniglot/images_background.zip", some)

    with pytest.raises(DataError, match="has 139 drawings of 7 characters in 6 alphabets, with 19 of F/character02"):
        omniglot(data=data)


def test__omniglot__another_archive__is_an_error_with_the_counts(own_cache, tmp_path):
    for name in ("images_background", "images_evaluation"):
        put_all(tmp_path / f"omniglot/{name}.zip", {f"{name}/A/character01/0001_01.png": drawing(0)})

    with pytest.raises(DataError, match=r"has 1 drawings of 1 characters in 1 alphabets.*964 in 30"):
        omniglot(data=tmp_path)


def test__omniglot__web_page_called_zip__is_an_error(small):
    data, _ = small
    (data / "omniglot/images_background.zip").write_bytes(b"<!doctype html><html></html>")

    with pytest.raises(DataError, match=r"images_background\.zip: an HTML page"):
        omniglot(data=data)


def test__omniglot__unknown_split__is_refused():
    with pytest.raises(InputError, match="split = 'test': expected one of training, evaluation"):
        omniglot("test")


def test__omniglot__not_there__is_fetched_into_the_cache(small, own_cache, monkeypatch):
    _, files = small
    asked = []

    def fetch(sources, folder, **_):
        asked.extend(sources)
        for name, content in files.items():
            put_all(folder / name, content)

    monkeypatch.setattr(MODULE, "fetch", fetch)

    assert omniglot("all").classes == 9
    assert fetch_omniglot() == own_cache / "omniglot"
    assert [source.file for source in asked[:2]] == ["images_background.zip", "images_evaluation.zip"]
    assert all(len(source.urls) == 2 for source in asked)
