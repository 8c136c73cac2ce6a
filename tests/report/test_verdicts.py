import pytest

from polythetic.report.verdicts import Outcome, counted, in_words, verdict


def entry(mean, paper, stderr=None, paper_stderr=None, metric="accuracy"):
    return {"metric": metric, "mean": mean, "stderr": stderr, "paper": paper, "paper_stderr": paper_stderr}


@pytest.mark.parametrize(
    ("mean", "outcome"),
    [
        (80.0, Outcome.REPRODUCED),
        (81.0, Outcome.REPRODUCED),  # 2√(0.3² + 0.4²) = 1
        (81.01, Outcome.BETTER),
        (79.0, Outcome.REPRODUCED),
        (78.99, Outcome.SHORT),
    ],
)
def test__verdict__at_two_standard_errors__turns(mean, outcome):
    assert verdict(entry(mean, 80.0, 0.3, 0.4)).outcome is outcome


def test__verdict__an_error_that_is_not_given__counts_as_nothing():
    assert verdict(entry(93.4, 93.4)).outcome is Outcome.REPRODUCED
    assert verdict(entry(93.44, 93.4)).outcome is Outcome.BETTER
    assert verdict(entry(93.44, 93.4, stderr=0.02)).outcome is Outcome.REPRODUCED
    assert verdict(entry(48, 48, metric="examples")).outcome is Outcome.REPRODUCED
    assert verdict(entry(48.4, 48, metric="examples")).outcome is Outcome.DIFFERENT


def test__verdict__on_the_stand_in__is_none_of_better_and_short():
    setting = {"setting": {"dataset": "stand-in"}}
    found = [verdict(entry(mean, 80.0) | setting) for mean in (70.0, 80.0, 90.0)]
    assert [str(each) for each in found] == ["not comparable (stand-in data)"] * 3
    assert found[2].difference == 10


def test__verdict__alphabets_without_replacement__are_not_held_against_those_with():
    found = [
        verdict(entry(90.0, 80.0) | {"setting": {"tasks": "alphabets", "replacement": replacement}})
        for replacement in (True, False)
    ]
    assert [str(each) for each in found] == ["better, by 10.0", "not comparable (other tasks)"]


@pytest.mark.parametrize("mean", [50.5, 47.0])
def test__verdict__where_chance_is_the_claim__is_neither_better_nor_short(mean):
    unseen, seen = (verdict(entry(mean, 48.7) | {"setting": {"pairs": pairs}}) for pairs in ("test", "training"))
    assert unseen.outcome is Outcome.DIFFERENT
    assert seen.outcome in (Outcome.BETTER, Outcome.SHORT)


def test__verdict__lower_is_better__turns_round():
    assert verdict(entry(10.0, 20.0, metric="misclassification")).outcome is Outcome.BETTER
    assert verdict(entry(30.0, 20.0, metric="misclassification")).outcome is Outcome.SHORT


def test__verdict__neither_better_nor_worse__differs():
    found = verdict(entry(27_917.1, 20_492.1, 52.0, metric="variance"))
    assert str(found) == "different, by 7,425"


def test__verdict__no_figure_in_the_paper__is_none():
    assert verdict(entry(80.0, None)) is None


@pytest.mark.parametrize(
    ("mean", "words"),
    [(82.53, "better, by 6.6"), (58.2, "short, by 17.7"), (75.83, "short, by 0.07"), (75.9, "reproduced")],
)
def test__verdict__in_words__says_by_how_much(mean, words):
    assert str(verdict(entry(mean, 75.9))) == words


def test__counted__of_rows__leaves_out_those_without_a_figure():
    rows = [entry(1.0, 1.0), entry(2.0, 1.0), entry(0.0, 1.0), entry(5.0, 1.0), entry(1.0, None)]
    assert in_words(counted(rows)) == "1 reproduced, 2 better, 1 short"
