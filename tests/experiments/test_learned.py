"""Jobs that the tables on pictures have in common."""

from dataclasses import replace

from polythetic.experiments.learned import OWN, measuring, training
from tests.experiments.tiny import TINY

HEADS = {"PN": OWN, "R+MN*": {"name": "R+MN", "variant": "ours"}, "MN*": {"name": "MN", "variant": "ours"}}


def test__measuring__puts_every_head_to_every_block_and_refining_costs():
    budget = replace(TINY, picture_tasks=600, side_tasks=250)
    run = training("omniglot-characters", "PN", tasks=2)

    def jobs(heads):
        return list(measuring("cell", [run], "omniglot-characters", {}, heads, budget, 0).values())

    made = jobs(HEADS)
    assert [(job.arguments["start"], job.arguments["stop"]) for job in made] == [(0, 250), (250, 500), (500, 600)]
    assert all(job.arguments["heads"] == HEADS for job in made)
    plain = jobs({**HEADS, "R+MN*": HEADS["MN*"]})
    assert all(refined.cost > other.cost for refined, other in zip(made, plain, strict=True))


def test__beside__is_never_more_than_the_tables_have():
    assert replace(TINY, picture_tasks=9, side_tasks=5).beside.picture_tasks == 5
    assert replace(TINY, picture_tasks=3, side_tasks=5).beside.picture_tasks == 3
