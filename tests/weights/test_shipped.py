"""The weights that come along: listed, checked before use, small enough for a wheel, and in it."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import torch

from polythetic.episodes.suites import suite_named
from polythetic.errors import DataError, InputError, PolytheticError
from polythetic.experiments import BUDGETS
from polythetic.results import load
from polythetic.runs import load_learner
from polythetic.weights import HERE, opened, shipped, shipped_weights
from polythetic.weights.make import accuracies, wanted
from tests.committed import RESULTS
from tests.weights.tiny import NAME, runs, weights  # noqa: F401 - fixtures

REPOSITORY = Path(__file__).parents[2]


def test__shipped__nothing__is_an_empty_list(tmp_path):
    assert shipped(tmp_path) == []


def test__weights__unknown__lists_those_there_are(weights):  # noqa: F811
    with pytest.raises(InputError, match=f"weights = '../{NAME}': expected one of {NAME}"):
        shipped_weights(f"../{NAME}")


def test__weights__changed__are_refused(weights):  # noqa: F811
    path = weights / f"{NAME}.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(bytes(content))
    with pytest.raises(DataError, match="not the file that its card describes"):
        shipped_weights(NAME)


@pytest.mark.parametrize("words", ["{", "[]", "{}", '{"settings": {}, "sha256": ""}'])
def test__card__that_is_none__is_refused(weights, words):  # noqa: F811
    (weights / f"{NAME}.json").write_text(words)
    with pytest.raises(DataError, match="not a card of weights"):
        shipped()


def test__opened__a_name_and_the_folder_of_its_run__predict_alike(weights, runs):  # noqa: F811
    suite = suite_named("mnist-clean", split="evaluation", options={"polythetic": 1.0})
    episode = suite.batch(0, 0, 1)
    settings, load = opened(Path(NAME))
    there = load(suite).predict(episode.support, episode.support_labels, episode.query)
    (folder,) = runs.iterdir()
    assert opened(folder)[0] == settings
    own = load_learner(folder, suite).predict(episode.support, episode.support_labels, episode.query)
    assert (there == own).float().mean() > 0.9  # half a precision apart
    assert not load(suite).training


def test__opened__neither__says_both_and_the_names(weights):  # noqa: F811
    with pytest.raises(PolytheticError, match=f"nowhere is not the folder of a run .* no weights .*{NAME}"):
        opened(Path("nowhere"))


def test__those_that_come__are_of_the_tables_and_small_and_whole():
    learners = {settings.as_json() for _, settings in wanted(BUDGETS["standard"])}
    size = 0
    for card in shipped():
        settings, tensors = shipped_weights(card.name)
        assert settings.as_json() in learners
        assert all(torch.isfinite(tensor).all() for tensor in tensors.values())
        table = "table3" if settings.suite.startswith("omniglot") else "table2"
        if (RESULTS / f"{table}.json").exists():
            assert card.facts["accuracy"], f"{card.name}: its card gives no accuracy"
        else:
            assert card.facts["accuracy_of"].startswith("nothing yet")
        size += (HERE / f"{card.name}.safetensors").stat().st_size
    assert size < 6 * 2**20


def test__cards__accuracies__are_those_of_the_tables():
    for card in shipped():
        table = "table3" if card.settings.suite.startswith("omniglot") else "table2"
        if (RESULTS / f"{table}.json").exists():
            assert card.facts["accuracy"] == accuracies(card.settings, load(RESULTS / f"{table}.json").rows), card.name


def test__cards__no_two__have_the_same_accuracies():
    told = [str([entry["mean"] for entry in card.facts["accuracy"]]) for card in shipped()]
    assert len(set(told)) == len(told)


def test__wheel__has_them_all(tmp_path):
    pytest.importorskip("hatchling")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(command, cwd=REPOSITORY, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        inside = {name for name in archive.namelist() if name.startswith("polythetic/weights/")}
    here = REPOSITORY / "src" / "polythetic" / "weights"
    assert inside == {f"polythetic/weights/{path.name}" for path in here.iterdir() if path.is_file()}
    assert wheel.stat().st_size < 10 * 2**20  # the committed results are in it, too
