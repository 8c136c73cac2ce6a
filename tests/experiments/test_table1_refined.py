"""Table 1's rows of ours: the cells, rows from accuracies made up by hand, and what is said of them."""

import pytest
import torch

from polythetic.classifiers import method_named
from polythetic.episodes import BooleanTasks
from polythetic.evaluation import evaluate
from polythetic.experiments import table1, table1_refined
from polythetic.experiments.settings import active_shares
from polythetic.experiments.table1_refined import LARGER, refined
from tests.experiments.tiny import TINY

SHARE = "active share"


def by_hand(accuracies=None, tasks=20):
    """All have 90 per cent, unless given by label, design, n and α."""

    def of(label, suite):
        given = (accuracies or {}).get((label, suite.design, suite.n, suite.alpha), 90.0)
        return torch.full((tasks,), given, dtype=torch.float64)

    found = {}
    for suite in [*table1.SUITES, *LARGER]:
        found["accuracy", suite] = {label: of(label, suite)[None] for label in ("FS+MN", "MN")}
        found["R", suite] = {label: of(label, suite) for label in ("R+MN", "R+NN", SHARE)}
        found[SHARE, suite] = {"FS+MN": of(SHARE, suite)}
    rows = table1_refined.rows(table1.SUITES, found)
    others = []  # that table1 itself makes of the paper's cells
    for suite in table1.SUITES:
        setting = {"n": suite.n, "alpha": suite.alpha, "design": suite.design}
        for metric in ("accuracy", SHARE):
            mean = float(of("FS+MN" if metric == "accuracy" else SHARE, suite).mean())
            others.append({"label": "FS+MN", "metric": metric, "setting": setting, "mean": mean})
    return rows, others


def test__refined__once_for_all__is_what_each_gives_alone():
    suite = BooleanTasks(n=6, alpha=2, design="iid", rows=16)
    together = refined(suite, tasks=3, seed=5)
    methods = {name: method_named(name) for name in ("R+MN", "R+NN")}
    for name, alone in evaluate(methods, suite, tasks=3, seed=5).items():
        assert together[name].tolist() == alone.values.tolist()
    assert together[SHARE].tolist() == active_shares(suite, ["R+MN"], tasks=3, seed=5)["R+MN"].tolist()


def test__cells__larger__are_iid_with_the_rows_that_they_say():
    sizes = [(suite.n, suite.alpha, suite.support_size, suite.design) for suite in LARGER]
    assert sizes == [
        (20, 2, 20, "iid"),
        (20, 3, 40, "iid"),
        (20, 4, 80, "iid"),
        (50, 2, 64, "iid"),
        (50, 3, 128, "iid"),
        (50, 4, 256, "iid"),
    ]


def test__rows__by_hand__every_cell_once_and_no_figure_of_the_papers():
    rows, _ = by_hand({("R+MN", "iid", 50, 4): 99.0, ("FS+MN", "iid", 50, 4): 50.0})
    keys = [(e["method"], e["metric"], *sorted(map(str, e["setting"].items()))) for e in rows]
    assert len(set(keys)) == len(keys)
    assert all(e["paper"] is None for e in rows)
    assert sum(e["method"] == "R+MN" and e["metric"] == "accuracy" for e in rows) == 12 + 6
    (entry,) = [e for e in rows if e["label"] == "R+MN" and e["metric"] == "accuracy" and e["setting"]["n"] == 50][2:]
    assert entry["mean"] == 99.0
    setting = {"n": 50, "alpha": 4, "design": "iid", "rows": 256, "variant": "ours"}
    assert setting.items() <= entry["setting"].items()
    (duel,) = [e for e in rows if e["label"] == "R+MN against FS+MN" and e["setting"].get("rows") == 256]
    assert (duel["wins"], duel["losses"], duel["tasks"]) == (20, 0, 20)


def test__text__counts_cells_ahead_and_behind():
    rows, others = by_hand({("R+MN", "iid", 20, 3): 95.0, ("R+MN", "iid", 5, 2): 80.0})
    told = table1_refined.text(rows + others)
    assert "R+MN is ahead of FS+MN in 1 and behind in 1, task by task" in told
    assert "n = 20 with 20 / 40 / 80 rows 90.0 / 95.0 / 90.0 (FS+MN 90.0 / 90.0 / 90.0) %" in told


def test__jobs__cost__grows_with_the_rows():
    costs = {
        key[1].support_size: job.cost
        for key, job in table1_refined.jobs([], TINY, 0).items()
        if key[0] == "R" and key[1].n == 50
    }
    assert costs[64] < costs[128] < costs[256] == pytest.approx(TINY.tasks * 0.00256)
