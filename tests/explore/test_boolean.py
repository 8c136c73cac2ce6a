"""The Boolean view shows what the library says, and its Python lines say the same."""

import json

import numpy as np
import pytest

from polythetic import BooleanTasks, method_named
from polythetic.explore.addresses import read_address, write_address
from polythetic.explore.boolean import boolean
from polythetic.explore.boolean_view import BooleanView, draw
from polythetic.progress import Silent
from polythetic.theory import attention_moments, parity

VIEWS = [
    BooleanView(),
    BooleanView(scorer="R", irrelevant=8, seed=3),
    BooleanView(function="00010111", bits=3, scorer="none", classifier="PN", rows=16),
    BooleanView(function="not x or y", irrelevant=0, design="iid", rows=21, similarity="laplace", temperature=2.0),
    BooleanView(bits=1, irrelevant=0, rows=4, rounds=0, classifier="NN"),
    BooleanView(bits=4, rows=32, scorer="none", classifier_similarity="dot", classifier_temperature=1.0),
    BooleanView(classifier="IMP", rows=8, similarity="cosine", temperature=float("inf")),
    BooleanView(classifier_temperature=0.0, temperature=0.0, similarity="euclidean"),
]


@pytest.mark.parametrize("view", VIEWS)
def test__lines__executed__give_what_is_shown(view):
    shown = boolean(view, Silent())
    made = {}
    exec(shown["code"], made)
    assert made["accuracy"] == pytest.approx(shown["accuracy"]["percent"])
    np.testing.assert_allclose(made["followed"].scores, [moment["scores"] for moment in shown["rounds"]], atol=1e-4)
    axes = np.array([moment["vectors"] for moment in shown["rounds"]])
    np.testing.assert_allclose(made["followed"].features[..., view.axes], axes, atol=1e-4)
    if view.scorer == "R":
        np.testing.assert_allclose(made["scores"], shown["refined"], atol=1e-4)
    if shown["map"] is None:
        assert made["decided"] is None
    else:
        np.testing.assert_allclose(made["decided"], shown["map"], atol=1e-3)
    foretold = made.get("foretold"), made.get("drawn")
    assert foretold == (shown["theory"]["percent"], shown["theory"]["drawn"])
    if view.classifier == "PN":
        assert made["possible"] == shown["theory"]["words"].startswith("Some weighted sum")
    json.dumps(shown, allow_nan=False)


@pytest.mark.parametrize("view", VIEWS)
def test__address__written_and_read__is_the_same_view(view):
    assert read_address(BooleanView, write_address(view)) == view


@pytest.mark.parametrize(("scorer", "name"), [("none", "MN"), ("FS", "FS+MN"), ("R", "R+MN")])
def test__accuracy__by_default__is_that_of_the_method_by_its_name(scorer, name):
    shown = boolean(BooleanView(scorer=scorer, temperature="auto", rounds=2), Silent())
    task = BooleanTasks(5, 2, 25, query_rows=256, active_sets=((0, 1),)).batch(0, 0, 1)
    predicted = method_named(name).predict(task.support[0], task.support_labels[0], task.query[0])
    assert shown["accuracy"]["right"] == int((predicted == task.query_labels[0]).sum())


@pytest.mark.parametrize("scorer", ["FS", "R"])
def test__theory__with_selection__is_what_would_be_without(scorer):
    with_selection = boolean(BooleanView(scorer=scorer, rounds=1), Silent())["theory"]
    without = boolean(BooleanView(scorer="none", rounds=1), Silent())["theory"]
    assert (with_selection["percent"], with_selection["drawn"]) == (without["percent"], without["drawn"])
    assert with_selection["words"].startswith(f"Without selection the theory expects {without['drawn']:.1f}\u00a0%")
    assert f"formula gives {without['percent']:.1f}\u00a0%: it is approximate" in without["words"]


def test__theory__of_attention_on_xor__is_the_formula():
    shown = boolean(VIEWS[5], Silent())
    expected = attention_moments(4, 3, repetitions=2, similarity="dot", tau=1.0).misclassification
    assert shown["theory"]["percent"] == pytest.approx(100 * (1 - expected))
    assert abs(shown["theory"]["drawn"] - shown["accuracy"]["percent"]) < 15


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"scorer": "none", "design": "iid"}, "balanced"),
        ({"scorer": "none", "function": "and"}, "XOR"),
        ({"classifier": "NN"}, "(MN)"),
        ({"classifier": "PN"}, "No weighted sum"),
        ({"classifier": "PN", "function": "and"}, "Some weighted sum"),
        ({"scorer": "none", "classifier_temperature": 0.0}, "between 0 and infinity"),
    ],
)
def test__theory__where_it_is_silent__says_why(changes, said):
    theory = boolean(BooleanView(**changes), Silent())["theory"]
    assert theory["percent"] is None
    assert said in theory["words"]


@pytest.mark.parametrize("irrelevant", [3, 18])
def test__temperature__by_default__lets_the_noise_fade_whatever_the_number_of_bits(irrelevant):
    shown = boolean(BooleanView(irrelevant=irrelevant), Silent())
    last = shown["rounds"][-1]
    assert shown["accuracy"]["percent"] == 100
    assert max(last["scores"][2:]) < min(last["scores"][:2])
    assert last["to_itself"] < 0.9


def test__temperature__too_low__leaves_each_row_to_itself():
    assert boolean(BooleanView(irrelevant=18, temperature=0.7), Silent())["rounds"][-1]["to_itself"] > 0.9


@pytest.mark.parametrize("changes", [{}, {"scorer": "none"}, {"similarity": "laplace", "classifier_similarity": "dot"}])
def test__temperature__that_auto_stands_for__gives_the_same_answer(changes):
    auto = boolean(BooleanView(irrelevant=10, **changes), Silent())
    assert auto["auto_temperature"] == pytest.approx(1.2, abs=0.01) or "similarity" in changes
    numbers = {
        "temperature": auto["auto_temperature"],
        "classifier_temperature": auto["auto_classifier_temperature"],
    }
    given = boolean(BooleanView(irrelevant=10, **changes, **numbers), Silent())
    assert given["accuracy"] == auto["accuracy"]
    for one, other in zip(given["rounds"], auto["rounds"], strict=True):
        np.testing.assert_allclose(one["scores"], other["scores"], atol=0.01)
    np.testing.assert_allclose(given["map"], auto["map"], atol=0.01)


def test__edges__are_attention_within_classes():
    shown = boolean(BooleanView(), Silent())
    for moment in shown["rounds"]:
        assert moment["edges"][0]
        edges = zip(*moment["edges"], strict=True)
        assert all(i > j and shown["labels"][i] == shown["labels"][j] and 0 < w <= 1 for i, j, w in edges)


def test__map__of_xor__is_certain_in_the_corners():
    confidence = np.array(boolean(BooleanView(irrelevant=0), Silent())["map"])
    middle = len(confidence) // 4
    low, high = middle, len(confidence) - 1 - middle
    assert confidence[low, low] < 0.1 < 0.9 < confidence[low, high]


def test__truth_table__of_parity__is_xor():
    by_table = draw(BooleanView(function="01101001", bits=3))
    by_name = draw(BooleanView(function="xor", bits=3))
    assert (by_table.labels == by_name.labels).all()
    assert (by_name.labels.numpy() == parity(by_name.support[:, :3].numpy(), [0, 1, 2])).all()


def test__support__of_one_class__is_refused_with_a_remedy():
    with pytest.raises(ValueError, match="another seed"):
        draw(BooleanView(function="00000001", bits=3, design="iid", rows=2, seed=1))
