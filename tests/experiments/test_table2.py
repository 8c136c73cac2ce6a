"""Table 2: who is trained on what, what stands beside the paper, and what is said of it."""

from dataclasses import replace

import pytest
import torch

from polythetic.datasets.mnist import mnist_source
from polythetic.experiments.budgets import BUDGETS, Lessons
from polythetic.experiments.digit_learners import heads_on
from polythetic.experiments.learned import training
from polythetic.experiments.table2 import EXPERIMENT, PAPER, Cell
from polythetic.experiments.table2_words import VALIDATED
from polythetic.learners.heads import head_named
from polythetic.results import Result, load, save
from tests import committed
from tests.experiments.narrow import ran_narrowly
from tests.experiments.tiny import LESSONS, TINY


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    return ran_narrowly(EXPERIMENT, tmp_path_factory.mktemp("runs"))


def by_hand(accuracies=None, *, seeds=1, tasks=2):
    """Make rows of made-up accuracies: 50 for every head, unless given by label, dataset, kind and variant."""
    budget = replace(TINY, tasks=tasks, lessons={**LESSONS, "clean": Lessons(2, seeds)})
    found = {}
    for (cell, learner, start), job in EXPERIMENT.jobs(budget, 0).items():
        for label in job.arguments["heads"]:
            given = (accuracies or {}).get((label, cell.dataset, cell.tasks, cell.variant), [[50.0] * tasks] * seeds)
            found.setdefault((cell, learner, start), {})[label] = torch.tensor(given[learner], dtype=torch.float64)
    return Result("table2", "quick", "polythetic reproduce", 0, EXPERIMENT.rows(found))


def the_row(result, method, dataset, tasks, variant, **further):
    keys = {"dataset": dataset, "tasks": tasks, "variant": variant, **further}
    (entry,) = [e for e in result.rows if e["method"] == method and e["setting"] == keys]
    return entry


@pytest.mark.parametrize("dataset", ["clean", "colourless", "full"])
@pytest.mark.parametrize("method", PAPER)
def test__jobs__training__is_on_monothetic_tasks_for_as_long_as_the_lessons_say(dataset, method):
    budget = BUDGETS["standard"]
    for variant, lessons in (("ours", budget.lessons[dataset]), ("authors", budget.lessons["authors"])):
        expected = [
            training(
                f"mnist-{dataset}",
                method,
                tasks=lessons.tasks_of(method),
                variant=variant,
                seed=s,
                options={"polythetic": 0.0},
            )
            for s in range(lessons.seeds)
        ]
        for kind in ("monothetic", "polythetic"):
            cell = Cell(dataset, kind, variant, method, lessons.tasks_of(method), mnist_source())
            jobs = {key: job for key, job in EXPERIMENT.jobs(budget, 0).items() if key[0] == cell}
            assert [job.arguments["settings"] for key, job in jobs.items() if key[2] == 0] == expected
            assert all(job.arguments["weights"].arguments["settings"] in expected for job in jobs.values())
            assert {job.arguments["options"]["polythetic"] for job in jobs.values()} == {float(kind == "polythetic")}


def test__jobs__other_statistics__are_of_the_same_learner_in_encoder_and_head():
    jobs = [(key[0], job) for key, job in EXPERIMENT.jobs(TINY, 0).items() if key[0].statistics == "other"]
    assert len(jobs) == 3 * 2 * 2  # datasets, kinds, variants
    for cell, job in jobs:
        learned, evaluated = job.arguments["weights"].arguments["settings"], job.arguments["settings"]
        assert (learned.variant, learned.method) == (cell.variant, "FS+MN")
        assert evaluated == replace(learned, variant={"ours": "authors", "authors": "ours"}[cell.variant])
        ((_, head),) = job.arguments["heads"].items()
        method, own = head_named(**head), head_named("FS+MN", cell.variant)
        assert method.selection.statistics == head_named("FS+MN", evaluated.variant).selection.statistics
        assert replace(method.selection, statistics=own.selection.statistics) == own.selection
        assert method.classifier == own.classifier


@pytest.mark.parametrize("variant", ["ours", "authors"])
def test__heads__selection_on_and_off__differ_in_nothing_else(variant):
    features = torch.randn(40, 6, generator=torch.Generator().manual_seed(0)) * torch.arange(1.0, 7.0)
    labels = torch.arange(40) % 2
    for trained, label in (("FS+MN", "MN, standardised"), ("PN", "MN*, standardised")):
        off, on = head_named(**heads_on(trained, variant)[label]), head_named("FS+MN", variant)
        assert off.classifier == on.classifier
        assert (off.selection.statistics, off.selection.eps) == (on.selection.statistics, on.selection.eps)
        support, _ = off.selection(features, labels, features[:3])
        torch.testing.assert_close(support, (features - features.mean(0)) / features.std(0, correction=0))


def test__rows__by_hand__mean_errors_spread_and_the_papers_figures():
    given = {("FS+MN", "clean", "polythetic", "ours"): [[90.0, 80.0], [100.0, 90.0]]}
    result = by_hand(given, seeds=2)
    entry = the_row(result, "FS+MN", "clean", "polythetic", "ours")
    assert (entry["mean"], entry["paper"], entry["paper_stderr"]) == (90.0, 98.3, 0.0)
    assert entry["stderr"] == pytest.approx((50 / 2 + 50 / 2) ** 0.5)  # tasks 95 and 85, learners 85 and 95
    assert entry["std"] == pytest.approx(50**0.5)  # 90 and 80, 100 and 90
    assert entry["spread"] == pytest.approx(50**0.5)
    assert (entry["tasks"], entry["train_tasks"], entry["train_seeds"]) == (2, 2, 2)
    assert the_row(result, "PN", "full", "monothetic", "authors")["paper"] == 94.5
    starred = the_row(result, "FS+NN*", "full", "monothetic", "ours", encoder="PN")
    assert (starred["paper"], starred["spread"], starred["train_seeds"]) == (None, None, 1)


def test__rows__by_hand__duels_pair_tasks_and_learners():
    given = {
        ("FS+MN", "clean", "polythetic", "ours"): [[90.0, 80.0, 70.0], [100.0, 90.0, 70.0]],
        ("MN, standardised", "clean", "polythetic", "ours"): [[80.0, 90.0, 70.0], [70.0, 90.0, 70.0]],
        ("FS+MN, queries' statistics too", "clean", "polythetic", "ours"): [[91.0, 79.0, 73.0]],
    }
    result = by_hand(given, seeds=2, tasks=3)
    duel = the_row(result, "FS+MN", "clean", "polythetic", "ours", against="MN, standardised")
    assert (duel["metric"], duel["wins"], duel["ties"], duel["losses"]) == ("wins", 1, 1, 1)
    assert duel["difference"] == pytest.approx(5.0)  # (10 − 10 + 0 + 30 + 0 + 0) / 6
    assert duel["mean"] == pytest.approx(100 / 3)
    other = the_row(result, "FS+MN, queries' statistics too", "clean", "polythetic", "ours", against="FS+MN")
    assert other["difference"] == pytest.approx(1.0)  # from the first learner: +1, −1, +3
    assert other["train_seeds"] == 1


def test__text__says_where_selection_helps_and_where_not():
    tasks = 20
    ups = {("FS+MN", dataset, "polythetic", "ours"): [[90.0] * tasks] for dataset in ("clean", "full")}
    downs = {("FS+MN", "colourless", "polythetic", "ours"): [[40.0] * tasks]}
    told = EXPERIMENT.text(by_hand(ups | downs, tasks=tasks))
    assert "ahead on clean and full and behind on colourless (clean +40.0: 20 / 0 / 0; colourless −10.0: 0" in told[2]
    assert "On those of PN: level on all three (clean 0.0: 0 / 20 / 0, p = 1;" in told[3]
    assert "not on clean, monothetic" not in told[1]  # PN is named first where all are alike
    assert "colourless, polythetic (PN 50.0, FS+MN 40.0; the paper's best is FS+MN)" in told[1]
    assert "ours 50.0 / 50.0 / 50.0 %, chance" in told[1]


def test__text__says_where_prototypes_are_not_at_chance_and_how_long_learners_learned():
    told = EXPERIMENT.text(by_hand({("PN", "full", "polythetic", "ours"): [[58.5, 57.5]]}, seeds=3))
    assert "ours 50.0 / 50.0 / 58.0 %, not at chance on full; authors' 50.0 / 50.0 / 50.0 %" in told[1]
    assert "Ours: PN, MN and FS+MN 2 (3 learners) / 2 / 2. Authors' settings: PN" in told[0]
    assert "The paper: 10,000 / 10,000 / 100,000." in told[0]


def test__text__refined_scores__on_the_encoder_of_prototypes():
    given = {("R+MN*", d, "polythetic", "ours"): [[80.0] * 20] for d in ("clean", "colourless", "full")}
    told = EXPERIMENT.text(by_hand(given, tasks=20))[5]
    assert "R+MN* 50.0 / 50.0 / 50.0 monothetic and 80.0 / 80.0 / 80.0 polythetic;" in told
    assert "R+MN* is against FS+MN* ahead on all three (clean +30.0: 20 / 0 / 0;" in told
    assert "on monothetic tasks against PN level on all three" in told


def test__table__the_paper_above_ours_above_the_authors():
    table = EXPERIMENT.table(by_hand({("PN", "clean", "monothetic", "authors"): [[61.0, 63.0]]}).rows)
    assert [line[:2] for line in table.body[:4]] == [["PN", w] for w in ("paper", "ours", "authors'")] + [
        ["MN", "paper"]
    ]
    assert table.header[4:6] == ["clean, monothetic", "clean, polythetic"]
    assert [line[4] for line in table.body[:3]] == ["97.9 ±0.1", "50.0 ±0.0", "62.0 ±1.0"]
    assert {len(line) for line in table.body} == {len(table.header)} == {10}


def test__table__every_line__says_its_tasks_and_lessons():
    table = EXPERIMENT.table(committed.rows("table2"))
    at = {tuple(line[:2]): line[2:4] for line in table.body}
    assert table.header[2:4] == ["tasks", "trained on"]
    assert at["PN", "paper"] == ["1,000", "10,000 / 10,000 / 100,000"]
    assert at["MN", "ours"] == ["1,000", "2,000 / 1,000 / 1,000"]
    assert at["FS+MN", "authors'"] == ["1,000", "200"]


def test__end_to_end__tiny__every_cell_is_there_and_can_be_kept(ran, tmp_path):
    accuracies = [e for e in ran.rows if e["metric"] == "accuracy"]
    # Datasets, kinds, variants; heads on PN, MN, FS+MN; statistics.
    assert len(accuracies) == 3 * 2 * 2 * (len(heads_on("PN", "ours")) + 1 + 2 + 1)
    assert sum(e["paper"] is not None for e in accuracies) == 2 * 18
    assert all(0 <= e["mean"] <= 100 and e["tasks"] == TINY.picture_tasks for e in accuracies)
    keys = [(e["method"], e["metric"], *sorted(map(str, e["setting"].items()))) for e in ran.rows]
    assert len(set(keys)) == len(keys)
    save(ran, tmp_path)
    assert load(tmp_path / "quick" / "table2.json").rows == ran.rows


def test__end_to_end__tiny__is_whole_in_words_and_has_a_picture(ran):
    assert all(len(paragraph) > 100 for paragraph in EXPERIMENT.text(ran))
    panels = EXPERIMENT.draw(ran).axes
    assert [axes.get_title() for axes in panels] == ["monothetic tasks", "polythetic tasks"]
    assert panels[0].get_ylabel() == "accuracy (%)"
    paper = [line for line in panels[1].lines if line.get_marker() == "x"]
    drawn = sorted(float(line.get_ydata()[0]) for line in paper)
    assert drawn == sorted(mean for printed in PAPER.values() for mean, _ in printed[1::2])


def test__text__lessons_beyond_the_plan__are_disclosed():
    result = load(committed.RESULTS / "table2.json")
    assert "Of clean tasks 1,000 were planned. All three learn from twice as many" in EXPERIMENT.text(result)[0]
    assert "planned" not in EXPERIMENT.text(by_hand({}))[0]


def test__text__lessons_on_validation_digits__equal_the_result_file():
    measured = {
        e["train_tasks"]: round(e["mean"], 1)
        for e in committed.rows("benchmarks/learning")
        if (e["setting"].get("on"), e["setting"].get("tasks")) == ("validation", "polythetic")
    }
    assert measured == VALIDATED
