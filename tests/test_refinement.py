"""Refinement finds patterns that Algorithm 1 does not, task by task alike, and says little where there is little."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from polythetic import likelihood, refinement, views
from polythetic.belief import Judge, kept, naming
from polythetic.classifiers import method_named
from polythetic.episodes import BooleanTasks
from polythetic.errors import InputError, SingleRowClassWarning
from polythetic.evaluation import evaluate
from polythetic.likelihood import Rows
from polythetic.refinement import RefinedScorer
from polythetic.selection import AttentionScorer, Scorer, SpreadScorer
from polythetic.views import Views

QUICK = RefinedScorer(starts=2, steps=20)


def xor(rows, n, alpha, tasks=4, seed=0, blur=1e-9):
    """Bits, a little blurred: of exact ones ``parity`` would find the XOR, and nothing would be left to climb for."""
    chance = torch.Generator().manual_seed(seed)
    x = torch.randint(2, (tasks, rows, n), generator=chance).double() * 2 - 1
    labels = (x[..., :alpha].prod(-1) > 0).long()
    return x + blur * torch.randn(x.shape, generator=torch.Generator().manual_seed(seed)).double(), labels


def standardised(x):
    return (x - x.mean(-2, keepdim=True)) / x.std(-2, keepdim=True, unbiased=False)


def share_found(scores, alpha):
    return (scores.topk(alpha).indices < alpha).double().mean().item()


def test__refined_scorer__is_a_scorer_that_asks_for_the_spread():
    assert isinstance(RefinedScorer(), Scorer)
    assert isinstance(RefinedScorer(), SpreadScorer)
    assert not isinstance(AttentionScorer(), SpreadScorer)


@pytest.mark.parametrize(("rows", "n", "alpha"), [(40, 10, 3), (40, 20, 3), (64, 50, 2), (128, 50, 3)])
def test__refined_scorer__irrelevant_features__finds_those_that_matter(rows, n, alpha):
    x, labels = xor(rows, n, alpha)
    scores = RefinedScorer()(standardised(x), labels)
    assert share_found(scores, alpha) == 1
    assert scores[:, alpha:].max() < 0.5 * scores[:, :alpha].min()


def test__refined_scorer__where_algorithm_1_is_lost__is_not():
    x, labels = xor(128, 50, 3)
    assert share_found(AttentionScorer()(standardised(x), labels), 3) < 0.5
    assert share_found(RefinedScorer()(standardised(x), labels), 3) == 1


def test__refined_scorer__noise_in_the_labels__still_finds_them():
    x, labels = xor(200, 20, 3)
    wrong = torch.rand(labels.shape, generator=torch.Generator().manual_seed(1)) < 0.1
    assert share_found(RefinedScorer()(standardised(x), torch.where(wrong, 1 - labels, labels)), 3) == 1


def test__refined_scorer__few_rows_some_of_them_wrong__finds_more_with_doubt_than_without(monkeypatch):
    x, labels = xor(40, 20, 2, tasks=12, seed=1)
    labels[:, :4] = 1 - labels[:, :4]
    assert share_found(RefinedScorer()(standardised(x), labels), 2) >= 0.95
    monkeypatch.setattr(likelihood, "DOUBT", 0.0)
    assert share_found(RefinedScorer()(standardised(x), labels), 2) < 0.8


@pytest.mark.parametrize(("design", "least"), [("balanced", 99.5), ("iid", 97.0)])
def test__r_mn__boolean_tasks__is_ahead_of_fs_mn(design, least):
    tasks = BooleanTasks(n=10, alpha=3, design=design)
    found = evaluate({name: method_named(name) for name in ("R+MN", "FS+MN")}, tasks, tasks=30, seed=5)
    assert found["R+MN"].mean >= least
    assert found["R+MN"].mean > found["FS+MN"].mean


def test__refined_scorer__tasks_side_by_side__as_if_each_were_alone(monkeypatch):
    x, labels = xor(20, 8, 2, tasks=6, seed=3)
    together = RefinedScorer()(standardised(x), labels)
    assert_close(together, torch.stack([RefinedScorer()(standardised(x)[i], labels[i]) for i in range(6)]))
    monkeypatch.setattr(refinement, "AT_ONCE", 1)
    assert_close(together, RefinedScorer()(standardised(x), labels))


def test__refined_scorer__padding__changes_nothing():
    x, labels = xor(20, 6, 2, tasks=1)
    z = standardised(x)
    mask = torch.arange(25) < 20
    padded, more = torch.cat([z, 7 * torch.ones(1, 5, 6).double()], 1), torch.cat([labels, labels[:, :5]], 1)
    assert_close(QUICK(padded, more, mask[None]), QUICK(z, labels))


def test__refined_scorer__rows_or_features_in_another_order__the_same_scores():
    x, labels = xor(24, 6, 2, tasks=1)
    z, rows, features = standardised(x), torch.randperm(24), torch.randperm(6)
    scores = QUICK(z, labels)  # from starts that chance has no part in
    assert_close(QUICK(z[:, rows], labels[:, rows]), scores)
    assert_close(QUICK(z[..., features], labels), scores[:, features])


def test__refined_scorer__constant_features__score_nothing():
    x, labels = xor(20, 5, 2, tasks=1)
    z = standardised(x)
    z[..., 3] = 0
    scores = QUICK(z, labels)
    assert scores[0, 3] == 0
    assert (scores[0, :2] > 0).all()


def test__refined_scorer__one_row_alone_or_beside_padding__scores_nothing():
    assert torch.equal(RefinedScorer()(torch.zeros(1, 4), torch.tensor([3])), torch.zeros(4))
    x, labels = xor(20, 4, 2, tasks=2)
    mask = torch.ones(2, 20, dtype=torch.bool)
    mask[1, 1:] = False
    z = torch.stack([standardised(x[0]), torch.zeros(20, 4).double()])
    scores = QUICK(z, labels, mask)
    assert torch.equal(scores[1], torch.zeros(4).double())
    assert_close(scores[0], QUICK(z[0], labels[0]))


def test__refined_scorer__one_class__scores_alike():
    z = standardised(torch.randn(1, 6, 4, generator=torch.Generator().manual_seed(0)))
    scores = QUICK(z, torch.zeros(1, 6, dtype=torch.int64))
    assert_close(scores, scores.mean(-1, keepdim=True).expand_as(scores))


def test__refined_scorer__a_row_a_class__warns_and_scores_alike():
    z = standardised(torch.randn(1, 6, 4, generator=torch.Generator().manual_seed(0)))
    with pytest.warns(SingleRowClassWarning):
        scores = QUICK(z, torch.arange(6)[None])
    assert_close(scores, scores.mean(-1, keepdim=True).expand_as(scores))


def test__refined_scorer__own_units_that_tell_more__are_kept():
    chance = np.random.default_rng(0)
    labels = np.repeat([0, 1], 10)
    signal = labels[:, None] * 4.0 + chance.normal(size=(20, 2))
    x = np.concatenate([signal, 0.01 * chance.normal(size=(20, 30))], 1)  # thirty that only standardising makes loud
    scores = method_named("R+MN").selection.scores(*(torch.from_numpy(a) for a in (x, labels, x)))
    assert scores[:2].min() > 5 * scores[2:].max()


@pytest.mark.parametrize(
    ("loud", "faint", "counts"),
    [(1, 7, False), (2, 7, True), (1, 400, False), (40, 400, True)],  # one as square millimetres beside ratios
)
def test__judge__own_units_that_tell_more__count_unless_one_column_is_alone_in_them(loud, faint, counts):
    labels = torch.arange(2).repeat_interleave(5)[None]
    noise = torch.randn(1, 10, loud + faint, generator=torch.Generator().manual_seed(0)).double()
    z = standardised(torch.cat([noise[..., :loud] + 4 * labels[..., None], noise[..., loud:]], -1))
    spread = torch.tensor([[1000.0] * loud + [1.0] * faint]).double()
    flat = Judge.of(Rows.of(z, labels), spread).flat[0]
    assert flat.min() > 0
    assert bool(flat.max() > 100 * flat.min()) == counts


@pytest.fixture
def few_are_many(monkeypatch):
    for module in (refinement, views, likelihood):
        monkeypatch.setattr(module, "MANY_ROWS", 64)
    monkeypatch.setattr(views, "ASKED", 32)
    monkeypatch.setattr(views, "JUDGED", 64)


@pytest.fixture
def asked(monkeypatch):
    """How many rows each step asked."""
    counts = []

    def at(views, step, at=Views.at):
        rows = at(views, step)
        counts.append(rows.same.shape[-2])
        return rows

    monkeypatch.setattr(Views, "at", at)
    return counts


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize("largest", [2**22, 64 * 100])  # then all are asked, or some of them
def test__refined_scorer__more_rows_than_are_all_asked__finds_them_all_the_same(monkeypatch, largest):
    monkeypatch.setattr(views, "SEEN", 300)
    monkeypatch.setattr(views, "LARGEST", largest)
    x, labels = xor(400, 10, 2, tasks=2)
    assert share_found(RefinedScorer()(standardised(x), labels), 2) == 1


@pytest.mark.usefixtures("few_are_many")
@pytest.mark.parametrize(("alpha", "counts"), [(2, {32}), (8, {32, 200})])  # plain; and hopeless with so few rows
def test__refined_scorer__a_first_look__is_all_that_is_taken_where_it_convinces(asked, alpha, counts):
    x, labels = xor(200, 16, alpha, tasks=1)
    RefinedScorer()(standardised(x), labels)
    assert set(asked) == counts


@pytest.mark.usefixtures("few_are_many")
def test__refined_scorer__padding_of_many_rows__changes_nothing():
    x, labels = xor(40, 6, 2, tasks=2)
    z, mask = standardised(x), torch.arange(90) < 40
    padded, more = torch.cat([z, 7 * torch.ones(2, 50, 6).double()], 1), torch.cat([labels, labels, labels], 1)[:, :90]
    assert_close(QUICK(padded, more, mask.expand(2, 90)), QUICK(z, labels))


@pytest.mark.usefixtures("few_are_many")
def test__refined_scorer__many_rows_unrolled__the_same_scores(asked):
    x, labels = xor(100, 6, 2, tasks=1)
    unrolled = replace(QUICK, unrolled=True)(standardised(x), labels)
    assert set(asked) == {100}  # no first look: the climb is had again
    assert_close(unrolled, QUICK(standardised(x), labels), rtol=0.1, atol=0.02)


def test__refined_scorer__no_time_left__has_the_first_wave(monkeypatch):
    x, labels = xor(20, 30, 4, tasks=1)  # hopeless: all waves are wanted
    z = standardised(x)
    first = RefinedScorer(starts=2)(z, labels)
    assert_close(RefinedScorer(seconds=1e-9)(z, labels), first)
    assert not torch.equal(RefinedScorer()(z, labels), first)


def test__refined_scorer__no_time_left_in_a_later_wave__takes_no_further_step(monkeypatch):
    x, labels = xor(20, 30, 4, tasks=1)
    steps = []
    monkeypatch.setattr(Views, "at", lambda views, step, at=Views.at: steps.append(step) or at(views, step))
    now = iter(range(10_000))
    monkeypatch.setattr(refinement.time, "monotonic", lambda: next(now))
    RefinedScorer(seconds=60)(standardised(x), labels)  # of a clock that is looked at once a step: 40, and some
    taken = [step for step in steps if step]  # the judge looks once before the first
    assert taken[:40] == list(range(1, 41))
    assert 0 < len(taken) - 40 < 40


def test__refined_scorer__unrolled__the_climb_has_the_gradient_of_finite_differences():
    x, labels = xor(12, 4, 2, tasks=1, seed=4)
    z = standardised(x) + 0.1 * torch.randn(1, 12, 4, generator=torch.Generator().manual_seed(1)).double()
    start, scorer = torch.full((1, 1, 4), 0.7, dtype=torch.float64), RefinedScorer(steps=5)

    def climbed(z):
        return scorer._climb(Views(z, labels, None, 0), start, unrolled=True).w[0, 0, 0]

    (gradient,) = torch.autograd.grad(climbed(z.requires_grad_()), z)
    bump = torch.zeros_like(z)
    bump[0, 2, 0] = 1e-6
    slope = (climbed(z + bump) - climbed(z - bump)) / 2e-6
    assert slope.abs() > 1e-4
    assert slope.item() == pytest.approx(gradient[0, 2, 0].item(), rel=1e-3)


def test__refined_scorer__unrolled__the_same_scores_and_a_gradient():
    x, labels = xor(20, 6, 2, tasks=2)
    z = standardised(x).requires_grad_()
    scores = replace(QUICK, unrolled=True)(z, labels)
    assert_close(scores, QUICK(z, labels), rtol=1e-6, atol=1e-6)
    (gradient,) = torch.autograd.grad(scores.sum(), z)
    assert gradient.isfinite().all()
    assert gradient.abs().max() > 0


def test__refined_scorer__detached__counts_as_given():
    x, labels = xor(12, 4, 2, tasks=1)
    z = standardised(x).requires_grad_()
    scores = QUICK(z, labels)
    assert not scores.requires_grad
    (gradient,) = torch.autograd.grad((scores[:, None] * z).square().sum(), z)  # as what comes after takes them
    assert_close(gradient, 2 * scores[:, None].square() * z.detach())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"starts": 0}, "starts = 0"),
        ({"steps": 0}, "steps = 0"),
        ({"rate": 0.0}, "rate = 0.0: expected a finite number above 0"),
        ({"rate": float("inf")}, "rate = inf"),
        ({"penalty": -1.0}, "penalty = -1.0: expected a finite number of at least 0"),
        ({"seconds": 0.0}, "seconds = 0.0"),
    ],
)
def test__refined_scorer__impossible_options__are_named(options, message):
    with pytest.raises(InputError, match=message):
        RefinedScorer(**options)


def test__kept__whatever_the_size__counts_features():
    assert_close(kept(torch.tensor([3.0, 3.0, 3.0, 0.0])), torch.tensor(3.0))
    assert_close(kept(torch.zeros(4)), torch.tensor(0.0))


def test__naming__all_or_one_of_many__takes_at_least_the_naming_of_one():
    assert_close(naming(torch.tensor([5.0, 1.0]), torch.tensor([5.0, 5.0])), torch.tensor([5.0, 5.0]).log())
