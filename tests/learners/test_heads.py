"""Heads by name, variant, similarity and rounds."""

import pytest
import torch
from torch.testing import assert_close

from polythetic.errors import InputError
from polythetic.learners.heads import SIMILARITIES, VARIANTS, head_named

GENERATOR = torch.Generator().manual_seed(0)
SUPPORT = torch.randn(30, 6, generator=GENERATOR) * torch.arange(1.0, 7.0) + 2
QUERY = torch.randn(9, 6, generator=GENERATOR) * torch.arange(1.0, 7.0) + 2
LABELS = torch.arange(30) % 3


def probabilities(**head):
    return head_named(**head)(SUPPORT, LABELS, QUERY).exp()


@pytest.mark.parametrize("variant", VARIANTS)
def test__head__its_own_similarity_and_rounds_asked_for__is_the_usual_one(variant):
    usual = {"ours": "euclidean", "authors": "cosine"}[variant]
    assert head_named("MN", variant, similarity=usual) == head_named("MN", variant)
    assert head_named("FS+MN", variant, similarity="euclidean", repeats=2) == head_named("FS+MN", variant)
    assert head_named("FS+NN", variant, repeats=2) == head_named("FS+NN", variant)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("similarity", SIMILARITIES)
@pytest.mark.parametrize("repeats", [0, 5])
def test__head__similarity_and_rounds__are_those_asked_for(variant, similarity, repeats):
    method = head_named("FS+MN", variant, similarity=similarity, repeats=repeats)
    assert method.classifier.similarity == similarity
    assert method.selection.scorer.repeats == repeats
    assert method.selection.scorer.similarity == {"euclidean": "dot", "cosine": "cosine"}[similarity]
    assert_close(method(SUPPORT, LABELS, QUERY).exp().sum(-1), torch.ones(9))


def test__head__authors_cosine__is_as_their_code_has_it():
    method = head_named("FS+MN", "authors", similarity="cosine")
    scorer, selection = method.selection.scorer, method.selection
    assert (scorer.similarity, scorer.temperature, scorer.repeats, scorer.dispersion) == ("cosine", 1.0, 5, "std")
    assert (selection.rescale, selection.eps, selection.standardised) == ("square-root", 0.1, False)
    assert (method.classifier.similarity, method.classifier.temperature) == ("cosine", 1.0)


def test__head__ours_without_rounds__selects_nothing():
    """The standard deviation of standardised features is 1, whatever they are."""
    for similarity in SIMILARITIES:
        off = probabilities(name="FS+MN", similarity=similarity, selects=False)
        assert_close(probabilities(name="FS+MN", similarity=similarity, repeats=0), off, rtol=1e-4, atol=1e-6)


def test__head__authors_without_rounds__selects_all_the_same():
    """The mean absolute value of standardised features is not 1, and differs from feature to feature."""
    off, none = ({"name": "FS+MN", "variant": "authors", **how} for how in ({"selects": False}, {"repeats": 0}))
    assert (probabilities(**off) - probabilities(**none)).abs().max() > 0.01


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"name": "MN", "repeats": 2}, "repeats = 2: expected a method that selects, FS\\+MN say; MN does not"),
        ({"name": "PN", "selects": False}, "selects = False: expected a method that selects"),
        ({"name": "PN", "similarity": "cosine"}, "'PN': expected one of MN, FS\\+MN"),
        ({"name": "MN", "similarity": "dot"}, "similarity = 'dot': expected one of euclidean, cosine"),
        ({"name": "FS+MN", "repeats": -1}, "repeats = -1: expected a whole number of at least 0"),
    ],
)
def test__head__option_that_it_has_not__names_argument_value_and_remedy(options, message):
    with pytest.raises(InputError, match=message):
        head_named(**options)
