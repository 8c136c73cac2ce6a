"""Table 3: who is trained and how, what is put on which encoder, what stands beside the paper, what is said of it."""

from dataclasses import replace

import pytest
import torch

from polythetic.episodes.suites import suite_named
from polythetic.experiments.alphabets import REPEATED, repeated
from polythetic.experiments.background import METRIC, SPLITS
from polythetic.experiments.budgets import BUDGETS, Lessons
from polythetic.experiments.learned import MAML_SECONDS, folder_name, training
from polythetic.experiments.table3 import COUNTED, EXPERIMENT, HELD_OUT, MAML_SETTINGS
from polythetic.experiments.table3_lines import KINDS, PAPER, Tasks, lines_on
from polythetic.learners.heads import VARIANTS, head_named
from polythetic.results import Result, load, save
from polythetic.runs import EVALUATION_SEED
from tests.experiments.made_up_omniglot import put
from tests.experiments.narrow import ran_narrowly
from tests.experiments.tiny import LESSONS, TINY

CHARACTERS, ALPHABETS, WITH_REPLACEMENT = KINDS


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Run it narrowly, on an Omniglot that is made up, and on alphabets of few characters."""
    suite = Tasks.suite.fget
    few = {"characters": 3, "shots": 3, "queries": 3}
    with pytest.MonkeyPatch.context() as patch:
        smaller = property(lambda self: (suite(self)[0], suite(self)[1] | (few if suite(self)[1] else {})))
        patch.setattr(Tasks, "suite", smaller)
        put(patch)
        return ran_narrowly(EXPERIMENT, tmp_path_factory.mktemp("runs"))


def by_hand(accuracies=None, *, seeds=1, tasks=2, repeats=(0.0, 100.0)):
    """Make rows of made-up accuracies: 50 for every head, unless given by label, variant and tasks."""
    budget = replace(TINY, tasks=tasks, lessons={**LESSONS, "omniglot": Lessons(2, seeds)})
    found = {(COUNTED, 0, 0): {REPEATED: torch.tensor(repeats, dtype=torch.float64)}}
    for (cell, learner, start), job in EXPERIMENT.jobs(budget, 0).items():
        if cell.trained == HELD_OUT:
            found[cell, learner, start] = {split: torch.full((tasks,), 50.0, dtype=torch.float64) for split in SPLITS}
        elif cell != COUNTED:
            given = {
                label: (accuracies or {}).get((label, cell.variant, cell.kind)) for label in job.arguments["heads"]
            }
            found[cell, learner, start] = {
                label: torch.tensor(values[learner] if values else [50.0] * tasks, dtype=torch.float64)
                for label, values in given.items()
            }
    return Result("table3", "quick", "polythetic reproduce", 0, EXPERIMENT.rows(found))


def the_row(result, label, variant, kind, metric="accuracy", **further):
    (entry,) = [
        e
        for e in result.rows
        if e["label"] == label and e["metric"] == metric and e["setting"].items() >= (kind._asdict() | further).items()
        if e["setting"]["variant"] == variant
    ]
    return entry


# ---------------------------------------------------------------- what is done


def test__jobs__training__is_on_characters_for_as_long_as_the_lessons_say():
    budget = BUDGETS["standard"]
    trained = [job.arguments["weights"] for job in EXPERIMENT.jobs(budget, 0).values() if "weights" in job.arguments]
    found = {folder_name(job.arguments["settings"]): job.arguments["settings"] for job in trained}
    lessons, expected = budget.lessons, []
    for seed in range(lessons["omniglot"].seeds):
        expected.append(training("omniglot-characters", "PN", tasks=lessons["omniglot"].tasks, seed=seed))
    for method in ("MN", "FS+MN", "IMP"):
        expected.append(training("omniglot-characters", method, tasks=lessons["omniglot"].tasks_of(method)))
    for method in ("PN", "MN", "FS+MN"):
        expected.append(training("omniglot-characters", method, tasks=lessons["authors"].tasks, variant="authors"))
    held_out = training("omniglot-characters", "PN", tasks=lessons["omniglot"].tasks_of("MN"))
    expected.append(replace(held_out, split="fitting"))
    for settings in expected:
        assert found.pop(folder_name(settings)) == settings
    assert all(s.method == "MAML" and s.schedule.tasks == lessons["maml"].tasks for s in found.values())
    assert training("omniglot-characters", "MAML", tasks=lessons["maml"].tasks) in found.values()


def test__jobs__maml__learns_once_for_settings_that_differ_at_test_alone(monkeypatch):
    steps = {"ours": {"test_steps": 3}, "authors": {}, "slower": {"rate": 0.1}}
    monkeypatch.setattr("polythetic.experiments.table3.MAML_SETTINGS", steps)
    jobs = {key: job for key, job in EXPERIMENT.jobs(BUDGETS["standard"], 0).items() if key[0].trained == "MAML"}
    assert max(job.arguments["stop"] for job in jobs.values()) == BUDGETS["standard"].adapted_tasks
    learned = {cell.variant: job.arguments["weights"] for (cell, _, _), job in jobs.items()}
    assert learned["ours"].key == learned["authors"].key != learned["slower"].key
    assert {job.arguments["settings"].method_options.get("test_steps") for job in jobs.values()} == {3, None}
    assert "rate-0.1" in learned["slower"].folder
    assert learned["ours"].cost == MAML_SECONDS["training"] * BUDGETS["standard"].lessons["maml"].tasks


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("trained", ["PN", "MN", "FS+MN"])
def test__lines__beside_the_papers__are_the_methods_as_they_are(trained, variant):
    for line in lines_on(trained, variant):
        if line.label in PAPER:
            assert head_named(**line.head) == head_named(line.label.removesuffix("*"), variant)


@pytest.mark.parametrize("variant", VARIANTS)
def test__lines__decomposition__has_both_similarities_and_all_rounds_on_both_encoders(variant):
    for trained, method in (("PN", "FS+MN*"), ("FS+MN", "FS+MN")):
        lines = lines_on(trained, variant)
        found = {(e.setting["similarity"], e.setting["R"]) for e in lines if e.method == method}
        assert found == {(similarity, R) for similarity in ("euclidean", "cosine") for R in (0, 2, 5)}
        assert len({line.label for line in lines}) == len(lines)


def test__repeated__counts_the_tasks_in_which_an_alphabet_is_two_classes(monkeypatch):
    put(monkeypatch)
    (found,) = repeated(tasks=40, seed=3).values()
    options = {"replacement": True, "characters": 1, "shots": 1, "queries": 1}
    suite = suite_named("omniglot-alphabets", split="evaluation", options=options)
    drawn = suite.batch(EVALUATION_SEED + 3, 0, 40).attributes["categories"]
    assert found.tolist() == [100.0 * (len(set(alphabets)) < 3) for alphabets in drawn.tolist()]
    assert 0 < found.mean() < 50


# ---------------------------------------------------------------- rows


def test__rows__by_hand__mean_errors_spread_and_the_papers_figures():
    result = by_hand({("FS+NN*", "ours", ALPHABETS): [[90.0, 80.0], [100.0, 90.0]]}, seeds=2)
    entry = the_row(result, "FS+NN*", "ours", ALPHABETS)
    assert (entry["method"], entry["mean"], entry["paper"], entry["paper_stderr"]) == ("FS+NN*", 90.0, 96.0, 0.2)
    assert entry["setting"] == {**ALPHABETS._asdict(), "variant": "ours", "encoder": "PN", "R": 2}
    assert entry["stderr"] == pytest.approx((50 / 2 + 50 / 2) ** 0.5)  # tasks 95 and 85, learners 85 and 95
    assert entry["spread"] == entry["std"] == pytest.approx(50**0.5)
    assert (entry["tasks"], entry["train_tasks"], entry["train_seeds"]) == (2, 2, 2)
    assert the_row(result, "MN", "authors", CHARACTERS)["paper"] == 91.1
    other = the_row(result, "FS+MN*, cosine, R = 5", "authors", WITH_REPLACEMENT)
    assert (other["paper"], other["setting"]["similarity"], other["setting"]["R"]) == (None, "cosine", 5)


def test__rows__maml__says_how_it_adapts():
    result = by_hand()
    for variant, options in MAML_SETTINGS.items():
        entry = the_row(result, "MAML", variant, CHARACTERS)
        usual = {"rate": 0.4, "steps": 5, "test_steps": 10}
        assert entry["setting"].items() >= (usual | options).items()
        assert (entry["method"], entry["paper"]) == ("MAML", 94.0)


def test__rows__held_out_background__is_one_learner_on_both_kinds_of_characters(ran):
    found = {e["setting"]["characters"]: e for e in ran.rows if e["metric"] == METRIC}
    assert list(found) == list(SPLITS.values())
    assert {e["train_tasks"] for e in found.values()} == {TINY.lessons["omniglot"].tasks_of("MN")}


def test__rows__by_hand__accuracy_where_alphabets_repeat_and_where_not():
    result = by_hand({("NN*", "ours", WITH_REPLACEMENT): [[99.0, 60.0, 98.0, 65.0]]}, tasks=4, repeats=(0, 100, 0, 100))
    means = [
        the_row(result, "NN*", "ours", WITH_REPLACEMENT, f"accuracy, {which} alphabets")["mean"]
        for which in ("repeated", "distinct")
    ]
    assert means == [62.5, 98.5]
    (share,) = [e for e in result.rows if e["metric"] == "repeated alphabets"]
    assert (share["mean"], share["tasks"]) == (50.0, 4)
    assert (
        "50.0 % of the 4 tasks counted here. On these NN* has 62.5 %, on the others 98.5 %."
        in EXPERIMENT.text(result)[3]
    )


def test__rows__by_hand__duels_pair_tasks_and_know_the_papers_difference():
    result = by_hand({("FS+NN*", "ours", ALPHABETS): [[90.0, 50.0]], ("FS+MN", "ours", CHARACTERS): [[40.0, 45.0]]})
    duel = the_row(result, "FS+NN* against PN", "ours", ALPHABETS, "wins")
    assert (duel["wins"], duel["ties"], duel["losses"], duel["difference"]) == (1, 1, 0, 20.0)
    assert duel["paper_difference"] == 12.6
    assert the_row(result, "FS+MN against MAML", "ours", CHARACTERS, "wins")["losses"] == 2
    assert the_row(result, "FS+MN* against MN*, standardised", "ours", ALPHABETS, "wins")["paper_difference"] is None
    assert not [e for e in result.rows if e["label"] == "FS+MN against IMP" and e["setting"]["variant"] == "authors"]


# ---------------------------------------------------------------- words, table, picture


def test__text__says_what_the_similarity_is_worth_and_what_selection_adds():
    theirs = {("MN*", "authors", ALPHABETS): [[80.0] * 20], ("MN*, euclidean", "authors", ALPHABETS): [[98.0] * 20]}
    selected = {(f"FS+MN*{R}", "authors", ALPHABETS): [[97.0] * 20] for R in ("", ", R = 0", ", R = 5")}
    ours = {("FS+MN*", "ours", ALPHABETS): [[60.0] * 20]}
    told = EXPERIMENT.text(by_hand(theirs | selected | ours, tasks=20, repeats=[0.0] * 20))
    assert "alone is worth +18.0 points over cosine; with the best of the selections it is +17.0;" in told[4]
    assert "two rounds of self-attention rather than none make 0.0 (level)" in told[4]
    assert "makes 0.0 on characters for FS+MN* (level), +10.0 on alphabets for FS+MN* (ahead)" in told[4]
    assert "FS+MN* (60.0), then PN (50.0), on alphabets;" in told[1]
    assert "+10.0 and 0.0 on alphabets and" in told[1]


def test__text__refined_scores__stand_beside_the_best_of_the_papers_lines():
    given = {("R+MN*", "ours", ALPHABETS): [[60.0] * 20], ("IMP", "ours", CHARACTERS): [[70.0] * 20]}
    result = by_hand(given, tasks=20, repeats=[0.0] * 20)
    told = EXPERIMENT.text(result)[-1]
    assert "on characters −20.0 against IMP (behind; not within one standard error, ±0.0)" in told
    assert "on alphabets +10.0 against PN (ahead; above or within one standard error, ±0.0)" in told
    assert "with nothing scored: 0.0 on characters (level), +10.0 on alphabets (ahead)" in told
    assert the_row(result, "R+NN*", "ours", ALPHABETS)["paper"] is None


def test__table__the_paper_above_ours_above_the_authors():
    table = EXPERIMENT.table(by_hand({("PN", "authors", ALPHABETS): [[61.0, 63.0]]}, seeds=2).rows)
    assert [line[:4] for line in table.body[:4]] == [
        ["PN", "paper", "1,000", "10,000"],
        ["PN", "ours", "2", "2 ×2"],
        ["PN", "authors'", "2", "2"],
        ["MN", "paper", "1,000", "10,000"],
    ]
    assert [line[5] for line in table.body[:3]] == ["83.4 ±0.3", "50.0 ±0.0", "62.0 ±1.0"]
    assert {len(line) for line in table.body} == {len(table.header)} == {7}
    assert table.body[-1][4:] == ["50.0 | 50.0 | 50.0 | 50.0 | 50.0"] * 3
    assert [line[1] for line in table.body if line[0] == "MAML"] == ["paper", "ours", "authors'"]


def test__end_to_end__tiny__every_cell_is_there_and_can_be_kept(ran, tmp_path):
    accuracies = [e for e in ran.rows if e["metric"] == "accuracy"]
    heads = {v: sum(len(lines_on(t, v)) for t in ("PN", "MN", "FS+MN")) for v in VARIANTS}
    assert len(accuracies) == len(KINDS) * (heads["ours"] + heads["authors"] + 1 + len(MAML_SETTINGS))
    assert sum(e["paper"] is not None for e in accuracies) == len(KINDS) * (9 + 8)
    assert all(0 <= e["mean"] <= 100 and e["tasks"] == TINY.picture_tasks for e in accuracies)
    keys = [(e["method"], e["metric"], *sorted(map(str, e["setting"].items()))) for e in ran.rows]
    assert len(set(keys)) == len(keys)
    save(ran, tmp_path)
    assert load(tmp_path / "quick" / "table3.json").rows == ran.rows


def test__end_to_end__tiny__is_whole_in_words_and_has_a_picture(ran):
    assert all(len(paragraph) > 100 for paragraph in EXPERIMENT.text(ran))
    panels = EXPERIMENT.draw(ran).axes
    assert [axes.get_title() for axes in panels] == ["characters", "alphabets"]
    for axes, tasks in zip(panels, ("characters", "alphabets"), strict=True):
        assert axes.get_xlabel().startswith("accuracy (%)")
        crosses = [line.get_xdata()[0] for line in axes.lines if line.get_marker() == "x" and len(line.get_xdata())]
        assert crosses == [printed[tasks][0] for printed in PAPER.values()]
    circles = [line for line in panels[1].lines if line.get_marker() == "o" and len(line.get_xdata())]
    assert len(circles) == 2 * (9 + 2)  # with replacement and without, ours below the paper's


def test__tasks__suites__are_those_that_the_settings_name():
    assert Tasks("characters").suite == ("omniglot-characters", {})
    assert [kind.suite[1] for kind in KINDS[1:]] == [{"replacement": False}, {"replacement": True}]
