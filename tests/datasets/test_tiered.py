import numpy as np
import pytest

from polythetic.datasets.collection import Collection, Rows
from polythetic.datasets.tiered import tiered, which_serve, which_splits_serve
from polythetic.errors import DataError, InputError, MissingDataError
from tests.drawn import encoded, picture, put_all
from tests.episodes.named import needs_data

SPLITS = ("training", "validation", "evaluation")
SMALL = {
    f"{s}/k{s}/c{s}{c}/{i}.JPEG": encoded(picture(c, 64, 64), "JPEG")
    for s in ("train", "val", "test")
    for c in range(2)
    for i in range(3)
}
CLASSES = "split,category,category_name,class,class_name\n" + "".join(
    f"{s},k{s},{s} things,c{s}{c},{s} thing {c}\n" for s in ("train", "val", "test") for c in range(2)
)


@pytest.fixture(params=["tiered_imagenet_64.zip", "tiered_imagenet_64", "."])
def small(request, own_cache, tmp_path):
    """A folder of data with a stand-in of six classes, as an archive or unpacked."""
    folder = tmp_path / "data/tiered-imagenet-64"
    put_all(folder / request.param, SMALL)
    (folder / "classes.csv").write_text(CLASSES)
    return tmp_path / "data"


@pytest.fixture(scope="module")
def real(real_data):
    """The stand-in, by split."""
    return {split: tiered(split, release="stand-in") for split in (*SPLITS, "all")}


def test__tiered__real_stand_in__has_123_classes_of_100(real):
    found = real["all"]

    assert found.classes == 123
    assert {len(members) for members in found.members} == {100}
    assert found.examples.shape == (3, 64, 64)
    assert "64×64" in found.source


def test__tiered__real_stand_in__no_category_is_in_two_splits(real):
    parts = [real[split] for split in SPLITS]

    assert [part.classes for part in parts] == [61, 17, 45]
    assert sum(len(set(part.category_names)) for part in parts) == 31
    assert len({name for part in parts for name in part.category_names}) == 31
    assert len(np.unique(np.concatenate([np.concatenate(part.members) for part in parts]))) == 12_300


def test__tiered__real_stand_in__categories_that_serve(real):
    assert len(which_serve(real["all"], 5)) == 11
    assert which_serve(real["evaluation"], 10) == {"insect": 10, "vessel": 10}


def test__tiered__real_stand_in__pictures_are_photographs(real_data):
    found = tiered("evaluation", release="stand-in", size=84)

    pictures = found.examples.take(np.concatenate([members[:2] for members in found.members]))

    assert pictures.shape == (90, 3, 84, 84)
    assert 0.3 < pictures.mean() < 0.6
    assert (pictures.std((1, 2, 3)) > 0.02).all()


def test__tiered__stand_in_packed_or_not__is_the_same(small):
    found = tiered("evaluation", data=small)

    assert found.class_names == ("test thing 0", "test thing 1")
    assert found.category_names == ("test things",)
    assert [members.tolist() for members in found.members] == [[12, 13, 14], [15, 16, 17]]
    assert found.examples.take(np.arange(12, 18)).shape == (6, 3, 64, 64)


def test__tiered__several_splits__are_in_the_numbers_order(small):
    several = tiered(["evaluation", "training"], data=small)

    assert several.category_names == ("train things", "test things")
    assert np.array_equal(tiered("all", data=small).members[-1], several.members[-1])


def test__tiered__stand_in_without_a_class__is_an_error_with_both_counts(small):
    path = small / "tiered-imagenet-64/classes.csv"
    path.write_text(CLASSES + "test,ktest,test things,ctest2,another\n")

    with pytest.raises(DataError, match=r"has 2 classes of test, and classes\.csv lists 3"):
        tiered("evaluation", data=small)
    assert tiered("training", data=small).classes == 2


def test__tiered__nowhere__is_missing_with_what_to_put_where(own_cache, tmp_path):
    with pytest.raises(MissingDataError) as caught:
        tiered(data=tmp_path)

    for said in ("test_images_png.pkl", "test_labels.pkl", str(tmp_path / "tiered-imagenet"), "few-shot-ssl-public"):
        assert said in str(caught.value)


def test__tiered__stand_in_asked_for_and_not_there__is_missing(own_cache, tmp_path):
    with pytest.raises(MissingDataError, match=r"tiered_imagenet_64\.zip and classes\.csv are not in"):
        tiered(data=tmp_path, release="stand-in")


def test__tiered__official_asked_for_and_not_there__is_missing_though_the_stand_in_is(small):
    with pytest.raises(MissingDataError, match=r"test_images_png\.pkl"):
        tiered(data=small, release="official")


def test__tiered__a_part_of_the_official_release__is_not_silently_replaced(small):
    put_all(small / "tiered-imagenet", {"val_labels.pkl": b""})

    with pytest.raises(MissingDataError, match=r"test_images_png\.pkl"):
        tiered(data=small)
    assert tiered(data=small, release="stand-in").classes == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"split": "test"}, "split = 'test': expected one of training, validation, evaluation, all"),
        ({"split": ["training", "all"]}, "split = 'all'"),
        ({"split": []}, r"split = \[\]"),
        ({"release": "newest"}, "release = 'newest'"),
        ({"size": 0}, "size = 0"),
    ],
)
def test__tiered__impossible_argument__is_refused(arguments, said):
    with pytest.raises(InputError, match=said):
        tiered(**arguments)


def test__which_serve__counts_classes_not_examples():
    labels = ["a", "a", "a", "b", "c", "d"]
    parents = {"a": "one", "b": "one", "c": "two", "d": "two"}
    found = Collection.from_labels(Rows(np.eye(6)), labels, categories=parents, source="")

    assert which_serve(found, 2) == {"one": 2, "two": 2}
    assert which_serve(found, 3) == {}
    with pytest.raises(InputError, match="groups = 0"):
        which_serve(found, 0)


@needs_data
def test__which_splits_serve__counts_the_categories_of_each_split():
    found = which_splits_serve(2, 5)
    assert found["evaluation"] == which_serve(tiered("evaluation"), 5)
    assert len(found["all"]) == 11
    assert which_splits_serve(8, 5).keys() == {"all"}
    assert which_splits_serve(2, 10).keys() == {"evaluation", "all"}
    assert len(which_splits_serve(2, 10)["all"]) == 2
    assert which_splits_serve(12, 5) == {}
