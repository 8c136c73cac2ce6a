"""What the tests share: the paper's methods in plain NumPy, one task, class and row at a time; and random tasks.

Written from the paper (§2, §4, Algorithm 1, App. B), not from the library: no batches, no masks, no tensors. Only the
numbers that were chosen by measurement, the defaults, are the library's.
"""

import numpy as np
import torch
from hypothesis import strategies as st

from polythetic.classifiers.options import SHARPNESS as CLASSIFIERS_SHARPNESS
from polythetic.selection import REPEATS
from polythetic.selection import SHARPNESS as SCORERS_SHARPNESS

SIMILARITIES = ("dot", "cosine", "euclidean", "laplace")
DISPERSIONS = ("mad", "std", "mav")


SIZES = [(3, 3), (5, 2), (2, 4, 3)]


# ---------------------------------------------------------------- attention


def similarity(name, a, b):
    if name == "dot":
        return np.sum(a * b)
    if name == "cosine":
        norms = np.sqrt(np.sum(a * a)) * np.sqrt(np.sum(b * b))
        return np.sum(a * b) / norms if norms > 0 else 0.0
    if name == "euclidean":
        return -np.sum((a - b) ** 2)
    return -np.sum(np.abs(a - b))


def softmax(x, T):
    """Exponentials of x / T over their sum; at the limits the largest alone (ties share), or all alike."""
    if T == 0:
        weights = np.isclose(x, x.max(), rtol=1e-12, atol=1e-12).astype(float)
    elif np.inf == T:
        weights = np.ones(len(x))
    else:
        weights = np.exp((x - x.max()) / T)
    return weights / weights.sum()


def attention_weights(name, Q, K, T):
    return np.array([softmax(np.array([similarity(name, q, k) for k in K]), T) for q in Q])


def temperature_of(name, X, T, sharpness):
    """T itself, or for "auto" the typical similarity of the rows of X over the sharpness."""
    if T != "auto":
        return T
    variance = sum(np.mean((x - x.mean()) ** 2) for x in X.T)
    deviation = sum(np.mean(np.abs(x - x.mean())) for x in X.T)
    return {"dot": variance, "cosine": 1.0, "euclidean": 2 * variance, "laplace": deviation}[name] / sharpness


# ---------------------------------------------------------------- Algorithm 1


def standardise(X, rows=None, eps=1e-7):
    """(X − μ) / (σ + ε) with the statistics of ``rows`` (X's own unless given); constant features become 0."""
    rows = X if rows is None else rows
    columns = []
    for x, r in zip(X.T, rows.T, strict=True):
        constant = r.max() == r.min()
        columns.append(np.zeros(len(x)) if constant else (x - r.mean()) / (r.std() + eps))
    return np.stack(columns, 1)


def rounds(X, y, *, temperature="auto", repeats=REPEATS, similarity="dot"):
    """Lines 4 to 8 on standardised rows: the rows before the first round and after each."""
    T = temperature_of(similarity, X, temperature, SCORERS_SHARPNESS)
    states = [X]
    for _ in range(repeats):
        X = X.copy()
        for k in np.unique(y):
            own = X[y == k]
            X[y == k] = attention_weights(similarity, own, own, T) @ own
        states.append(X)
    return states


def dispersion(name, X, y):
    """Line 9, about the mean of all rows, over classes of two or more; all alike where there are none."""
    centre = X.mean(0)
    classes = [X[y == k] for k in np.unique(y) if np.sum(y == k) > 1]
    if not classes:
        return (X.max(0) > X.min(0)).astype(float)
    if name == "mav":
        return np.sum([np.mean(np.abs(own), 0) for own in classes], 0)
    away = np.concatenate(classes) - centre
    return np.mean(np.abs(away), 0) if name == "mad" else np.sqrt(np.mean(away**2, 0))


def scores(X, y, *, dispersion_="std", eps=1e-7, **settings):
    return dispersion(dispersion_, rounds(standardise(X, eps=eps), y, **settings)[-1], y)


# ---------------------------------------------------------------- classifiers


def matching(X, y, Q, *, similarity="euclidean", temperature="auto"):
    T = temperature_of(similarity, X, temperature, CLASSIFIERS_SHARPNESS)
    weights = attention_weights(similarity, Q, X, T)
    return np.stack([weights[:, y == k].sum(1) for k in np.unique(y)], 1)


def prototypes(X, y, Q, *, similarity="euclidean", temperature="auto"):
    means = np.stack([X[y == k].mean(0) for k in np.unique(y)])
    T = temperature_of(similarity, X, temperature, CLASSIFIERS_SHARPNESS)
    return attention_weights(similarity, Q, means, T)


# ---------------------------------------------------------------- random tasks


def task(seed, sizes=(4, 3), features=3, queries=5, bits=False):
    """Support, labels (neither adjacent nor from 0, in no order) and queries of one task."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(sizes)) * 3 - 2, sizes))
    shape = (len(y) + queries, features)
    x = rng.choice([-1.0, 1.0], shape) if bits else rng.normal(size=shape)
    return x[: len(y)], y, x[len(y) :]


def padded(tasks, garbage=np.nan, seed=0, rows=None):
    """A batch of tasks of different sizes: rows of garbage, with labels of no class, among the true ones."""
    rng = np.random.default_rng(seed)
    n = rows or max(len(y) for _, y, _ in tasks)
    support = np.full((len(tasks), n, tasks[0][0].shape[1]), garbage)
    labels = np.full((len(tasks), n), 77)
    mask = np.zeros((len(tasks), n), dtype=bool)
    for t, (x, y, _) in enumerate(tasks):
        at = np.sort(rng.permutation(n)[: len(y)])
        support[t, at], labels[t, at], mask[t, at] = x, y, True
    return support, labels, mask, np.stack([query for *_, query in tasks])


def tensors(*arrays, dtype=torch.float64):
    """Arrays as tensors: those of floats in the given precision."""
    out = [torch.as_tensor(a) for a in arrays]
    return [x.to(dtype) if x.is_floating_point() else x for x in out]


sizes = st.lists(st.integers(2, 5), min_size=2, max_size=3).map(tuple)
seeds = st.integers(0, 10**6)
tasks = st.builds(task, seeds, sizes, st.integers(1, 4), bits=st.booleans())
smooth_tasks = st.builds(task, seeds, sizes, st.integers(1, 4))
scorings = st.fixed_dictionaries(
    {
        "temperature": st.sampled_from(["auto", 0.5, 3.0, 0.0, np.inf]),
        "repeats": st.integers(0, 3),
        "similarity": st.sampled_from(SIMILARITIES),
        "dispersion": st.sampled_from(DISPERSIONS),
    }
)
