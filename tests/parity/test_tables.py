"""What the tables count and look up is what going through all sets finds."""

import math
from itertools import combinations

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from polythetic.parity import tables
from polythetic.parity.bits import Bits
from polythetic.parity.sets import Best, best_pairs, polished
from polythetic.parity.tables import Tables, looked_up
from tests.parity.strings import flipped, strings, xor


def bits_of(x, labels):
    return Bits.of(x, labels, None)


def test__ones__any_number_of_62_bits__as_python_counts_them():
    codes = [0, 1, 2**62 - 1, *np.random.default_rng(0).integers(2**62, size=50).tolist()]
    assert tables._ones(np.array(codes)).tolist() == [code.bit_count() for code in codes]


def test__codes__xor_of_features__has_the_xor_of_their_codes():
    bits = bits_of(x := strings(40, 6), xor(x, 3))
    codes = Tables(bits, 2, seed=0)._codes(np.arange(3), np.random.default_rng(0).random((1, 12)))
    assert (codes[:, 0] ^ codes[:, 1] ^ codes[:, 2] == codes[:, -1]).all()
    assert (codes[:, 6] == 0).all()


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
        Tables, "_collisions", lambda self, whose, rows: made.append(len(whose)) or collisions(self, whose, rows)
    )
    x = strings(40, 20, tasks=1)
    bits = bits_of(x, torch.randint(2, (1, 40), generator=torch.Generator().manual_seed(0)))
    monkeypatch.setattr(tables, "LOOKED_UP", 16)  # for each of 40 rows; a table has 210 sets
    looked_up(bits, Best.none(bits), seed=0, until=math.inf)
    assert sum(made) == 3


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
    tables_made = torch.full((40,), wrong + 1)
    best = made.best(Best.none(bits), tables_made)
    assert (best.members.sort().values[:, :4] == torch.arange(4)).all(-1).double().mean() > 0.95


def test__tables__rows__have_none_in_common_until_all_are_used():
    bits = bits_of(x := strings(40, 16, tasks=2), xor(x, 3))
    made = Tables(bits, 2, seed=0)
    apart = 40 // (made._k + 1)
    rows = (made._rows(np.zeros(apart, dtype=np.int64), np.arange(apart)) * 40).astype(int).flatten()
    assert apart == 3
    assert len(np.unique(rows)) == len(rows)


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
