"""What the tables count and look up is what going through all sets finds."""

import math
from itertools import combinations
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from polythetic.parity import tables
from polythetic.parity.bits import Bits
from polythetic.parity.codes import sets_in
from polythetic.parity.sets import Best, best_pairs, polished
from polythetic.parity.tables import Tables, looked_up
from tests.parity.strings import flipped, strings, xor


def bits_of(x, labels):
    return Bits.of(x, labels, None)


def test__collisions__whatever_was_in_memory__are_the_same(monkeypatch):
    bits = bits_of(x := strings(60, 12), flipped(xor(x, 4), 0.1))
    found = []
    for chance in map(np.random.default_rng, range(3)):
        memory = {"empty": lambda size, dtype, chance=chance: chance.integers(-9, 99, size).astype(dtype)}
        monkeypatch.setattr(tables, "np", SimpleNamespace(**(vars(np) | memory)))
        found.append([part.tolist() for part in Tables(bits, 2, seed=0)._collisions(np.arange(3), range(3))])
    assert found[0] == found[1] == found[2]
    assert found[0][0]


def explained_most(bits, task, sizes):
    """Go through all sets, and return the members of the one that explains most, beyond naming it."""
    F = bits.x.shape[1] - 1
    sets = [[*members, *[F] * (5 - size)] for size in sizes for members in combinations(range(F), size)]
    best = Best.none(bits).improved(bits, torch.full((len(sets),), task), torch.tensor(sets))
    return set(best.members[task].tolist()) - {F}, best.nats[task]


@pytest.mark.parametrize("alpha", [3, 4, 5])
def test__looked_up__what_chance_cannot_do__is_the_best_of_all_sets(alpha):
    x = strings(50, 14, tasks=4)
    bits = bits_of(x, flipped(xor(x, alpha), 0.05))
    best = looked_up(bits, Best.none(bits), seed=0, until=math.inf)
    for task in range(4):
        members, nats = explained_most(bits, task, range(1, 6))
        assert set(best.members[task].tolist()) - {14} == members == set(range(alpha))
        assert_close(best.nats[task], nats)


def test__best_pairs__skewed_bits_and_classes__are_those_of_going_through_all():
    chance = torch.Generator().manual_seed(0)
    x = (torch.rand(3, 80, 12, generator=chance) < 0.3).double()
    labels = flipped((x[..., 0] * x[..., 1]).long(), 0.1)
    best = best_pairs(bits_of(x, labels))
    for task in range(3):
        assert_close(best.nats[task], explained_most(bits_of(x, labels), task, (1, 2))[1])


def test__tables__work_that_is_left__bounds_how_many_are_made(monkeypatch):
    made = []
    collisions = Tables._collisions
    monkeypatch.setattr(
        Tables,
        "_collisions",
        lambda self, tasks, numbers: made.append(len(tasks) * len(numbers)) or collisions(self, tasks, numbers),
    )
    x = strings(40, 20, tasks=1)
    bits = bits_of(x, torch.randint(2, (1, 40), generator=torch.Generator().manual_seed(0)))
    fours, fives = (sets_in(21, size) for size in (2, 3))
    monkeypatch.setattr(tables, "_budget", lambda bits: torch.tensor([3 * fours + fives]))
    looked_up(bits, Best.none(bits), seed=0, until=math.inf)
    assert sum(made) == 4  # one of each, and two more of fours


def test__looked_up__no_time_left__leaves_what_is_known():
    x = strings(40, 20)
    bits = bits_of(x, xor(x, 4))
    assert not looked_up(bits, Best.none(bits), seed=0, until=-math.inf).sure().any()


def test__tables__rare_bits_and_a_rare_class__hardly_any_set_is_looked_at_closely(monkeypatch):
    chance = torch.Generator().manual_seed(0)
    x, labels = (torch.rand(1, 300, 60, generator=chance) < 0.03).double(), torch.rand(1, 300, generator=chance) < 0.05
    looked_at = []
    explained = Bits.explained
    monkeypatch.setattr(
        Bits, "explained", lambda self, tasks, *rest: looked_at.append(len(tasks)) or explained(self, tasks, *rest)
    )
    bits = bits_of(x, labels.long())
    looked_up(bits, Best.none(bits), seed=0, until=math.inf)
    assert 0 < sum(looked_at) < 20_000  # of millions


def test__polished__a_member_that_is_nearly_right__is_changed_for_the_right_one():
    x = strings(60, 8)
    labels = xor(x, 3)
    x[..., 7] = flipped(x[..., 2].long(), 0.2).double()
    bits = bits_of(x, labels)
    nearly = Best.none(bits).improved(bits, torch.arange(3), torch.tensor([[0, 1, 7]]).expand(3, 3))
    better = polished(bits, nearly)
    assert [set(members) - {8} for members in better.members.tolist()] == [{0, 1, 2}] * 3
    assert (better.nats > nearly.nats).all()


@pytest.mark.parametrize("wrong", [0, 1, 2])
def test__tables__fewer_wrong_labels_than_tables_without_a_row_in_common__miss_no_set(wrong):
    x = strings(40, 16, tasks=40)
    labels = xor(x, 4)
    chance = np.random.default_rng(0)
    for task in range(40):
        at = chance.choice(40, wrong, replace=False)
        labels[task, at] = 1 - labels[task, at]
    bits = bits_of(x, labels)
    made = Tables(bits, 2, seed=0)
    best = made.improved(Best.none(bits), bits.suited, 0, torch.full((40,), wrong + 2), until=math.inf)
    assert (best.members.sort().values[:, :4] == torch.arange(4)).all(-1).double().mean() > 0.95


def test__rows__of_tables_that_follow_each_other__have_none_in_common_until_all_are_used():
    rows = [tables._rows(40, 10, 4, number, (0,)) for number in range(4)]
    assert len({row for its in rows for row in its[:10].tolist()}) == 40
    assert all(sorted(its[:40].tolist()) == list(range(40)) for its in rows)  # the others are all there
    assert all(set(its[40:].tolist()) == {its[0]} for its in rows)
    many = tables._rows(1000, 10, 4, 0, (0,))
    assert len(set(many.tolist())) == len(many) == 10 + tables.CHECKED


def test__tables__a_set_that_could_never_be_sure__is_not_looked_for():
    bits = bits_of(x := strings(16, 40), xor(x, 4))
    assert (Tables(bits, 3, seed=0).enough == 0).all()  # 16 ln 2 is less than it takes to name five of forty


@pytest.mark.parametrize("rows", [126, 252, 504])
def test__looked_up__classes_in_alternate_rows__finds_the_set(rows):
    x = strings(rows, 20)
    x[..., 0] = (x[..., 1:4].sum(-1) + torch.arange(rows)) % 2
    bits = bits_of(x, torch.arange(rows).expand(3, -1) % 2)
    members = looked_up(bits, Best.none(bits), seed=0, until=math.inf).members
    assert [set(part) - {20} for part in members.tolist()] == [{0, 1, 2, 3}] * 3


def test__looked_up__few_rows_beside_many__are_looked_at_as_if_alone():
    x = strings(300, 14, tasks=40)
    few, labels = torch.arange(300) < 40, flipped(xor(x, 4), 0.15)
    mask = few.repeat(40, 1)
    mask[0] = True
    together = looked_up(bits := Bits.of(x, labels, mask), Best.none(bits), seed=0, until=math.inf)
    alone = looked_up(bits := bits_of(x[1:, few], labels[1:, few]), Best.none(bits), seed=0, until=math.inf)
    assert_close(together.of_tasks(torch.arange(1, 40)), alone)
    assert 0 < alone.sure().sum() < 39
