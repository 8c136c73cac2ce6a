"""The work of App. G: the same whoever does it, in whatever blocks."""

import torch

from polythetic.jobs.pretraining import Pretraining, count_named, learn_to_name, measure_answers, measure_truth

SETTINGS = Pretraining(batches=2, batch_size=4)
HEADS = {"PN": {"name": "PN"}, "FS+MN": {"name": "FS+MN"}}


def test__learning__again__gives_the_same_weights_and_another_seed_others():
    first, again, other = (learn_to_name(settings) for settings in (SETTINGS, SETTINGS, Pretraining(2, 4, seed=1)))
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["head.1.weight"], other["head.1.weight"])


def test__answers__in_blocks__are_those_of_one_go():
    weights = learn_to_name(SETTINGS)
    given = {"read_outs": ("softmax", "sigmoid"), "heads": HEADS, "polythetic": 1.0}
    whole = measure_answers(weights, SETTINGS, **given, start=0, stop=3)
    first, second = (measure_answers(weights, SETTINGS, **given, start=a, stop=b) for a, b in ((0, 2), (2, 3)))
    assert whole.keys() == {f"{read_out} {head}" for read_out in ("softmax", "sigmoid") for head in HEADS}
    for label, accuracies in whole.items():
        assert torch.equal(accuracies, torch.cat([first[label], second[label]]))


def test__truth__polythetic__is_solved_by_selection():
    found = measure_truth(HEADS, 1.0, 0, 2)
    assert (found["truth FS+MN"] > 95).all()


def test__naming__gives_a_share_for_every_picture():
    found = count_named(learn_to_name(SETTINGS), SETTINGS, examples=5)
    assert {name: tuple(shares.shape) for name, shares in found.items()} == {"digits": (5,), "colours": (5,)}
    assert all(set(shares.tolist()) <= {0.0, 25.0, 50.0, 75.0, 100.0} for shares in found.values())
