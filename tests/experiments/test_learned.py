"""Jobs that the tables on pictures have in common."""

from dataclasses import replace

import pytest

from polythetic.experiments.learned import OWN, measuring, training
from tests.experiments.tiny import TINY

HEADS = {"PN": OWN, "R+MN*": {"name": "R+MN", "variant": "ours"}, "MN*": {"name": "MN", "variant": "ours"}}


@pytest.mark.parametrize(("side_tasks", "refined"), [(250, 1), (500, 2), (600, 3)])
def test__measuring__heads_that_refine__are_put_to_the_first_tasks_alone(side_tasks, refined):
    budget = replace(TINY, picture_tasks=600, side_tasks=side_tasks)
    run = training("omniglot-characters", "PN", tasks=2)
    jobs = list(measuring("cell", [run], "omniglot-characters", {}, HEADS, budget, 0).values())
    assert [(job.arguments["start"], job.arguments["stop"]) for job in jobs] == [(0, 250), (250, 500), (500, 600)]
    assert ["R+MN*" in job.arguments["heads"] for job in jobs] == [True] * refined + [False] * (3 - refined)
    assert all({"PN", "MN*"} <= job.arguments["heads"].keys() for job in jobs)
    if refined < 3:
        assert jobs[0].cost > jobs[-1].cost * 250 / 100


def test__beside__is_never_more_than_the_tables_have():
    assert replace(TINY, picture_tasks=9, side_tasks=5).beside.picture_tasks == 5
    assert replace(TINY, picture_tasks=3, side_tasks=5).beside.picture_tasks == 3
