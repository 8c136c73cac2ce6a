"""App. G: pre-training, then the same tasks for every method, end to end at a tiny budget."""

from dataclasses import replace

import pytest

from polythetic.experiments.appendix_g import EXPERIMENT, HEADS, KINDS, PAPER
from polythetic.experiments.budgets import BUDGETS, Lessons
from polythetic.report.pictures import write_png
from polythetic.results import Result

TINY = replace(BUDGETS["quick"], picture_tasks=2, lessons={"categorical": Lessons(2, 2)})


@pytest.fixture(scope="module")
def result():
    return Result("appendix-g", "quick", "polythetic reproduce appendix-g", 0, EXPERIMENT.run(TINY))


def test__jobs__each_training_is_needed_by_its_examinations_alone():
    cells = EXPERIMENT.jobs(TINY, 0)
    trainings = {need.key: need for job in cells.values() for need in job.needs}
    assert len(trainings) == 2 * 2  # ours and the authors', two seeds each
    batch_sizes = {job.arguments["settings"].batch_size for job in trainings.values()}
    assert batch_sizes == {16, 64}
    assert sum(not job.needs for job in cells.values()) == len(KINDS)  # true labels need no training


def test__jobs__many_tasks__are_cut_into_blocks_that_leave_none_out():
    cells = EXPERIMENT.jobs(replace(TINY, picture_tasks=600), 0)
    spans = sorted(
        (job.arguments["start"], job.arguments["stop"])
        for (cell, number, _), job in cells.items()
        if (cell.variant, cell.kind, number) == ("ours", "polythetic", 1)
    )
    assert spans == [(0, 250), (250, 500), (500, 600)]


def test__rows__every_method_and_read_out__with_what_the_paper_prints(result):
    solved = [e for e in result.rows if e["metric"] == "accuracy"]
    heads = 2 * (len(HEADS["ours"]) + len(HEADS["authors"])) + len(HEADS["ours"])  # both read-outs, and true labels
    assert len(solved) == len(KINDS) * heads
    for entry in solved:
        setting = entry["setting"]
        assert setting["dataset"] == "full"
        assert {"read_out", "tasks", "variant"} <= setting.keys()
        printed = PAPER.get((entry["method"], setting["read_out"]), {}).get(setting["tasks"])
        assert entry["paper"] == printed
        trained = (None, None) if setting["read_out"] == "truth" else (2, 2)
        assert (entry["train_tasks"], entry["train_seeds"]) == trained


def test__rows__naming__is_compared_with_the_paper(result):
    named = {(e["setting"]["variant"], e["setting"]["what"]): e for e in result.rows if e["metric"] == "named rightly"}
    assert named.keys() == {(variant, what) for variant in ("ours", "authors") for what in ("digits", "colours")}
    assert named["ours", "digits"]["paper"] == 95.6
    assert named["ours", "colours"]["mean"] > named["ours", "digits"]["mean"]  # a third by chance, not a tenth


def test__true_labels__are_enough_for_selection_and_not_for_prototypes(result):
    found = {
        (e["label"], e["setting"]["tasks"]): e["mean"] for e in result.rows if e["setting"].get("read_out") == "truth"
    }
    assert found["FS+MN", "polythetic"] > 95
    assert found["FS+MN", "monothetic"] > 95
    assert found["PN", "polythetic"] < 65


def test__table_text_and_picture__are_whole(result, tmp_path):
    table = EXPERIMENT.table(result.rows)
    assert all(len(line) == len(table.header) == 7 for line in table.body)
    assert table.body[1] == ["paper's Attn.", "93.5", "93.4", "88.2", "86.2", "", ""]
    words = " ".join(EXPERIMENT.text(result))
    assert "on 2 full tasks" in words
    assert "2 pre-trained networks" in words
    write_png(lambda: EXPERIMENT.draw(result), tmp_path / "picture.png")
    assert (tmp_path / "picture.png").stat().st_size > 10_000
