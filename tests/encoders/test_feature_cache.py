"""Features are made once, whoever asks, and whatever happens to the files."""

import numpy as np
import pytest
import torch

from polythetic.encoders import FeatureCache, feature_cache
from polythetic.errors import CacheWarning


class Embedding:
    """Counts the pictures it is given."""

    def __init__(self):
        self.pictures = 0

    def __call__(self, pictures):
        self.pictures += len(pictures)
        return torch.stack((pictures.sum((1, 2, 3)), pictures[:, 0, 0, 0]), -1)


@pytest.fixture
def embed():
    return Embedding()


def pictures(count, seed=0):
    return torch.rand(count, 3, 4, 4, generator=torch.Generator().manual_seed(seed))


def test__features__asked_twice__made_once_and_equal(tmp_path, embed):
    cache, x = FeatureCache("net", tmp_path), pictures(5)
    first, again = cache.features(x, embed), cache.features(x.flip(0), embed)
    assert embed.pictures == 5
    assert torch.equal(first, Embedding()(x))
    assert torch.equal(again, first.flip(0))


def test__features__another_process__finds_them(tmp_path, embed):
    x = pictures(5)
    first = FeatureCache("net", tmp_path).features(x, embed)
    assert torch.equal(FeatureCache("net", tmp_path).features(x, embed), first)
    assert embed.pictures == 5


def test__features__written_by_another_process_meanwhile__found(tmp_path, embed):
    mine, theirs = FeatureCache("net", tmp_path), FeatureCache("net", tmp_path)
    mine.features(pictures(2), embed)
    theirs.features(pictures(3, seed=1), embed)
    mine.features(pictures(3, seed=1), embed)
    assert embed.pictures == 5


def test__features__picture_repeated_in_one_call__made_once(tmp_path, embed):
    x = pictures(2)[[0, 1, 0, 0]]
    assert torch.equal(FeatureCache("net", tmp_path).features(x, embed), Embedding()(x))
    assert embed.pictures == 2


def test__features__same_numbers_in_another_shape_or_network__made_anew(tmp_path, embed):
    x = pictures(1)
    FeatureCache("net", tmp_path).features(x, embed)
    FeatureCache("net", tmp_path).features(x.reshape(1, 3, 2, 8), embed)
    FeatureCache("other", tmp_path).features(x, embed)
    assert embed.pictures == 3


def test__features__double_precision__the_same_picture(tmp_path, embed):
    cache, x = FeatureCache("net", tmp_path), pictures(2)
    cache.features(x, embed)
    assert cache.features(x.double(), embed).dtype == torch.float32
    assert embed.pictures == 2


def test__features__no_pictures__none(tmp_path, embed):
    assert FeatureCache("net", tmp_path).features(pictures(0), embed).shape == (0, 2)


@pytest.mark.parametrize("content", [b"", b"garbage", None], ids=["empty", "garbage", "cut"])
def test__features__damaged_file__made_again(tmp_path, embed, content):
    x = pictures(3)
    first = FeatureCache("net", tmp_path).features(x, embed)
    (path,) = (tmp_path / "net").iterdir()
    path.write_bytes(path.read_bytes()[:-8] if content is None else content)
    assert torch.equal(FeatureCache("net", tmp_path).features(x, embed), first)
    assert torch.equal(FeatureCache("net", tmp_path).features(x, embed), first)
    assert embed.pictures == 6


def test__features__array_of_something_else__passed_over(tmp_path, embed):
    (tmp_path / "net").mkdir()
    np.save(tmp_path / "net" / "a.npy", np.arange(3))
    FeatureCache("net", tmp_path).features(pictures(1), embed)
    assert embed.pictures == 1


def test__features__many_files__put_together_and_none_lost(tmp_path, embed, monkeypatch):
    monkeypatch.setattr(feature_cache, "MANY", 3)
    x, cache = pictures(6), FeatureCache("net", tmp_path)
    for number in range(6):
        cache.features(x[number : number + 1], embed)
    assert len(list((tmp_path / "net").iterdir())) <= 4
    assert torch.equal(FeatureCache("net", tmp_path).features(x, embed), Embedding()(x))
    assert embed.pictures == 6


def test__features__folder_that_cannot_be_written__a_warning_and_the_features(tmp_path, embed):
    (tmp_path / "net").write_text("a file where the folder should be")
    cache, x = FeatureCache("net", tmp_path), pictures(2)
    with pytest.warns(CacheWarning, match="cannot be written .* name another folder with POLYTHETIC_CACHE"):
        found = cache.features(x, embed)
    assert torch.equal(found, Embedding()(x))


def test__feature_cache__no_folder_given__in_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("POLYTHETIC_CACHE", str(tmp_path))
    assert FeatureCache("net").folder == tmp_path / "features" / "net"
