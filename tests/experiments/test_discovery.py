from pathlib import Path

import numpy as np
import pytest
import torch

from polythetic.experiments import BUDGETS, discovery, discovery_baselines, discovery_climbing
from polythetic.experiments.discovery_baselines import baseline_climbed, timed_by_skrebate
from polythetic.experiments.discovery_ours import ours_climbed
from polythetic.experiments.discovery_rows import Place, rows
from polythetic.experiments.discovery_tasks import Plan, Setting, columns, drawn
from polythetic.experiments.discovery_words import table, text
from polythetic.jobs.code import _imports
from polythetic.results import Result

EASY = Setting(n=6, alpha=2)


def climbed(method, *how, **further):
    work = ours_climbed if method in ("R", "FS") else baseline_climbed
    return work(method, *how, **further)


@pytest.mark.parametrize("features", ["binary", "genotype"])
def test__drawn__labels__are_the_parity_of_active_ones(features):
    tasks = drawn(Setting(8, 3, features), rows=50, tasks=4, seed=0)
    for x, y in ((tasks.support, tasks.labels), (tasks.query, tasks.query_labels)):
        active = x.gather(2, tasks.active[:, None].expand(-1, x.shape[1], -1))
        odd = (active == 1).sum(-1) % 2
        assert all(len(set(y[odd == parity].tolist())) == 1 for parity in (0, 1))


def test__drawn__genotypes__follow_hardy_and_weinberg_and_say_nothing_alone():
    tasks = drawn(Setting(5, 2, "genotype"), rows=4000, tasks=1, seed=0)
    shares = torch.bincount(tasks.support.flatten()) / tasks.support.numel()
    torch.testing.assert_close(shares, torch.tensor([0.25, 0.5, 0.25]), atol=0.02, rtol=0)
    for feature in range(5):
        for value in range(3):
            labels = tasks.labels[tasks.support[..., feature] == value].float()
            assert abs(labels.mean()) < 0.12


def test__drawn__noise__is_in_the_support_alone():
    clean, noisy = (drawn(Setting(6, 2, "binary", noise), rows=1000, tasks=2, seed=3) for noise in (0, 10))
    assert torch.equal(clean.support, noisy.support)
    assert torch.equal(clean.query_labels, noisy.query_labels)
    assert 0.07 < (clean.labels != noisy.labels).float().mean() < 0.13


def test__drawn__more_tasks__leave_the_first_as_they_are():
    setting = Setting(6, 2, "genotype", 10)
    for some, more in zip(drawn(setting, 20, 2, 0), drawn(setting, 20, 5, 0), strict=True):
        assert torch.equal(some, more[:2])


def test__columns__genotypes__have_three_each():
    x = drawn(Setting(6, 2, "genotype"), 20, 1, 0).support
    assert columns(x, "genotype").shape[-1] == 18
    assert columns(x, "binary").shape[-1] == 6


@pytest.mark.parametrize("method", ["R", "exhaustive", "MultiSURF", "NCFS"])
@pytest.mark.parametrize("features", ["binary", "genotype"])
def test__climbed__easy_task__finds_all_and_classifies_by_it(method, features):
    (entry,) = climbed(method, Setting(6, 2, features), [150], tasks=2, seed=0)
    found = entry["found"]["signed" if method == "MultiSURF" else ""]
    assert found["active share"] == [100, 100]
    assert min(found["accuracy"]) == 100
    assert entry["seconds"] > 0


def test__climbed__solved__does_not_run_a_slow_method_on_more():
    ladder = climbed("exhaustive", EASY, [60, 100, 150], tasks=2, seed=0)
    assert [entry.get("reason") for entry in ladder] == [None, "solved", "solved"]
    assert not any("reason" in entry for entry in climbed("R", EASY, [60, 100], tasks=2, seed=0))


def test__climbed__too_many_sets__is_marked_with_the_time_it_would_take():
    (entry,) = climbed("exhaustive", Setting(100, 5), [40], tasks=2, seed=0)
    assert entry["reason"] == "too many sets"
    assert entry["seconds"] > 60


def test__climbed__over_a_minute__is_marked_and_so_is_all_above(monkeypatch):
    monkeypatch.setattr(discovery_climbing, "LONGEST", 1e-9)
    ladder = climbed("FS", EASY, [20, 40, 80], tasks=2, seed=0)
    assert [entry.get("reason") for entry in ladder] == [None, "over a minute", "over a minute"]


def test__climbed__trees_at_chance_with_many_rows__are_not_run_on_more(monkeypatch):
    monkeypatch.setattr(discovery_baselines, "MANY_ROWS", 20)
    monkeypatch.setattr(discovery_baselines, "HOPELESS", 60.0)
    ladder = climbed("gradient boosting", Setting(20, 4), [20, 40], tasks=1, seed=0)
    assert ladder[1]["reason"] == "at chance"


def made_up(share, rows=40):
    return [{"rows": rows, "seconds": 0.1, "found": {"signed": {"active share": share, "accuracy": share}}}]


def test__rows__duel__is_with_the_best_relief():
    ours = [
        {
            "rows": 40,
            "seconds": 0.1,
            "together": 2,
            "single": 0.2,
            "alone": 1,
            "found": {"": made_up([100.0] * 8)[0]["found"]["signed"]},
        }
    ]
    found = {("R", EASY): ours, ("ReliefF", EASY): made_up([50.0] * 8), ("MultiSURF", EASY): made_up([0.0] * 8)}
    duels = [entry for entry in rows(found) if entry["metric"] == "wins"]
    assert [duel["setting"]["measure"] for duel in duels] == ["active share", "accuracy"]
    assert {duel["setting"]["against"] for duel in duels} == {"ReliefF, signed"}
    assert duels[0]["difference"] == 50
    assert duels[0]["wilcoxon_p"] < 0.05
    words = text(Result("discovery", "quick", "", 0, rows(found)))
    assert any("never significantly behind" in paragraph for paragraph in words)
    assert any("pip install skrebate" in paragraph for paragraph in words)
    worse = {
        **found,
        ("MultiSURF", EASY): made_up(list(np.linspace(99, 100, 8))),
        ("R", EASY): [{**ours[0], "found": {"": {"active share": [0.0] * 8, "accuracy": [0.0] * 8}}}],
    }
    words = text(Result("discovery", "quick", "", 0, rows(worse)))
    assert any("significantly behind in 1 (binary, α = 2, n = 6, 40 rows: −100 points)" in each for each in words)


def test__rows__ncfs__is_met_too():
    ours = {"rows": 40, "seconds": 0.1, "found": {"": {"active share": [0.0] * 8, "accuracy": [60.0] * 8}}}
    theirs = {"rows": 40, "seconds": 0.1, "found": {"": {"active share": [50.0] * 8, "accuracy": [60.0] * 8}}}
    found = {("R", EASY): [ours], ("ReliefF", EASY): made_up([0.0] * 8), ("NCFS", EASY): [theirs]}
    words = " ".join(text(Result("discovery", "quick", "", 0, rows(found))))
    assert "Against NCFS, in the 1 cells that it was run in, R is significantly ahead in 0" in words
    assert "significantly behind in 1 (binary, α = 2, n = 6, 40 rows: −50 points) in what it finds" in words


def test__table__says_how_many_rows_it_takes():
    found = {("ReliefF", EASY): [*made_up([50.0, 100.0], 40), *made_up([100.0, 100.0], 100)]}
    (line,) = table(rows(found)).body
    assert line == ["best Relief", "binary", "0 %", "100"]


def test__timed_by_skrebate__over_a_minute__goes_no_further(monkeypatch):
    pytest.importorskip("skrebate")
    monkeypatch.setattr(discovery_climbing, "LONGEST", 1e-9)
    found = timed_by_skrebate(["MultiSURF"], 5, "binary", [10, 20], seed=0)
    assert [(entry["rows"], entry["tasks"]) for entry in found] == [(10, 3)]


def test__plan__standard__has_every_setting_and_twenty_tasks():
    plan = Plan.of(BUDGETS["standard"])
    assert len(plan.settings) == 64
    assert (plan.ladder[0], plan.ladder[-1]) == (40, 1600)
    assert plan.tasks >= 20


def test__jobs__without_scikit_rebate_and_scikit_learn__leave_their_methods_out(monkeypatch):
    monkeypatch.setattr(discovery, "has_skrebate", lambda: False)
    absent = discovery.BASELINES["random forest"]._replace(there=lambda: False)
    monkeypatch.setattr(discovery, "BASELINES", {**discovery.BASELINES, "random forest": absent})
    methods = {method for method, *_ in discovery.jobs(BUDGETS["quick"], 0)}
    assert "skrebate" not in methods
    assert "random forest" not in methods
    assert {"R", "MultiSURF"} <= methods


def test__place__chance__is_the_share_of_features_that_matter():
    assert Place("binary", 0, 2, 10, 40).chance == 20


def test__jobs__of_baselines__do_not_depend_on_the_code_of_ours():
    files = {path.name for path in reached(discovery_baselines.__file__)}
    assert "ncfs.py" in files
    assert "refinement.py" not in files


def reached(file):
    """List the files that jobs of a module depend on."""
    waiting, seen = [Path(file)], set()
    while waiting:
        if (path := waiting.pop()) not in seen:
            seen.add(path)
            waiting.extend(_imports(path))
    return seen
