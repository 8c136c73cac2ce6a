"""What Tables 4 and 5 are made of: which cells there are, what is embedded, which tasks are measured."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from polythetic.errors import MissingDataError
from polythetic.experiments import BUDGETS, hierarchy, table4, table5
from polythetic.experiments.frozen_features import METHODS, collection_of, measure
from polythetic.experiments.hierarchy import CELLS, cells_there, embed
from polythetic.runs import EVALUATION_SEED, VALIDATION_SEED
from polythetic.selection import AttentionScorer
from tests.episodes.named import needs_data
from tests.experiments.made_up import PICTURES, SPLITS, nothing, official, put, stand_in
from tests.experiments.tiny import TINY


@pytest.fixture
def made_up(monkeypatch):
    return partial(put, monkeypatch)


@pytest.fixture
def embedded(made_up):
    made_up()
    return embed("stand-in", SPLITS, None)


def test__cells__stand_in__mix_splits_only_where_none_serves(made_up):
    made_up()
    assert [(c.C, c.G, c.split) for c in cells_there()] == [
        (2, 5, "evaluation"),
        (4, 5, "evaluation"),
        (8, 5, "all"),
        (2, 10, "evaluation"),
    ]
    assert {c.dataset for c in cells_there()} == {"stand-in"}
    assert cells_there()[3].categories == ("flies 10", "pots 10")
    assert cells_there()[2].categories[0] == "cats 5"


def test__cells__release_of_which_only_the_test_split_is_there__are_all_the_papers(made_up):
    made_up(official)
    found = cells_there()
    assert [(c.C, c.G) for c in found] == list(CELLS)
    assert {(c.dataset, c.split) for c in found} == {("tieredImageNet", "evaluation")}
    jobs = table4.EXPERIMENT.jobs(TINY, 0).values()
    assert [need.arguments["splits"] for job in jobs for need in job.needs] == [["evaluation"]] * len(CELLS)


def test__jobs__without_data__can_be_listed_and_say_what_is_missing_when_done(made_up):
    made_up(nothing)
    assert len(table4.EXPERIMENT.jobs(TINY, 0)) == len(CELLS)
    with pytest.raises(MissingDataError, match="nothing is here"):
        table4.EXPERIMENT.run(TINY)


@needs_data
def test__cells__real_stand_in__are_four():
    found = {(c.C, c.G): c for c in cells_there()}
    assert list(found) == [(2, 5), (4, 5), (8, 5), (2, 10)]
    assert [c.split for c in found.values()] == ["evaluation", "evaluation", "all", "evaluation"]
    assert found[2, 10].categories == ("insect 10", "vessel 10")
    assert len(found[8, 5].categories) == 11


def test__jobs__both_tables__are_the_same_but_for_the_choosing(made_up):
    made_up()
    four, five = (t.EXPERIMENT.jobs(BUDGETS["standard"], 0) for t in (table4, table5))
    assert {job.key for job in five.values()} < {job.key for job in four.values()}
    others = [cell for cell, *_ in four if cell not in [c for c, *_ in five]]
    assert {(c.C, c.G, c.split) for c in others} == {(2, 5, "training"), (4, 5, "training")}
    assert len({need.key for job in four.values() for need in job.needs}) == 1  # embedded once


def test__jobs__tasks__are_500_in_blocks_and_those_of_the_choice_are_others(made_up):
    made_up()
    blocks = {}
    for (cell, _, _), job in table4.EXPERIMENT.jobs(BUDGETS["standard"], 3).items():
        blocks.setdefault(cell.split, set()).add((job.arguments["seed"], job.arguments["start"], job.arguments["stop"]))
    reported = {(EVALUATION_SEED + 3, 0, 250), (EVALUATION_SEED + 3, 250, 500)}
    chosen = {(VALIDATION_SEED + 3, 0, 250), (VALIDATION_SEED + 3, 250, 500)}
    assert blocks == {"evaluation": reported, "all": reported, "training": chosen}


def test__jobs__quick__embeds_just_enough_pictures(made_up):
    made_up()
    for budget, per_class in ((TINY, 20), (BUDGETS["standard"], None)):
        embedding = hierarchy.embedding(cells_there(), budget)
        assert embedding.arguments["per_class"] == per_class
    assert len(embed("stand-in", SPLITS, 20)["features"]) == 20 * 58


def test__embed__every_picture__under_its_class_category_and_split(embedded):
    assert {name: len(values) for name, values in embedded.items()} == {
        "features": 58 * PICTURES,  # the category of one class is in no task
        "class": 58 * PICTURES,
        "category": 58,
        "split": 58,
    }
    assert embedded["features"].dtype == torch.float16
    assert np.bincount(embedded["category"]).tolist() == [5, 6, 5, 7, 5, 10, 10, 5, 5]
    assert np.bincount(embedded["split"]).tolist() == [23, 5, 30]
    line = embedded["features"].argmax(1) // 10  # what the network made of the category's number
    own = embedded["category"][embedded["class"]]
    assert [line[own == k].unique().tolist() for k in range(9)] == [[k] for k in (0, 1, 2, 3, 5, 6, 7, 8, 9)]


@pytest.mark.parametrize(
    ("split", "classes"),
    [("training", [5, 6, 5, 7]), ("evaluation", [10, 10, 5, 5]), ("all", [5, 6, 5, 7, 5, 10, 10, 5, 5])],
)
def test__collection__of_a_split__has_its_classes(embedded, split, classes):
    found = collection_of(embedded, split)
    assert np.bincount(found.categories).tolist() == classes
    assert len(found) == sum(classes) * PICTURES
    original = stand_in(split)
    assert {len(m) for m in found.members} == {len(m) for m in original.members}


@pytest.mark.parametrize(("C", "G", "split"), [(2, 5, "evaluation"), (8, 5, "all"), (2, 10, "evaluation")])
def test__measure__categories_that_have_features_of_their_own__every_method_is_right(embedded, C, G, split):
    found = measure(embedded, C, G, split, 0, 2, seed=0)
    assert found.keys() == METHODS.keys()
    assert all(values.tolist() == [100.0, 100.0] for values in found.values())


def test__measure__categories_that_mean_nothing__no_method_knows_them(embedded):
    noise = embedded["features"].float().normal_(generator=torch.Generator().manual_seed(0)).half()
    found = measure(embedded | {"features": noise}, 2, 5, "evaluation", 0, 6, seed=0)
    assert all(abs(values.mean() - 50) < 10 for values in found.values())


def test__measure__in_blocks__the_same_tasks(embedded):
    noise = embedded["features"].float().normal_(generator=torch.Generator().manual_seed(0)).half()
    facts = {"embedded": embedded | {"features": noise}, "C": 2, "G": 5, "split": "evaluation", "seed": 4}
    whole = measure(**facts, start=0, stop=3)
    parts = [measure(**facts, start=0, stop=1), measure(**facts, start=1, stop=3)]
    for label, values in whole.items():
        assert torch.equal(values, torch.cat([part[label] for part in parts]))


def test__methods__control__differs_from_ours_by_the_selection_alone():
    ours, control = METHODS["FS+MN"].method, METHODS["MN, standardised"].method
    assert ours.classifier == control.classifier
    assert replace(ours.selection, scorer=control.selection.scorer) == control.selection


def test__methods__authors__are_the_protocols():
    found = METHODS["FS+MN, authors'"].method
    assert found.selection.scorer == AttentionScorer(1.0, 5, "cosine", "std")
    assert (found.selection.rescale, found.selection.standardised, found.selection.eps) == ("square-root", False, 0.1)
    for label in ("FS+MN, authors'", "MN, authors'"):
        classifier = METHODS[label].method.classifier
        assert (classifier.similarity, classifier.temperature) == ("cosine", 1.0)
