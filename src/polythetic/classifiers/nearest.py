"""The single nearest neighbour: attention as its temperature goes to zero (App. B)."""

from __future__ import annotations

from polythetic.classifiers.matching import Matching


def nearest(similarity: str = "euclidean", prior: str = "support") -> Matching:
    """Classify by the most similar row of the support; rows that are equally similar share the vote.

    >>> import torch
    >>> nearest()(torch.tensor([[0.0], [4.0]]), torch.tensor([0, 1]), torch.tensor([[3.0], [2.0]])).exp()
    tensor([[0.0000, 1.0000],
            [0.5000, 0.5000]])
    """
    return Matching(similarity, temperature=0.0, prior=prior)
