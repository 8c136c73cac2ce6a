"""What the committed results must show of trained prototypes."""

import pytest

from tests.committed import rows

PROTOTYPES = [("table1", 18), ("appendix-a", 12)]


def prototypes(name, train_tasks):
    return [entry for entry in rows(name) if entry["method"] == "PN" and entry["train_tasks"] == train_tasks]


@pytest.mark.parametrize(("name", "cells"), PROTOTYPES)
def test__committed_prototypes__after_1000_tasks__are_within_five_points_of_the_paper(name, cells):
    compared = [entry for entry in prototypes(name, 1000) if entry["paper"] is not None]
    assert len(compared) == cells
    for entry in compared:
        assert abs(entry["mean"] - entry["paper"]) <= 5, entry


@pytest.mark.parametrize(("name", "cells"), PROTOTYPES)
def test__committed_prototypes__have_five_seeds_a_spread_and_10000_tasks_beside(name, cells):
    assert len([entry for entry in prototypes(name, 10_000) if entry["paper"] is not None]) == cells
    for entry in [*prototypes(name, 1000), *prototypes(name, 10_000)]:
        assert entry["train_seeds"] == 5
        assert entry["std"] >= 0
        assert entry["tasks"] == 1000


def test__appendix_a__training__helps_on_its_own_pairs_alone():
    at = {
        (e["setting"]["pairs"], e["setting"]["beta"], e["train_tasks"]): e["mean"]
        for e in rows("appendix-a")
        if (e["setting"]["embedding"], e["setting"]["design"]) == (100, "balanced")
    }
    for beta in (0, 1, 2):
        assert at["training", beta, 1000] > 95
        assert at["test", beta, 10_000] < at["test", beta, 1000] < at["test", beta, 0]


@pytest.mark.parametrize("design", ["balanced", "iid"])
def test__figure_3__fs_mn_on_n_bits__beats_prototypes_in_n2_dimensions(design):
    found = {}
    for entry in rows("figure3"):
        setting = entry["setting"]
        if entry["metric"] != "accuracy" or setting["design"] != design:
            continue
        if entry["method"] == "PN" and setting["embedding"] == setting["n"] ** 2:
            found.setdefault(("PN", setting["n"]), []).append(entry["mean"])
        elif (entry["method"], setting["variant"]) == ("FS+MN", "ours"):
            found["FS+MN", setting["n"]] = entry["mean"]
    for n in range(4, 21):  # below, both are all but perfect
        assert found["FS+MN", n] > max(found["PN", n])
    assert found["FS+MN", 10] > 95
