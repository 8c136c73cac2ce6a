"""The page of pictures shows what the methods answer, and what they attended to."""

import base64
import json
import sys
from io import BytesIO

import numpy as np
import pytest
import torch
from PIL import Image

from polythetic import method_named
from polythetic.explore import pictures as module
from polythetic.explore.addresses import read_address, write_address
from polythetic.explore.picture_features import features_of, network_for
from polythetic.explore.pictures import (
    ATTENDING,
    PicturesView,
    attended,
    collection_of,
    pictures,
    tasks_on,
)
from polythetic.progress import Silent

VIEWS = [PicturesView(), PicturesView(dataset="colourless", features="pixels", shots=2, query=3, seed=1)]


def task(view):
    tasks = tasks_on(view, collection_of(view.dataset))
    episode = tasks.batch(view.seed, 0, 1)
    return episode, *features_of(view.features, view.dataset, tasks, episode)[:2]


@pytest.mark.parametrize("view", VIEWS)
def test__lines__executed__give_what_is_shown(view):
    shown = pictures(view, Silent())
    made = {}
    exec(shown["code"], made)
    assert {entry["name"]: entry["answers"] for entry in shown["methods"]} == {
        name: found.tolist() for name, found in made["answers"].items()
    }
    assert [query["label"] for query in shown["queries"]] == made["truth"].tolist()
    for entry in shown["methods"]:
        assert entry["sure"] == pytest.approx(made["sure"][entry["name"]].tolist(), abs=1e-4)
    assert list(shown["attention"]) == list(made["strongest"])
    for name, queries in shown["attention"].items():
        weights, examples = (part.tolist() for part in made["strongest"][name])
        assert [[row for row, _ in attended] for attended in queries] == examples
        assert [[weight for _, weight in attended] for attended in queries] == pytest.approx(
            np.array(weights), abs=1e-4
        )
    assert read_address(PicturesView, write_address(view)) == view
    json.dumps(shown, allow_nan=False)


def test__network__shipped_or_not__is_used_or_missed():
    view = PicturesView(dataset="clean", features="network", shots=2)
    if network_for("clean") is None:
        with pytest.raises(module.MissingDataError, match="no trained weights for clean"):
            pictures(view, Silent())
    else:
        shown, made = pictures(view, Silent()), {}
        exec(shown["code"], made)
        assert [entry["answers"] for entry in shown["methods"]] == [
            found.tolist() for found in made["answers"].values()
        ]
        assert network_for("clean") in shown["features"]


def test__network__that_does_not_come_along__is_missed(monkeypatch):
    monkeypatch.setattr("polythetic.weights.shipped", list)
    assert pictures(PicturesView(shots=2), Silent())["network"] is None
    with pytest.raises(module.MissingDataError, match="choose the features pixels or attributes"):
        pictures(PicturesView(features="network"), Silent())


@pytest.mark.parametrize("name", ATTENDING)
def test__attention__summed_by_class__is_the_answer(name):
    episode, support, query = task(PicturesView())
    labels = episode.support_labels[0]
    weights = attended(method_named(name), support, labels, query)
    by_class = torch.stack([weights[:, labels == label].sum(1) for label in (0, 1)], 1)
    torch.testing.assert_close(by_class, method_named(name)(support, labels, query).exp())


def test__pictures__are_those_of_the_task():
    view = PicturesView(dataset="clean")
    episode, *_ = task(view)
    shown = pictures(view, Silent())
    picture = Image.open(BytesIO(base64.b64decode(shown["support"][0]["picture"])))
    values = torch.frombuffer(bytearray(picture.tobytes()), dtype=torch.uint8).reshape(56, 56, 3).permute(2, 0, 1)
    torch.testing.assert_close(values / 255, episode.support[0, 0], atol=0.003, rtol=0)
    assert len(shown["classes"]) == 2


def test__omniglot__not_here__is_not_fetched(monkeypatch, tmp_path):
    monkeypatch.setenv("POLYTHETIC_DATA", str(tmp_path))
    monkeypatch.setenv("POLYTHETIC_CACHE", str(tmp_path / "cache"))
    reading = sys.modules["polythetic.datasets.omniglot"]
    monkeypatch.setattr(reading, "fetch_omniglot", lambda progress: pytest.fail("fetched"))
    module.collection_of.cache_clear()
    with pytest.raises(module.MissingDataError, match="polythetic data fetch omniglot"):
        pictures(PicturesView(dataset="omniglot", features="pixels"), Silent())


def test__attributes__of_a_drawing__are_refused(asker):
    status, outcome = asker.ask("pictures", "dataset=omniglot")
    assert status == 400
    assert "nobody knows the attributes" in outcome["error"]


def test__pictures__query_chosen__shows_its_answers(asker, tab):
    tab.open(f"{asker.server.address}pictures?shots=3")
    tab.run("document.querySelectorAll('#queries button')[2].click()")
    view = read_address(PicturesView, tab.query())
    assert view.query == 2
    expected = pictures(view, Silent())
    said = [f"class {entry['answers'][2]}" for entry in expected["methods"]]
    assert tab.texts("#methods td:nth-child(2)") == said
    captions = [
        f"class {expected['support'][row]['label']} {100 * weight:.0f}\u00a0%"
        for queries in expected["attention"].values()
        for row, weight in queries[2]
    ]
    assert tab.texts("#attention figcaption") == captions
