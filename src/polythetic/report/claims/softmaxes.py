"""App. B and §4: what a softmax makes of a classifier, and of a class that attends to itself."""

from __future__ import annotations

from collections.abc import Iterator
from math import cosh, exp, inf, sinh

import torch
from torch import Tensor

from polythetic.attention import attend, log_attention
from polythetic.classifiers import Matching
from polythetic.classifiers.nearest import nearest
from polythetic.report.evidence import Evidence
from polythetic.report.ledger import Claim, Point, asking
from polythetic.report.numbers import listed, percentage

ROWS, FEATURES, QUERIES = 40, 5, 200
INVERSE_TEMPERATURES = (1, 10, 1000)
ROUNDS = 25
COOLING = (1, 2, 4, 10)  # β
SQUARE = torch.cartesian_prod(*[torch.linspace(-2, 2, 80, dtype=torch.float64)] * 2)  # no point lies on an axis


def _points(count: int, seed: int) -> Tensor:
    return torch.randn(count, FEATURES, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


@asking("never less as it cools, and all at last; the shares of the classes")
def limits(evidence: Evidence) -> Iterator[Point]:
    """Put attention beside the nearest neighbour as it cools, and beside the class balance where it is hottest."""
    support, query = _points(ROWS, 0), _points(QUERIES, 1)
    labels = (torch.arange(ROWS) < ROWS // 4).long()
    same = []
    for beta in INVERSE_TEMPERATURES:
        cooled = Matching(temperature=1 / beta)(support, labels, query).argmax(-1)
        same.append(100 * float((cooled == nearest()(support, labels, query).argmax(-1)).double().mean()))
    words = (
        f"as the nearest neighbour on {listed(same)} % of {QUERIES} queries at β = {listed(INVERSE_TEMPERATURES, str)}"
    )
    yield Point(words, same == sorted(same) and same[-1] == 100)
    balance = Matching(temperature=inf)(support, labels, query).exp()
    shares = labels.bincount() / ROWS
    words = (
        f"β = 0, supports of {listed(labels.bincount().tolist(), str)}: {listed(balance[0].tolist(), '{:.2f}'.format)}"
    )
    yield Point(words, bool(torch.allclose(balance, shares.double())))


def upside_down(evidence: Evidence) -> Iterator[Point]:
    """Compute the fraction at a point of the boundary, where tanh(βx) = exp(−2βy)."""
    y = 0.5
    left, right = exp(-2 * y), (cosh(y) + sinh(y)) / (cosh(y) - sinh(y))
    yield Point(
        f"β = 1, y = ½: {left:.3f} on the left, {right:.3f} on the right: upside down", abs(left - right) < 1e-9
    )


def _of_and(beta: float) -> Tensor:
    """Give the probability that AND(x, y) holds, over the square of Figure 2, from its four corners."""
    corners = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], dtype=torch.float64)
    return Matching("dot", temperature=1 / beta)(corners, (corners > 0).all(-1).long(), SQUARE).exp()[:, 1]


@asking("rising as it cools")
def more_confident(evidence: Evidence) -> Iterator[Point]:
    """Average the probability of the likelier class over the square, at lower and lower temperatures."""
    found = [100 * float((0.5 + (_of_and(beta) - 0.5).abs()).mean()) for beta in COOLING]
    yield Point(f"AND(x, y), β = {listed(COOLING, str)}: {listed(found)} % on average", found == sorted(found))


@asking("rising as it cools")
def along_the_axes(evidence: Evidence) -> Iterator[Point]:
    """Count where the classifier answers as a boundary that runs along the axes would."""
    along = (SQUARE > 0).all(-1)
    found = [100 * float(((_of_and(beta) > 0.5) == along).double().mean()) for beta in COOLING]
    yield Point(f"AND(x, y), β = {listed(COOLING, str)}: {listed(found)} % of the square", found == sorted(found))


def within_the_hull(evidence: Evidence) -> Iterator[Point]:
    """See whether each vector becomes an average of all with weights above nothing."""
    vectors = _points(ROWS, 0)
    weights = log_attention(vectors, vectors).exp()
    total, lowest = weights.sum(-1), float(weights.min())
    before, after = (float(x.abs().max()) for x in (vectors, attend(vectors, vectors, vectors)))
    words = f"each a mean of all {ROWS}, weights of {lowest:.0e} or more; largest value {before:.2f}, then {after:.2f}"
    yield Point(words, lowest > 0 and bool(torch.allclose(total, torch.ones_like(total))) and after < before)


@asking("by less than 1e-09")
def shared_stays(evidence: Evidence) -> Iterator[Point]:
    """Give all vectors one feature in common, and let them attend."""
    start = _points(ROWS, 0)
    start[:, 0] = 1.5
    vectors = start
    for _ in range(ROUNDS):
        vectors = attend(vectors, vectors, vectors)
    moved, others = (float((vectors - start)[:, part].abs().max()) for part in (slice(0, 1), slice(1, None)))
    words = f"after {ROUNDS} rounds it has moved by {moved:.0e}, others by up to {percentage(others)}"
    yield Point(words, moved < 1e-9)


CLAIMS = [
    Claim(
        "“tends to the single nearest neighbour … for β = 0 the classifier returns the support set class balance”",
        "App. B",
        limits,
    ),
    Claim("“a decrease in temperature increases the model confidence”", "App. B, Figure 9", more_confident),
    Claim(
        "“lower temperatures … produce decision boundaries more closely aligned with the axes”",
        "Figure 2, App. B",
        along_the_axes,
    ),
    Claim("“tanh(βx) = (cosh(βy) + sinh(βy))/(cosh(βy) − sinh(βy))”", "App. B", upside_down),
    Claim(
        "“Self-attention maps elements of a set of vectors to the interior of their convex hull”",
        "§4",
        within_the_hull,
    ),
    Claim("“If every member of a class has some feature in common … the features do not change”", "§4", shared_stays),
]
