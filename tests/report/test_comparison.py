import pytest

from polythetic.report.comparison import comparison, distinguishing, verdict_counts
from polythetic.report.effort import effort
from polythetic.results import row
from tests.committed import rows
from tests.report.papers import table2, table3


def test__comparison__of_table_1__has_every_figure_once():
    lines = comparison(rows("table1"))
    assert len(lines) == 60
    assert len({(line.name, line.setting) for line in lines}) == 60
    assert lines[0][:2] == ("FS+MN", "n = 5, α = 2")


def test__comparison__of_moments__writes_large_and_small_numbers():
    lines = {line.setting: line for line in comparison(rows("theory"))}
    line = lines["variance, similarity = dot, α = 2, p = 0.8"]
    assert (line.paper, line.verdict) == ("20,492", "different, by 7,426")


def test__distinguishing__rows_of_two_variants__says_which():
    said = distinguishing([*table2(), *table2(variant="authors")])
    assert said[0] == "clean, monothetic, ours"
    assert len(set(said)) == 12


def test__distinguishing__replacement__is_said_in_words():
    assert set(distinguishing(table3())) == {
        "characters",
        "alphabets, without replacement",
        "alphabets, with replacement",
    }


def test__distinguishing__one_row__says_nothing():
    assert distinguishing(table2()[:1]) == [""]


def test__verdict_counts__both_variants__are_counted_apart():
    better = {"FS+MN": (99, 99, 99, 99, 99, 99)}
    assert verdict_counts([*table2(), *table2(variant="authors", **better)]) == [
        "our settings, 10,000 training tasks: 18 reproduced",
        "the authors' settings, 10,000 training tasks: 12 reproduced, 6 better",
    ]


def test__verdict_counts__of_two_lengths_of_training__are_apart():
    after = [words.partition(":")[0] for words in verdict_counts(rows("table1"))]
    assert after == [
        "our settings",
        "the authors' settings",
        "the authors' settings, 1,000 training tasks",
        "the authors' settings, 10,000 training tasks",
    ]


def test__verdict_counts__of_alphabets_without_replacement__are_no_verdicts():
    (said,) = verdict_counts(table3())
    assert said == "our settings, 10,000 training tasks: 18 reproduced, 9 not comparable (other tasks)"


def test__verdict_counts__training_that_stands_on_the_rows__is_said_beside_the_papers():
    shorter = [entry | {"train_tasks": 200} for entry in table2(variant="authors", PN=(70, 50, 70, 50, 70, 50))]
    (said,) = verdict_counts(shorter, "table2")
    assert said.startswith("the authors' settings, 200 training tasks (paper: 10,000; 100,000 for full): ")
    assert "3 short" in said


def test__effort__without_training__says_the_tasks_alone():
    assert effort("table4", [row("PN", {}, "accuracy", 80.0, tasks=500)]) == "500 tasks a cell (paper: 500)."


@pytest.mark.parametrize(
    ("name", "tasks", "words"),
    [
        ("figure13", 1, "one task."),
        ("figure9", None, "computed, no tasks."),
        ("figure2", 1, "one task a function, its four corners."),
        ("figure4", None, "one task."),
        ("figure5", None, "one set of vectors, no tasks."),
    ],
)
def test__effort__of_pictures__says_what_is_shown(name, tasks, words):
    assert effort(name, [row("FS", {}, "score", 0.5, tasks=tasks)]) == words


def test__effort__untrained_rows_beside_trained__are_left_out():
    trained = [row("PN", {}, "accuracy", 50.0, tasks=10, train_tasks=t, train_seeds=1) for t in (0, 1000)]
    assert "trained on 1,000 tasks, 1 seed (paper" in effort("appendix-a", trained)
