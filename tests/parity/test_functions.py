"""The bits that the class is a function of are those that going through all sets finds."""

import math
from itertools import combinations
from math import comb, log

import pytest
import torch
from scipy.special import betaln
from torch.testing import assert_close

from polythetic.parity import functions, parities
from polythetic.parity.bits import Bits
from polythetic.parity.functions import _Measure, deciding
from polythetic.parity.sets import Best
from polythetic.refinement import RefinedScorer
from tests.parity.strings import flipped, strings, xor


def found_in(x, labels):
    bits = Bits.of(x, labels, None)
    return deciding(bits, torch.ones(len(x), dtype=torch.bool), Best.none(bits))


def explains(x, labels, members):
    """What the cells of some bits make of the classes, by the book: nats beyond one cell, less those to name them."""

    def likely(y):
        return betaln(float(y.sum()) + 1, float(len(y) - y.sum()) + 1)

    cells = (x[:, list(members)] * 2 ** torch.arange(len(members))).sum(-1)
    apart = sum(likely(labels[cells == cell]) for cell in cells.unique())
    return apart - likely(labels) - log(max(comb(x.shape[1], len(members)), x.shape[1]))


FUNCTIONS = {
    "one": (1, lambda x: x[..., 0]),
    "and": (3, lambda x: x[..., :3].prod(-1)),
    "majority": (3, lambda x: x[..., :3].sum(-1) > 1),
    "switch": (3, lambda x: torch.where(x[..., 0] > 0, x[..., 1], x[..., 2])),
    "overruled": (3, lambda x: torch.maximum(xor(x, 2), x[..., 2].long())),
    "xor": (2, lambda x: xor(x, 2)),
}


@pytest.mark.parametrize("noise", [0, 0.1])
@pytest.mark.parametrize("name", FUNCTIONS)
def test__deciding__functions_of_up_to_three_bits__is_the_best_of_all_sets(name, noise):
    size, function = FUNCTIONS[name]
    x = strings(120, 9)
    labels = flipped(function(x).long(), noise)
    best = found_in(x, labels)
    for task in range(3):
        every = [set_ for k in range(1, 6) for set_ in combinations(range(9), k)]
        nats, members = max((explains(x[task], labels[task], set_), set_) for set_ in every)
        assert set(best.members[task].tolist()) - {9} == set(members) == set(range(size))
        assert_close(best.nats[task].item(), nats, atol=1e-3, rtol=1e-4)


@pytest.mark.parametrize("few", [0, 500])
def test__likely__cells_of_many_rows_or_few__are_as_by_the_book(few, monkeypatch):
    monkeypatch.setattr(functions, "FEW_ROWS", few)
    x = strings(60, 4)
    bits = Bits.of(x, xor(x, 2), None)
    likely = functions._Likely(bits)
    ones, rows = torch.tensor([0.0, 3.0, 20.0, 60.0]), torch.tensor([0.0, 7.0, 41.0, 60.0])
    cells = torch.stack([ones * likely.weights.max(), rows - ones]).sum(0)  # a one weighs most, another row 1
    assert_close(
        likely(cells), torch.from_numpy(betaln((ones + 1).numpy(), (rows - ones + 1).numpy())), atol=1e-4, rtol=1e-4
    )


def test__deciding__classes_by_chance__next_to_nothing_is_explained():
    x = strings(60, 30, tasks=60)
    labels = torch.randint(2, (60, 60), generator=torch.Generator().manual_seed(5))
    assert (found_in(x, labels).nats > 3).sum() <= 2


def test__deciding__two_bits__are_all_that_can_grow():
    x = strings(40, 2)
    best = found_in(x, x.prod(-1).long())
    assert [set(members) - {2} for members in best.members.tolist()] == [{0, 1}] * 3


def test__deciding__an_xor_that_a_further_bit_overrules__is_grown_from_the_xor():
    x = strings(100, 30)
    labels = torch.minimum(xor(x, 3), x[..., 3].long())
    bits = Bits.of(x, labels, None)
    known = Best(torch.tensor([[0, 1, 2, 30, 30]]).expand(3, 5), torch.ones(3).double())
    members = deciding(bits, torch.ones(3, dtype=torch.bool), known).members
    assert [set(part) - {30} for part in members.tolist()] == [{0, 1, 2, 3}] * 3


def test__deciding__some_tasks__leaves_the_others():
    x = strings(60, 8)
    bits = Bits.of(x, x[..., :3].prod(-1).long(), None)
    best = deciding(bits, torch.tensor([True, False, True]), Best.none(bits))
    assert (best.nats > 0).tolist() == [True, False, True]
    assert set(best.members[1].tolist()) == {8}


def test__parities__a_majority__leads_to_its_bits_and_their_copies():
    x = strings(80, 12)
    x[..., 7] = x[..., 0]
    leads = parities(x, (x[..., :3].sum(-1) > 1).long()).leads
    assert_close(leads**2, torch.tensor([0.5, 1, 1, 0, 0, 0, 0, 0.5, 0, 0, 0, 0]).double().expand(3, 12))


def test__parities__few_labels_wrong_and_no_other_set_explains_more__is_certain():
    x = strings(40, 12, tasks=8)
    labels = xor(x, 2)
    labels[:, :4] = 1 - labels[:, :4]  # too few to tell by them alone
    found = parities(x, labels)
    assert found.certain.double().mean() >= 0.75
    assert_close(found.leads[found.certain], found.scales[found.certain])


def test__parities__a_part_of_the_pattern_that_goes_far__is_seldom_called_all_of_it():
    x = strings(60, 20, tasks=60)
    labels = torch.maximum(x[..., 0], x[..., 1] * x[..., 2]).long()  # the first feature is right in seven of eight rows
    assert parities(x, labels).certain.sum() <= 12
    labels = torch.where(x[..., 0] > 0, x[..., 1], x[..., 2]).long()
    assert parities(x, labels).certain.sum() <= 1


@pytest.mark.parametrize("usable", [2, 3, 4, 5])
def test__refined_scorer__constant_features_among_bits__have_no_score(usable):
    x = torch.cat([torch.zeros(20, 40, 3).double(), 2 * strings(40, usable, tasks=20) - 1], -1)
    labels = flipped((x[..., 3:5] > 0).all(-1).long(), 0.1)
    assert (RefinedScorer()(x, labels)[..., :3] == 0).all()
    assert (RefinedScorer()(x.flip(-1), labels)[..., -3:] == 0).all()


def test__parities__time_is_over__nothing_is_certain_but_what_needs_no_more():
    x = strings(40, 12, tasks=8)
    labels = xor(x, 2)
    labels[:, :4] = 1 - labels[:, :4]
    assert not parities(x, labels, until=-math.inf).certain.any()


def test__parities__unequal_rows_side_by_side__as_if_each_were_alone():
    x = strings(70, 10, tasks=4)
    labels = flipped((x[..., :3].sum(-1) > 1).long(), 0.1)
    mask = torch.arange(70) < torch.tensor([[70], [50], [31], [64]])
    together = parities(x, labels, mask)
    assert (together.leads > 0).any(-1).all()
    for i, rows in enumerate(mask.sum(-1).tolist()):
        for part, alone in zip(together, parities(x[i : i + 1, :rows], labels[i : i + 1, :rows]), strict=True):
            assert_close(part[i : i + 1], alone)


@pytest.mark.parametrize("rare", [0.3, 0.5])
def test__deciding__sets_that_no_bit_can_make_the_best__need_not_grow(rare, monkeypatch):
    chance = torch.Generator().manual_seed(0)
    x = (torch.rand(30, 40, 30, generator=chance) < rare).double()
    bits = Bits.of(x, flipped(xor(x, 5), 0.1), None)
    every, grown = torch.ones(30, dtype=torch.bool), []
    with_one_more = _Measure.with_one_more

    def counted(self, cells, sets):
        grown.append(sets.shape[0] * sets.shape[1] * (sets.shape[2] == 4))
        return with_one_more(self, cells, sets)

    monkeypatch.setattr(_Measure, "with_one_more", counted)
    best = deciding(bits, every, Best.none(bits))
    few = sum(grown)
    monkeypatch.setattr(_Measure, "at_most", lambda self, cells: torch.full(cells.shape[:2], torch.inf))
    assert_close(deciding(bits, every, Best.none(bits)), best)
    assert few < 30 * 8 / 2
    assert sum(grown) - few == 30 * 8
