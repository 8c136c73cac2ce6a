"""Figure 12: the example does what the paper says of it."""

import pytest
import torch

from polythetic.experiments.big_cats import FEATURES, LABELS, QUERIES, SCORER, steps, walk
from polythetic.experiments.figure12 import EXPERIMENT
from polythetic.results import Result


@pytest.fixture(scope="module")
def result():
    return Result("figure12", "quick", "polythetic reproduce", 0, steps())


def scores(result, similarity):
    found = [e for e in result.rows if e["metric"] == "score" and e["setting"]["similarity"] == similarity]
    return {(e["setting"]["feature"], e["setting"]["round"]): e["mean"] for e in found}


def test__figure_12__scores__patterns_are_diluted_and_kinds_are_not(result):
    found = scores(result, "cosine")
    for feature in FEATURES:
        kept = found[feature, SCORER.repeats] / found[feature, 0]
        assert kept < 0.4 if feature in ("stripes", "spots") else kept > 0.95


def test__figure_12__scores_by_dot_products__patterns_spread(result):
    found = scores(result, "dot")
    last = max(r for _, r in found)
    assert all(found[pattern, last] > found["cat", last] > found["cat", 0] for pattern in ("stripes", "spots"))


def test__figure_12__answers__wrong_without_the_scores_and_right_with_them(result):
    p = {(e["method"], e["setting"]["query"]): e["mean"] for e in result.rows if e["metric"] == "probability"}
    for animal in QUERIES:
        assert p["MN", animal] < 50 < 95 < p["FS+MN", animal]


@pytest.mark.parametrize("method", ["MN", "FS+MN"])
def test__figure_12__attention__adds_up_to_the_answers(method):
    found = walk()
    by_class = torch.stack([found.attention[method][:, torch.tensor(LABELS) == k].sum(1) for k in (0, 1)], 1)
    torch.testing.assert_close(by_class.sum(1), torch.ones(2))
    torch.testing.assert_close(torch.stack([by_class[0, 1], by_class[1, 0]]), found.right[method])


def test__figure_12__attention__goes_to_the_pattern_without_the_scores():
    without = walk().attention["MN"]
    assert without.argmax(1).tolist() == [3, 7]  # the zebra's to the tiger, the leopard's to the Appaloosa


def test__figure_12__words__have_the_numbers(result):
    words = " ".join(EXPERIMENT.text(result))
    assert "zebra is 20 % equid, the leopard 7 % big cat" in words
    assert "zebra is 100 % equid, the leopard 100 % big cat" in words
    assert "after 5 rounds cat 0.78, stripes 0.24, spots 0.24, equid 0.78" in words


def test__figure_12__picture__writes_what_was_computed(result):
    figure = EXPERIMENT.draw(result)
    titles = [axes.get_title() for axes in figure.axes]
    assert titles[0] == "1 features"
    assert titles[-1] == "6 with scores"
    written = {axes.get_title(): [t.get_text() for t in axes.texts] for axes in figure.axes}
    assert "80" in written["6 without scores"]  # per cent of the zebra's attention
    assert len(written["1 features"]) == 40
