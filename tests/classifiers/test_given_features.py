"""SimpleShot and logistic regression: classifiers of features that are given."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import LogisticRegression as ScikitLearns
from sklearn.neighbors import NearestCentroid

from polythetic.classifiers import Method
from polythetic.classifiers.logistic import LogisticRegression
from polythetic.classifiers.simpleshot import SimpleShot
from polythetic.pipeline import Classifier

BOTH = {"SimpleShot": SimpleShot(), "logistic regression": LogisticRegression()}
both = pytest.mark.parametrize("classifier", BOTH.values(), ids=BOTH)


def task(rng, classes, features, *, tasks=(), rows=12):
    labels = torch.arange(classes).repeat_interleave(rows).expand(*tasks, -1)
    means = rng.normal(size=(*tasks, classes, features)).repeat(rows, axis=-2)
    support, query = (torch.from_numpy(means + 1.5 * rng.normal(size=means.shape)) for _ in range(2))
    return support, labels, query


@pytest.mark.parametrize("classes", [2, 3, 8])
@pytest.mark.parametrize("features", [3, 200])
@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test__logistic_regression__probabilities__are_scikit_learns(rng, classes, features, C):
    support, labels, query = task(rng, classes, features)
    expected = ScikitLearns(C=C, tol=1e-8, max_iter=10_000).fit(support.numpy(), labels.numpy()).predict_proba(query)
    found = LogisticRegression(C)(support, labels, query).exp()
    np.testing.assert_allclose(found, expected, atol=1e-4)


def test__logistic_regression__far_from_the_origin__the_same(rng):
    support, labels, query = task(rng, 3, 20)
    moved = LogisticRegression()(support + 1e4, labels, query + 1e4)
    torch.testing.assert_close(moved, LogisticRegression()(support, labels, query), atol=1e-3, rtol=1e-3)


@pytest.mark.parametrize("features", [2, 30])
def test__simpleshot__predictions__are_those_of_nearest_centroids(rng, features):
    support, labels, query = task(rng, 4, features)
    centred = [x - support.mean(0) for x in (support, query)]
    x, q = (c / c.norm(dim=1, keepdim=True) for c in centred)
    expected = NearestCentroid().fit(x.numpy(), labels.numpy()).predict(q.numpy())
    assert (SimpleShot()(support, labels, query).argmax(-1).numpy() == expected).all()


@both
def test__both__batch__as_task_by_task(rng, classifier):
    support, labels, query = task(rng, 3, 6, tasks=(2, 2))
    found = classifier(support, labels, query)
    assert isinstance(classifier, Classifier)
    assert found.shape == (2, 2, 36, 3)
    torch.testing.assert_close(found[1, 0], classifier(support[1, 0], labels[1, 0], query[1, 0]))
    torch.testing.assert_close(found.exp().sum(-1), torch.ones(2, 2, 36, dtype=torch.float64))


@both
def test__both__padding__does_not_matter(rng, classifier):
    support, labels, query = task(rng, 3, 6)
    mask = torch.ones(2, 36, dtype=torch.bool)
    mask[0, 24:] = False  # the first task has two classes of three
    padded = torch.where(mask[..., None], support, 99.0)
    found = Method(classifier)(padded, labels.expand(2, -1), query.expand(2, -1, -1), mask=mask)
    torch.testing.assert_close(found[0, :, :2], classifier(support[:24], labels[:24], query))
    assert found[0, :, 2].isneginf().all()
    torch.testing.assert_close(found[1], classifier(support, labels, query))


@both
def test__both__labels__are_any_integers(rng, classifier):
    support, labels, query = task(rng, 2, 6)
    assert set(Method(classifier).predict(support, 7 - 8 * labels, query).tolist()) == {7, -1}
