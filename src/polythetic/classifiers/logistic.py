"""Logistic regression, fitted to each support: what most people would try first on given features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import torch
from jaxtyping import Bool, Float, Int
from numpy.typing import NDArray
from torch import Tensor

from polythetic.grouping import group_by_class

Array: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True)
class LogisticRegression:
    """Multinomial logistic regression with a squared penalty on its weights, none on its intercepts.

    It minimises Σᵢ −log p(yᵢ | xᵢ) + ‖W‖² / 2C, as scikit-learn's class of the same name does; for two classes, for
    which that has one vector of weights and not two, ‖W‖² / C, which comes to the same. No gradient flows through it.

    Attributes:
        C: the larger, the weaker the penalty.

    >>> support, labels = torch.tensor([[0.0], [1.0], [3.0], [4.0]]), torch.tensor([0, 0, 1, 1])
    >>> LogisticRegression()(support, labels, torch.tensor([[1.9], [2.1]])).argmax(-1)
    tensor([0, 1])
    """

    C: float = 1.0

    def __call__(
        self,
        support: Float[Tensor, "*tasks n F"],
        labels: Int[Tensor, "*tasks n"],
        query: Float[Tensor, "*tasks q F"],
        mask: Bool[Tensor, "*tasks n"] | None = None,
    ) -> Float[Tensor, "*tasks q K"]:
        """Return log-probabilities, a column a class in ascending order of label; −∞ for one that a task lacks."""
        groups = group_by_class(labels, mask)
        tasks, classes = support.shape[:-2], groups.labels.shape[-1]
        each = zip(
            support.detach().double().reshape(-1, *support.shape[-2:]).numpy(),
            groups.class_of.reshape(-1, labels.shape[-1]).numpy(),
            query.detach().double().reshape(-1, *query.shape[-2:]).numpy(),
            strict=True,
        )
        found = [_fitted(x[y < classes], y[y < classes], q, classes, self.C) for x, y, q in each]
        return torch.from_numpy(np.stack(found)).to(support).reshape(*tasks, query.shape[-2], classes)


def _fitted(x: Array, y: NDArray[np.int64], query: Array, classes: int, C: float) -> Array:
    """Fit one task and return log-probabilities [q, classes]."""
    from scipy.optimize import minimize
    from scipy.special import log_softmax

    there = int(y.max()) + 1  # classes are numbered without gaps: those that a task lacks come last
    centre = x.mean(0)  # the intercepts take it up; what is left is better conditioned
    # The best weights lie in the span of the rows: where these are fewer than the features, so few unknowns do.
    basis = np.linalg.qr((x - centre).T)[0] if len(x) < x.shape[1] else np.eye(x.shape[1])
    z, right = (x - centre) @ basis, np.eye(there)[y]
    penalty = (2 if there == 2 else 1) / C

    def loss(flat: Array) -> tuple[float, Array]:
        weights = flat.reshape(-1, there)  # the last line: intercepts
        log_p = log_softmax(z @ weights[:-1] + weights[-1], axis=1)
        wrong = np.exp(log_p) - right
        gradient = np.vstack([z.T @ wrong + penalty * weights[:-1], wrong.sum(0)])
        return -float((log_p * right).sum()) + penalty / 2 * float((weights[:-1] ** 2).sum()), gradient.ravel()

    start = np.zeros((z.shape[1] + 1) * there)
    best = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 1000, "gtol": 1e-5})
    weights = best.x.reshape(-1, there)
    log_p = np.full((len(query), classes), -np.inf)
    log_p[:, :there] = log_softmax((query - centre) @ basis @ weights[:-1] + weights[-1], axis=1)
    return log_p
