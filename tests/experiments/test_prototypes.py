import numpy as np
import pytest

from polythetic.episodes import TEST_PAIRS, TRAINING_PAIRS, BooleanTasks
from polythetic.experiments import Budget, Run, appendix_a, table1_prototypes
from polythetic.experiments.prototypes import Trained, accuracy_row, trained
from polythetic.progress import Silent
from polythetic.results import Result, load, save

SUITE = BooleanTasks(n=3)


def budget(**options):
    given = {"tasks": 3, "grid_tasks": 2, "trials": 10, "train_tasks": (1, 2), "train_seeds": 2} | options
    return Budget("quick", **given)


def test__trained__figures__by_hand():
    found = Trained(SUITE, 1, 10, np.array([[50.0, 70.0, 60.0], [70.0, 90.0, 80.0]]))
    assert found.mean == 70
    assert found.std == pytest.approx(200**0.5)  # seeds: 60 and 80
    assert found.stderr == pytest.approx((200 / 2 + 100 / 3) ** 0.5)  # tasks: 60, 80, 70


def test__trained__one_seed__has_no_spread_and_can_be_saved(tmp_path):
    entry = accuracy_row(Trained(SUITE, 1, 10, np.array([[50.0, 70.0]])), "PN")
    assert entry["std"] is None
    assert entry["stderr"] == pytest.approx(10)
    save(Result("a", "quick", "polythetic", 0, [entry]), tmp_path)
    assert load(tmp_path / "quick" / "a.json").rows == [entry]


def test__trained__every_stage_suite_and_embedding__once_with_all_seeds():
    suites = [SUITE, BooleanTasks(n=3, design="iid")]
    found = list(trained(Run(budget(), 0, Silent()), suites, (1, 9), (0, 2)))
    assert [(f.train_tasks, f.embedding, f.suite) for f in found] == [
        (so_many, d, suite) for so_many in (0, 2) for d in (1, 9) for suite in suites
    ]
    assert all(f.accuracy.shape == (2, 3) for f in found)


def test__trained__never_learns_from_the_tasks_it_is_tested_on(monkeypatch):
    drawn = {}
    batch = BooleanTasks.batch

    def watched(self, seed, start, stop):
        drawn.setdefault(seed, set()).update(range(start, stop))
        return batch(self, seed, start, stop)

    monkeypatch.setattr(BooleanTasks, "batch", watched)
    list(trained(Run(budget(train_seeds=5), 3, Silent()), [SUITE], (1,), (2,)))
    assert drawn == {3: {0, 1, 2}} | {seed: {0, 1} for seed in range(4, 9)}


def test__table_1__prototypes__stand_beside_the_paper_on_balanced_supports():
    rows = table1_prototypes.run(Run(budget(), 0, Silent()))
    assert len(rows) == 6 * 3 * 2 * 2  # cells, embeddings, designs, stages
    assert {e["setting"]["embedding"] for e in rows} == {1, 5, 10, 25, 100}
    for entry in rows:
        assert (entry["paper"] is None) == (entry["setting"]["design"] == "iid")
        assert entry["train_seeds"] == 2
    at = {(e["setting"]["n"], e["setting"]["alpha"], e["setting"]["embedding"]): e["paper"] for e in rows if e["paper"]}
    assert (at[5, 3, 25], at[10, 2, 10]) == (77.8, 56.7)


def test__appendix_a__paper__stands_beside_unseen_pairs_after_training():
    rows = appendix_a.run(Run(budget(train_tasks=(1,), train_seeds=1), 0, Silent()))
    assert len(rows) == 3 * 4 * 2 * 2 * 2  # β, embeddings, designs, pairs, untrained and trained
    compared = [e["setting"] for e in rows if e["paper"] is not None]
    assert len(compared) == 12
    assert {(s["pairs"], s["design"], s["train_tasks"]) for s in compared} == {("test", "balanced", 1)}
    assert {e["setting"]["n"] - e["setting"]["beta"] for e in rows} == {5}


def test__appendix_a__pairs__are_the_ten_and_balanced_over_the_bits():
    assert len({frozenset(pair) for pair in (*TRAINING_PAIRS, *TEST_PAIRS)}) == 10
    for pairs in (TRAINING_PAIRS, TEST_PAIRS):
        assert sorted(bit for pair in pairs for bit in pair) == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
