"""Figure 8: the mixes, what it shares with Table 2, and the judgement of the paper's caption."""

from dataclasses import replace
from itertools import product

import pytest
import torch

from polythetic.experiments import table2
from polythetic.experiments.budgets import Lessons
from polythetic.experiments.figure8 import EXPERIMENT, PROPORTIONS
from polythetic.results import Result, load, save
from tests.experiments.narrow import ran_narrowly
from tests.experiments.tiny import LESSONS, TINY


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    return ran_narrowly(EXPERIMENT, tmp_path_factory.mktemp("runs"))


def by_hand(accuracy, tasks=20):
    """Make rows of made-up accuracies, a function of method, kind of tasks and proportion."""
    found = {
        (cell, *rest): {
            label: accuracy(cell.trained, cell.tasks, cell.proportion) + torch.arange(tasks, dtype=torch.float64) % 2
            for label in job.arguments["heads"]
        }
        for (cell, *rest), job in EXPERIMENT.jobs(replace(TINY, tasks=tasks), 0).items()
    }
    return Result("figure8", "quick", "polythetic reproduce", 0, EXPERIMENT.rows(found))


def shared(lessons):
    budget = replace(TINY, lessons={**LESSONS, **lessons})
    there = {job.arguments["weights"].key for job in table2.EXPERIMENT.jobs(budget, 0).values()}
    return [
        key[0].proportion for key, job in EXPERIMENT.jobs(budget, 0).items() if job.arguments["weights"].key in there
    ]


def test__jobs__no_polythetic_tasks__has_table_2s_learners_if_trained_as_long():
    assert shared({"colourless": Lessons(2, 3)}) == [0.0] * 12  # settings, methods, kinds
    assert shared({"colourless": Lessons(3), "authors": Lessons(3)}) == []


def test__jobs__training__is_on_each_mix():
    mixes = {
        (key[0].proportion, job.arguments["settings"].options["polythetic"])
        for key, job in EXPERIMENT.jobs(TINY, 0).items()
    }
    assert mixes == {(p, p) for p in (0.0, 0.25, 0.5, 0.75, 1.0)}


def test__rows__by_hand__have_means_and_deviations_and_no_figure_of_the_papers():
    rows = by_hand(lambda method, kind, share: 60.0 + 8 * share).rows
    assert all(e["paper"] is None for e in rows)
    of_pn = [e for e in rows if (e["method"], e["metric"]) == ("PN", "accuracy") and _at(e, "monothetic", 0.25)]
    assert [e["setting"]["variant"] for e in of_pn] == ["ours", "authors"]
    assert [e["mean"] for e in of_pn] == [62.5, 62.5]
    assert of_pn[0]["std"] == pytest.approx((20 * 0.25 / 19) ** 0.5)
    duels = [e for e in rows if e["metric"] == "wins"]
    assert len(duels) == 2 * 2 * 2 * 5  # settings, against PN and MN, kinds, proportions
    assert all((e["wins"], e["ties"], e["losses"], e["difference"]) == (0, 20, 0, 0) for e in duels)


def _at(entry, kind, proportion):
    return entry["setting"]["tasks"] == kind and entry["setting"]["proportion"] == proportion


def test__text__caption_holds__says_so():
    best = by_hand(lambda method, kind, share: 95.0 if method == "FS+MN" else 60.0 + 30 * share)
    told = EXPERIMENT.text(best)
    assert told[1].count("FS+MN is ahead in 20 and behind in 0 (Wilcoxon's test, 5 %). It holds.") == 2
    assert told[2].endswith("on polythetic tasks PN 30.0, MN 30.0, FS+MN 0.0; least FS+MN.")


def test__text__caption_does_not_hold__says_where():
    def accuracy(method, kind, share):
        if method == "PN" and kind == "monothetic":
            return 95.0
        return 90.0 - 10 * share * (method == "FS+MN")

    told = EXPERIMENT.text(by_hand(accuracy))
    assert "It holds" not in told[1]
    assert "5.0 points behind PN on monothetic tasks at 0%" in told[1]
    assert "10.0 points behind MN on polythetic tasks at 100%" in told[1]
    assert "on monothetic tasks PN 0.0, MN 0.0, FS+MN 10.0; least PN;" in told[2]


def test__text__one_that_guesses_at_every_mix__is_not_the_one_that_moves_least():
    told = EXPERIMENT.text(by_hand(lambda method, kind, share: 50.0 if method == "PN" else 80.0 + 5 * share))
    assert "on monothetic tasks PN 0.0, MN 5.0, FS+MN 5.0; least MN, as PN only guesses;" in told[2]


def test__end_to_end__tiny__table_words_and_picture_are_whole(ran, tmp_path):
    save(ran, tmp_path)
    assert load(tmp_path / "quick" / "figure8.json").rows == ran.rows
    table = EXPERIMENT.table(ran.rows)
    assert len(table.body) == 12
    assert {len(line) for line in table.body} == {len(table.header)} == {3 + len(PROPORTIONS)}
    assert all(len(paragraph) > 100 for paragraph in EXPERIMENT.text(ran))


def test__end_to_end__tiny__picture_has_a_panel_a_setting_and_kind_with_three_lines_and_deviations(ran):
    panels = EXPERIMENT.draw(ran).axes
    shown = list(product(("monothetic", "polythetic"), ("ours", "authors")))
    for axes, (kind, variant) in zip(panels, shown, strict=True):
        whose = {"ours": "our", "authors": "the authors'"}[variant]
        assert axes.get_title() == f"{kind}, {whose} settings"
        assert [bars.get_label() for bars in axes.containers] == ["PN", "MN", "FS+MN"]
        for bars in axes.containers:
            found = [
                e
                for e in ran.rows
                if (e["method"], e["metric"], e["setting"]["tasks"], e["setting"]["variant"])
                == (bars.get_label(), "accuracy", kind, variant)
            ]
            assert list(bars.lines[0].get_ydata()) == [e["mean"] for e in found]
            lengths = [(top - bottom) / 2 for (_, bottom), (_, top) in bars.lines[2][0].get_segments()]
            assert lengths == pytest.approx([e["std"] for e in found])
    assert {axes.get_xlabel() for axes in panels[2:]} == {"polythetic tasks in training (%)"}
