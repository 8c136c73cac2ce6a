from dataclasses import replace

import numpy as np
import pytest

from polythetic.episodes import TEST_PAIRS, TRAINING_PAIRS, BooleanTasks
from polythetic.evaluation import Repeated
from polythetic.experiments import EXPERIMENTS
from polythetic.experiments.prototypes import Trained, accuracy_row, train_and_test, trained
from polythetic.results import Result, load, save
from tests.experiments.tiny import TINY

SUITE = BooleanTasks(n=3)


def figures(suite=SUITE, **options):
    given = {"tests": [suite], "embeddings": (1,), "train_tasks": (2,), "train_seeds": 2, "tasks": 3, "seed": 0}
    return train_and_test(suite, **(given | options))


def test__accuracy_row__figures__by_hand():
    found = Repeated(np.array([[50.0, 70.0, 60.0], [70.0, 90.0, 80.0]]))
    entry = accuracy_row(Trained(SUITE, 1, 10, found), "PN", paper=(71.0, 0.5))
    assert entry["mean"] == 70
    assert entry["std"] == pytest.approx(200**0.5)  # seeds: 60 and 80
    assert entry["stderr"] == pytest.approx((200 / 2 + 100 / 3) ** 0.5)  # tasks: 60, 80, 70
    assert (entry["tasks"], entry["train_seeds"], entry["train_tasks"]) == (3, 2, 10)
    assert (entry["paper"], entry["paper_stderr"]) == (71.0, 0.5)


def test__accuracy_row__one_seed__has_no_spread_and_can_be_saved(tmp_path):
    entry = accuracy_row(Trained(SUITE, 1, 10, Repeated(np.array([[50.0, 70.0]]))), "PN")
    assert entry["std"] is None
    assert entry["stderr"] == pytest.approx(10)
    save(Result("a", "quick", "polythetic", 0, [entry]), tmp_path)
    assert load(tmp_path / "quick" / "a.json").rows == [entry]


def test__trained__every_stage_suite_and_embedding__once_with_all_seeds():
    tests = [SUITE, BooleanTasks(n=3, design="iid")]
    found = list(trained(figures(tests=tests, embeddings=(9, 1), train_tasks=(0, 2)), tests))
    assert [(f.train_tasks, f.suite, f.embedding) for f in found] == [
        (so_many, suite, d) for so_many in (0, 2) for suite in tests for d in (1, 9)
    ]
    assert all(f.accuracy.values.shape == (2, 3) for f in found)


def test__train_and_test__each_figure__is_that_of_the_network_trained_alone():
    tests = [SUITE, BooleanTasks(n=3, design="iid")]
    wanted = {"tests": tests, "embeddings": (9, 1), "train_tasks": (30, 60), "tasks": 20}
    together = list(trained(figures(**wanted), tests))
    for stage in (30, 60):
        for place, suite in enumerate(tests):
            for d in (1, 9):
                alone = figures(tests=[suite], embeddings=(d,), train_tasks=(stage,), tasks=20)["accuracy"][0, 0, 0]
                (same,) = [f for f in together if (f.train_tasks, f.suite, f.embedding) == (stage, suite, d)]
                assert np.allclose(same.accuracy.values, alone.numpy()), (stage, place, d)


def test__train_and_test__never_learns_from_the_tasks_it_is_tested_on(monkeypatch):
    drawn = {}
    batch = BooleanTasks.batch

    def watched(self, seed, start, stop):
        drawn.setdefault(seed, set()).update(range(start, stop))
        return batch(self, seed, start, stop)

    monkeypatch.setattr(BooleanTasks, "batch", watched)
    figures(train_seeds=5, seed=3)
    assert drawn == {3: {0, 1, 2}} | {seed: {0, 1} for seed in range(4, 9)}


def test__table_1__prototypes__stand_beside_the_paper_on_balanced_supports():
    rows = [entry for entry in EXPERIMENTS["table1"].run(TINY) if entry["method"] == "PN"]
    assert len(rows) == 6 * 3 * 2 * 2  # cells, embeddings, designs, stages
    assert {e["setting"]["embedding"] for e in rows} == {1, 5, 10, 25, 100}
    for entry in rows:
        assert (entry["paper"] is None) == (entry["setting"]["design"] == "iid")
        assert entry["train_seeds"] == 2
    at = {(e["setting"]["n"], e["setting"]["alpha"], e["setting"]["embedding"]): e["paper"] for e in rows if e["paper"]}
    assert (at[5, 3, 25], at[10, 2, 10]) == (77.8, 56.7)


def test__appendix_a__paper__stands_beside_unseen_pairs_after_training():
    rows = EXPERIMENTS["appendix-a"].run(replace(TINY, train_tasks=(1,), train_seeds=1))
    assert len(rows) == 3 * 4 * 2 * 2 * 2  # β, embeddings, designs, pairs, untrained and trained
    compared = [e["setting"] for e in rows if e["paper"] is not None]
    assert len(compared) == 12
    assert {(s["pairs"], s["design"], s["train_tasks"]) for s in compared} == {("test", "balanced", 1)}
    assert {e["setting"]["n"] - e["setting"]["beta"] for e in rows} == {5}


def test__appendix_a__training_pairs__are_what_is_learned_from():
    learned = {job.arguments["suite"].active_sets for job in EXPERIMENTS["appendix-a"].jobs(TINY, 0).values()}
    tested = {s.active_sets for job in EXPERIMENTS["appendix-a"].jobs(TINY, 0).values() for s in job.arguments["tests"]}
    assert learned == {TRAINING_PAIRS}
    assert tested == {TRAINING_PAIRS, TEST_PAIRS}


def test__appendix_a__pairs__are_the_ten_and_balanced_over_the_bits():
    assert len({frozenset(pair) for pair in (*TRAINING_PAIRS, *TEST_PAIRS)}) == 10
    for pairs in (TRAINING_PAIRS, TEST_PAIRS):
        assert sorted(bit for pair in pairs for bit in pair) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
