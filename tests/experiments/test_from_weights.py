"""Tables again, with weights that come along: nothing is trained, what has no weights is left out."""

from dataclasses import replace

import pytest

from polythetic.errors import PolytheticError
from polythetic.experiments import EXPERIMENTS
from polythetic.experiments.from_weights import BUDGET, PARTLY, TABLES, as_made, from_weights, with_weights
from polythetic.experiments.reproduce import reproduce
from polythetic.jobs import Nothing
from polythetic.jobs.carrying_out import still_to_do
from polythetic.jobs.learning import train
from tests.experiments.tiny import TINY
from tests.weights.tiny import runs, weights  # noqa: F401 - fixtures

SHIPPED = replace(TINY, name="from-weights", picture_tasks=2, shipped=True)


def test__budget__is_the_standard_one_on_few_tasks():
    assert BUDGET.picture_tasks == 100
    assert BUDGET.shipped
    assert set(TABLES) < set(PARTLY) <= set(EXPERIMENTS)


def test__jobs__train_nothing(weights):  # noqa: F811
    cells = from_weights(EXPERIMENTS["table2"]).jobs(SHIPPED, 0)
    assert {cell.trained for cell, _, _ in cells} == {"FS+MN"}
    assert {cell.dataset for cell, _, _ in cells} == {"clean"}
    assert all(job.work is not train for job in still_to_do(cells.values(), Nothing()))


def test__jobs__of_a_larger_budget__train_what_does_not_come_along(weights):  # noqa: F811
    experiment = EXPERIMENTS["table2"]
    ours, whole = with_weights(experiment).jobs(SHIPPED, 0), experiment.jobs(SHIPPED, 0)
    assert ours.keys() == whole.keys()
    taken = {cell for cell, job in ours.items() if job.key != whole[cell].key}
    assert {(cell.trained, cell.dataset, cell.variant) for cell, _, _ in taken} == {("FS+MN", "clean", "ours")}
    trained = {job.key for job in still_to_do(ours.values(), Nothing()) if job.work is train}
    every = {job.key for job in still_to_do(whole.values(), Nothing()) if job.work is train}
    assert len(every - trained) == 1
    assert trained < every


def test__reproduce__at_the_standard_budget__names_its_command_and_says_what_was_taken(weights, tmp_path):  # noqa: F811
    budget = replace(TINY, name="standard", picture_tasks=2, shipped=True)
    done = reproduce([EXPERIMENTS["table2"]], budget=budget, seed=0, out=tmp_path, runs=tmp_path / "runs")
    (result,) = done.results
    assert result.command == "polythetic reproduce table2 --budget standard --from-weights --seed 0"
    assert (tmp_path / "table2.json").exists()
    assert "not trained anew" in done.page.read_text(encoding="utf-8")
    assert "not trained anew" in " ".join(as_made(EXPERIMENTS["table2"], result).text(result))
    plain = replace(result, command="polythetic reproduce table2 --budget standard --seed 0")
    assert as_made(EXPERIMENTS["table2"], plain) is EXPERIMENTS["table2"]


def test__jobs__without_any_weights__say_how_to_come_by_them(tmp_path, monkeypatch):
    monkeypatch.setattr("polythetic.weights.HERE", tmp_path)
    with pytest.raises(PolytheticError, match=r"table3: none of its learners comes .* polythetic.weights.make"):
        from_weights(EXPERIMENTS["table3"]).jobs(SHIPPED, 0)


def test__jobs__with_other_weights_of_the_name__are_others(weights):  # noqa: F811
    def keys():
        return {job.key for job in from_weights(EXPERIMENTS["table2"]).jobs(SHIPPED, 0).values()}

    before = keys()
    card = weights / "mnist-clean-fs-mn.json"
    words = card.read_text()
    digest = words.partition('"sha256": "')[2][:64]
    card.write_text(words.replace(digest, "0" * 64))
    assert not before & keys()


def test__reproduce__writes_apart_from_the_quick_budget_and_names_its_command(weights, tmp_path):  # noqa: F811
    out = tmp_path / "results"
    for _ in range(2):
        done = reproduce([EXPERIMENTS["table2"]], budget=SHIPPED, seed=0, out=out, runs=tmp_path / "runs")
    (result,) = done.results
    assert result.command == "polythetic reproduce table2 --from-weights --seed 0"
    assert (out / "quick" / "from-weights" / "table2.json").exists()
    assert not (out / "quick" / "table2.json").exists()
    compared = [entry for entry in result.rows if entry["paper"] is not None]
    assert {(e["method"], e["setting"]["dataset"], e["setting"]["tasks"]) for e in compared} == {
        ("FS+MN", "clean", "monothetic"),
        ("FS+MN", "clean", "polythetic"),
    }
    html = done.page.read_text(encoding="utf-8")
    assert "nothing was trained" in html
    assert "--from-weights" in html
