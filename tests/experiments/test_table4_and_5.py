"""Tables 4 and 5: rows from accuracies made up by hand, what stands beside the paper, what is said of the data."""

import pytest
import torch

from polythetic.episodes import hierarchy_tasks
from polythetic.evaluation import accuracy_of
from polythetic.experiments import table4, table5
from polythetic.experiments.frozen_features import METHODS, collection_of, measure
from polythetic.experiments.hierarchy import Cell
from polythetic.results import Result, load, save
from tests.experiments.made_up import official, put
from tests.experiments.tiny import TINY

TWO = Cell(2, 5, "stand-in", "evaluation", ("flies 10", "pots 10", "soups 5"))
EIGHT = Cell(8, 5, "stand-in", "all", ("cats 5", "flies 10"))
PAIR = Cell(2, 10, "stand-in", "evaluation", ("flies 10", "pots 10"))
CHOICE = Cell(2, 5, "stand-in", "training", ("cats 5", "dogs 6", "hats 7"))
CELLS = (TWO, EIGHT, PAIR)


def found(cells, accuracies=None, tasks=3):
    """Two blocks of tasks a cell; every method has 50 per cent unless given by label."""
    given = {label: (accuracies or {}).get(label, [50.0] * tasks) for label in METHODS}
    tensors = {label: torch.tensor(values, dtype=torch.float64) for label, values in given.items()}
    return {
        (cell, 0, start): {label: values[part] for label, values in tensors.items()}
        for cell in cells
        for start, part in ((2, slice(2, None)), (0, slice(0, 2)))  # in any order
    }


def result_of(module, cells=CELLS, accuracies=None, tasks=3):
    rows = module.EXPERIMENT.rows(found(cells, accuracies, tasks))
    return Result(module.EXPERIMENT.name, "quick", "polythetic reproduce", 0, rows)


def the_row(result, label, cell=TWO, **facts):
    wanted = {"label": label} | facts
    (entry,) = [
        e
        for e in result.rows
        if wanted.items() <= e.items() and (e["setting"]["C"], e["setting"]["G"]) == (cell.C, cell.G)
        if e["setting"]["split"] == cell.split
    ]
    return entry


def test__table_4__row__by_hand():
    entry = the_row(result_of(table4, accuracies={"FS+MN": [40.0, 60.0, 80.0]}), "FS+MN")
    assert entry["mean"] == pytest.approx(60)
    assert entry["stderr"] == pytest.approx(20 / 3**0.5)
    assert (entry["tasks"], entry["paper"], entry["paper_stderr"]) == (3, 83.5, 0.3)
    setting = {"C": 2, "G": 5, "dataset": "stand-in", "split": "evaluation", "variant": "ours"}
    assert setting.items() <= entry["setting"].items()


@pytest.mark.parametrize(
    ("label", "cell", "paper"),
    [
        ("MN, authors'", TWO, 82.7),
        ("FS+MN, authors'", EIGHT, 48.9),
        ("PN", EIGHT, 49.4),
        ("PN", PAIR, 81.1),
        ("MN, standardised", TWO, None),
        ("FS+MN, defaults", TWO, None),
        ("SimpleShot", TWO, None),
        ("R+MN", TWO, None),
    ],
)
def test__table_4__paper__stands_beside_its_methods(label, cell, paper):
    assert the_row(result_of(table4), label, cell)["paper"] == paper


def test__table_4__tasks_of_the_choice__are_of_another_metric_and_not_compared():
    result = result_of(table4, (*CELLS, CHOICE))
    entry = the_row(result, "FS+MN", CHOICE)
    assert (entry["metric"], entry["paper"]) == ("validation accuracy", None)
    assert {e["metric"] for e in result.rows if e["setting"]["split"] != "training"} == {"accuracy"}
    assert "cats 5, dogs 6, hats 7" in table4.EXPERIMENT.text(result)[1]
    header = table4.EXPERIMENT.table(result.rows).header
    assert list(header) == ["", "C=2/G=5", "C=8/G=5", "C=2/G=10", "training categories, C=2/G=5"]


def test__table_5__row__by_hand():
    accuracies = {"FS+MN": [60.0, 60.0, 60.0], "MN": [50.0, 60.0, 70.0], "PN": [50.0, 50.0, 50.0]}
    result = result_of(table5, accuracies=accuracies)
    drawn = the_row(result, "FS+MN", other="MN")
    assert (drawn["wins"], drawn["ties"], drawn["losses"], drawn["sign_p"]) == (1, 1, 1, 1.0)
    won = the_row(result, "FS+MN", other="PN")
    assert (won["wins"], won["ties"], won["losses"], won["sign_p"], won["wilcoxon_p"]) == (3, 0, 0, 0.25, 0.25)
    assert (won["metric"], won["mean"], won["stderr"]) == ("wins", 100.0, 0.0)
    assert (won["paper"], won["paper_wins"], won["paper_losses"], won["paper_ties"]) == (63.8, 319, 136, 45)
    assert won["setting"]["against"] == "PN"


def test__table_5__opponents_that_the_paper_has_not__are_of_another_metric():
    result = result_of(table5)
    others = {e["other"] for e in result.rows if e["metric"] == "tasks won"}
    assert others == {"MN, standardised", "SimpleShot", "logistic regression", "FS+MN"}
    assert all((e["paper"] is None) == (e["metric"] != "wins") for e in result.rows)


def test__table_5__refined_scores__meet_the_best_other_of_each_column():
    accuracies = {"R+MN": [60.0, 61.0, 62.0], "R+NN": [99.0] * 3, "SimpleShot": [61.0, 61.0, 64.0]}
    result = result_of(table5, accuracies=accuracies)
    (duel,) = [e for e in result.rows if e["metric"] == table5.BEST_METRIC and e["setting"]["C"] == EIGHT.C]
    assert (duel["method"], duel["label"], duel["other"]) == ("R+MN", "R+MN", "SimpleShot")
    assert (duel["wins"], duel["ties"], duel["losses"], duel["difference"]) == (0, 1, 2, -1.0)
    assert table5.EXPERIMENT.table(result.rows).body[-1][1] == "0 / 2 (1), SimpleShot"
    words = table5.EXPERIMENT.text(result)[-1]
    assert "SimpleShot at C=8/G=5 (−1.0 points ±0.6: behind by more than one standard error)" in words


def test__methods__refined_once__classify_as_each_would_alone():
    embedded = {
        "features": torch.randn(80, 6, generator=torch.Generator().manual_seed(1)).half(),
        "class": torch.arange(80) // 20,
        "category": torch.tensor([0, 0, 1, 1]),
        "split": torch.tensor([0, 0, 0, 0]),
    }
    together = measure(embedded, C=2, G=2, split="training", start=0, stop=2, seed=0)
    tasks = hierarchy_tasks(collection_of(embedded, "training"), categories=2, groups=2, shots=10, queries=10)
    for label, (_, _, method) in METHODS.items():
        for number in (0, 1):
            episode = tasks.batch(0, number, number + 1)
            alone = accuracy_of(method.predict(episode.support, episode.support_labels, episode.query), episode)
            assert together[label][number] == alone[0], label


def test__table_5__papers_counts__are_of_500_tasks_and_bold_where_the_sign_test_says():
    for opponent, printed in table5.PAPER.items():
        for cell, (won, lost, tied) in printed.items():
            assert won + lost + tied == 500
            bold = (opponent, cell) != ("PN", (8, 5))
            assert (table5.sign_test(won, lost) < table5.SIGNIFICANT) == bold


def test__table_5__table__as_the_paper_writes_it():
    table = table5.EXPERIMENT.table(result_of(table5).rows)
    assert table.body[0][1:] == ["230* / 162 (108)", "343* / 113 (44)", "258* / 185 (57)"]
    assert table.body[1][2] == "239 / 247 (14)"
    assert table.body[2][1] == "0 / 0 (3)"


@pytest.mark.parametrize("module", [table4, table5])
def test__captions__stand_in__say_what_it_is(module):
    caption = module.EXPERIMENT.text(result_of(module))[0]
    for said in (
        "Not tieredImageNet but a stand-in",
        "has seen these classes",
        "C=2/G=5: test categories with enough classes (flies 10, pots 10, soups 5)",
        "C=8/G=5 mixes the splits (cats 5, flies 10)",
        "C=2/G=10 is one fixed choice of categories, flies and pots: only pictures vary",
        "3 tasks a column, 10 pictures of each class in the support and 10 asked",
    ):
        assert said in caption


@pytest.mark.parametrize("module", [table4, table5])
def test__captions__release__say_so(module):
    cells = [cell._replace(dataset="tieredImageNet", split="evaluation") for cell in CELLS]
    caption = module.EXPERIMENT.text(result_of(module, cells))[0]
    assert "tieredImageNet; 3 tasks" in caption
    assert "stand-in" not in caption
    assert "has seen these classes" in caption


def test__table_5__words__say_who_beats_whom_where():
    accuracies = {"FS+MN": [60.0] * 30, "MN": [50.0] * 30, "PN": [70.0] * 30, "SimpleShot": [60.0] * 30}
    words = table5.EXPERIMENT.text(result_of(table5, [TWO], accuracies, tasks=30))[2]
    assert "our FS+MN beats MN at C=2/G=5; it is beaten by PN at C=2/G=5." in words
    assert "it neither beats SimpleShot nor is beaten" in words


@pytest.mark.parametrize("module", [table4, table5])
@pytest.mark.parametrize("data", ["stand-in", "tieredImageNet"])
def test__tables__made_up_data__from_end_to_end(module, data, monkeypatch, tmp_path):
    put(monkeypatch, *([official] if data == "tieredImageNet" else []))
    rows = module.EXPERIMENT.run(TINY)
    result = Result(module.EXPERIMENT.name, "quick", "polythetic reproduce", 0, rows)
    save(result, tmp_path)
    assert load(tmp_path / "quick" / f"{result.experiment}.json").rows == rows
    assert {e["setting"]["dataset"] for e in rows} == {data}
    table = module.EXPERIMENT.table(rows)
    assert all(len(line) == len(table.header) for line in table.body)
    assert module.EXPERIMENT.text(result)


def test__table_4__picture__has_a_panel_a_column_and_stands_where_the_gains_are():
    result = result_of(table4, accuracies={"SimpleShot": [53.0] * 3, "PN": [49.0] * 3})
    panels = table4.EXPERIMENT.draw(result).axes
    assert [axes.get_title() for axes in panels] == ["C=2/G=5", "C=8/G=5", "C=2/G=10"]
    names = [label.get_text() for label in panels[0].get_yticklabels()]
    dots = [line for line in panels[0].lines if line.get_marker() not in ("x", "None")]
    gained = {names[round(line.get_ydata()[0])]: line.get_xdata()[0] for line in dots}
    assert gained["SimpleShot"] == 3
    assert gained["PN"] == -1
    assert gained["FS+MN"] == 0
    crosses = [line for line in panels[0].lines if line.get_marker() == "x"]
    assert [line.get_xdata()[0] for line in crosses] == pytest.approx([81.4 - 82.7, 83.5 - 82.7])


def test__table_5__picture__stacks_what_was_won_tied_and_lost():
    result = result_of(table5, accuracies={"FS+MN": [60.0, 60.0, 50.0, 40.0], "MN": [50.0] * 4}, tasks=4)
    panel = table5.EXPERIMENT.draw(result).axes[0]
    widths = {}
    names = {tick: label.get_text() for tick, label in zip(panel.get_yticks(), panel.get_yticklabels(), strict=True)}
    for bar in panel.patches:
        y = bar.get_y() + bar.get_height() / 2
        widths.setdefault(min(names, key=lambda tick: abs(tick - y)), []).append(bar.get_width())
    assert [names[y] for y in widths][:3] == ["C=2/G=5, paper", "ours", "authors' settings"]
    paper, ours, _ = list(widths.values())[:3]
    assert paper == pytest.approx([46.0, 21.6, 32.4])
    assert ours == [50, 25, 25]
