"""Ordinary data: the draws, rows from accuracies made up by hand, and what is said of them."""

import numpy as np
import pytest
import torch

from polythetic.classifiers import Matching, method_named
from polythetic.errors import MissingDataError
from polythetic.evaluation import evaluate
from polythetic.experiments import ordinary_methods
from polythetic.experiments.ordinary import CELLS, EXPERIMENT
from polythetic.experiments.ordinary_methods import DATASETS, METHODS, draws, measure
from polythetic.pipeline import Method, Selection
from polythetic.rescaling import min_max
from polythetic.results import Result
from polythetic.selection import score_features
from tests.experiments.tiny import TINY

pytest.importorskip("sklearn")


def by_hand(accuracies=None, tasks=20):
    """Every method has 90 per cent unless given by label and cell."""
    found = {
        cell: {
            label: torch.tensor((accuracies or {}).get((label, cell), [90.0] * tasks), dtype=torch.float64)
            for label in METHODS
        }
        for cell in CELLS
    }
    return Result("ordinary", "quick", "polythetic reproduce", 0, EXPERIMENT.rows(found))


def test__draws__all_classes_as_many_rows_of_each_and_none_twice():
    for dataset, classes in zip(DATASETS, (3, 3, 2, 10), strict=True):
        episode = draws(dataset, shots=5).batch(seed=0, start=0, stop=2)
        for k in range(2):
            assert torch.bincount(episode.support_labels[k]).tolist() == [5] * classes
            assert len(set(torch.bincount(episode.query_labels[k]).tolist())) == 1
            shown, asked = (episode.attributes[f"{side}_number"][k].tolist() for side in ("support", "query"))
            assert not set(shown) & set(asked)


def test__draws__without_scikit_learn__say_how_to_get_it(monkeypatch):
    monkeypatch.setattr(ordinary_methods, "find_spec", lambda name: None)
    with pytest.raises(MissingDataError, match="pip install scikit-learn"):
        draws("iris", shots=5)


def test__methods__of_scikit_learn__are_its_own_on_standardised_features():
    from sklearn.svm import SVC

    episode = draws("wine", shots=20).batch(seed=1, start=0, stop=2)
    predicted = METHODS["RBF-SVM"].predictor.predict(episode.support, episode.support_labels, episode.query)
    for k in range(2):
        x = episode.support[k].double().numpy()
        mean, deviation = x.mean(0), x.std(0)
        alone = SVC().fit((x - mean) / deviation, episode.support_labels[k])
        expected = alone.predict((episode.query[k].double().numpy() - mean) / deviation)
        assert np.mean(predicted[k].numpy() == expected) > 0.99  # single precision here


def test__measure__scale_of_features__is_nothing_to_those_that_standardise(monkeypatch):
    found = measure("wine", shots=5, tasks=2, seed=0)
    assert set(found) == set(METHODS)
    assert all(values.shape == (2,) for values in found.values())
    assert found["MN, standardised"].mean() > found["MN"].mean() + 5  # wine's proline is in hundreds


def test__rows__by_hand__duels_and_settings():
    iris = ("iris", 5)
    result = by_hand({("R+MN", iris): [91.0] * 20, ("MN", iris): [90.0] * 10 + [92.5] * 10})
    (duel,) = [e for e in result.rows if e["label"] == "R+MN against MN" and e["setting"]["dataset"] == "iris"][:1]
    assert (duel["wins"], duel["ties"], duel["losses"]) == (10, 0, 10)
    assert duel["difference"] == pytest.approx(-0.25)
    means = [e for e in result.rows if e["metric"] == "accuracy"]
    assert len(means) == len(CELLS) * len(METHODS)
    assert all(e["paper"] is None for e in result.rows)
    assert {"dataset": "digits", "shots": 20, "variant": "control"} in [e["setting"] for e in means]


def test__text__says_where_it_is_behind_and_where_not():
    wine, digits = ("wine", 20), ("digits", 5)
    worse = by_hand({("R+MN", wine): [89.0] * 20, ("R+MN", digits): [89.6] * 20, ("MN", digits): [90.0] * 20})
    told = EXPERIMENT.text(worse)[1]
    assert (
        "(MN) R+MN is within 0.5 points or above in 7 of 8 columns; by Wilcoxon's signed-rank test (5 %) it is " in told
    )
    assert (
        "it is ahead in 0, level in 6, behind in 2. Not within: wine, 20 rows −1.0 ±0.0 (0 draws won, 20 lost," in told
    )
    assert (
        "Behind by the test: wine, 20 rows −1.0 ±0.0 (0 draws won, 20 lost, p = 7.7e-06); digits, 5 rows −0.4 " in told
    )
    fine = EXPERIMENT.text(by_hand({("R+MN", wine): [95.0] * 20}))[1]
    assert "in 8 of 8 columns; by Wilcoxon's signed-rank test (5 %) it is ahead in 1, level in 7, behind in 0." in fine
    assert "Not within" not in fine
    assert "Behind by" not in fine


def test__text__level_by_the_test_and_not_by_the_mean__says_both():
    given = [91.0] * 11 + [88.0, 87.0, 86.5, 86.0, 85.5, 85.0, 84.5, 84.0, 83.5]
    told = EXPERIMENT.text(by_hand({("R+MN", ("wine", 5)): given}))[1]
    assert "yet the mean is over two standard errors below zero: wine, 5 rows −1.4 ±0.7 (11 draws won, 9 lost" in told


def test__text__algorithm_1_far_behind__has_a_reason():
    told = " ".join(EXPERIMENT.text(by_hand({("FS+MN", ("digits", 20)): [23.0] * 20})))
    assert "more than 10 points behind the same attention with nothing selected (MN, standardised): digits, 20" in told
    assert "pixels that are nearly always blank" in told
    assert "sepal width" not in told
    assert "nothing selected" not in " ".join(EXPERIMENT.text(by_hand()))


def test__algorithm_1__on_digits_and_iris__fails_for_the_reasons_given():
    raw = Method(Matching(), Selection(rescale="raw"))
    for dataset in ("digits", "iris"):
        tasks = draws(dataset, shots=20)
        means = {
            k: v.mean for k, v in evaluate({"FS": method_named("FS+MN"), "raw": raw}, tasks, tasks=20, seed=0).items()
        }
        assert means["FS"] < 75
        assert round(means["raw"]) == 90
        episode = tasks.batch(seed=0, start=0, stop=20)
        scores = score_features(episode.support, episode.support_labels)
        scales = min_max(scores, power=2)
        if dataset == "digits":
            ink = (episode.support != 0).sum(-2).gather(-1, scores.topk(3).indices)
            assert round(float(ink.double().mean())) == 5
            assert round(float(scores.topk(3).values.mean())) == 2  # it was 1 before the first round
            assert round(float((scores > 0).sum(-1).double().mean())) == 57
            assert round(float((scales > 0.5).sum(-1).double().mean())) == 3
        else:
            assert scores.mean(0).argmax() == 1  # sepal width
            assert scales.mean(0).argmin() == 3  # petal width
            assert scales.mean(0)[3] < 0.01


def test__jobs__standard__are_a_hundred_draws():
    from polythetic.experiments import BUDGETS

    assert {job.arguments["tasks"] for job in EXPERIMENT.jobs(BUDGETS["standard"], 0).values()} == {100}
    assert {job.arguments["tasks"] for job in EXPERIMENT.jobs(TINY, 0).values()} == {2}


def test__table__lines_end_with_what_is_gained():
    table = EXPERIMENT.table(by_hand({("R+MN", ("iris", 5)): [91.0] * 20}).rows)
    assert table.header[1] == "iris, 5 rows"
    assert [line[:2] for line in table.body[-2:]] == [
        ["R+MN − MN", "+1.0 ±0.0"],
        ["R+MN − MN, standardised", "+1.0 ±0.0"],
    ]
