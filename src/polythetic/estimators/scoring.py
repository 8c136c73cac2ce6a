"""What both estimators do next: standardise the columns that were read, and score them."""

from __future__ import annotations

import warnings
from numbers import Real
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import one_of
from polythetic.errors import InputError, SingleRowClassWarning
from polythetic.estimators.columns import by_column
from polythetic.estimators.reading import Read

SCORERS = ("R", "FS", "none")
LARGEST = 1e150  # number to learn from
LEAST = 0.1  # of the highest: where several columns matter, but not alike, Algorithm 1 would drop the least of them


def check_seconds(seconds: Any) -> None:
    """Refuse a limit of time that is none."""
    if seconds is not None and (isinstance(seconds, bool) or not isinstance(seconds, Real) or not float(seconds) > 0):
        raise InputError("seconds", repr(seconds), "a number above 0, or None")


class Scored(NamedTuple):
    """What standardising and scoring have found."""

    mean: NDArray[np.float64]  # [F]
    spread: NDArray[np.float64]  # [F], infinite for a feature that never changes
    scales: NDArray[np.float64]  # [F] of the standardised features
    by_column: NDArray[np.float64]  # a score a column

    def standardise(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return (x − μ) / σ, at most so far out that squares stay finite."""
        with np.errstate(over="ignore"):
            return np.clip((numbers - self.mean) / self.spread, -1e6, 1e6)


def score(read: Read, codes: NDArray[np.int64], scorer: str, *, seed: int = 0, seconds: float | None = None) -> Scored:
    """Score the columns of a support by R, by Algorithm 1, or all alike."""
    import torch

    from polythetic.rescaling import rescaling_named
    from polythetic.selection import AttentionScorer, Scorer, UniformScorer
    from polythetic.standardisation import Statistics, without_rounding

    one_of("scorer", scorer, SCORERS)
    _refuse_large(read)
    x = without_rounding(torch.from_numpy(read.numbers.copy()))  # the caller's may be read-only
    labels = torch.from_numpy(codes)
    statistics = Statistics.of(x, eps=0.0)  # columns come in units of any size
    z = statistics.standardise(x)
    with torch.no_grad(), warnings.catch_warnings():
        # A class of one row says nothing of the features; it is no mistake to have one.
        warnings.simplefilter("ignore", SingleRowClassWarning)
        if scorer == "R":
            from polythetic.refinement import RefinedScorer

            # The units that columns have in common say nothing, and may be small.
            own = statistics.spread / statistics.spread.max().clamp(min=torch.finfo(x.dtype).tiny)
            scales = RefinedScorer(seed=seed, seconds=seconds)(z, labels, spread=own)
        else:
            chosen: Scorer = AttentionScorer() if scorer == "FS" else UniformScorer()
            scores = chosen(z, labels)
            if scorer == "FS":
                scores = LEAST + (1 - LEAST) * rescaling_named("min-max-squared")(scores)
            scales = scores * (statistics.spread > 0)
    mean = (statistics.origin + statistics.mean)[0].numpy()
    spread = statistics.spread.numpy()
    spread = np.where(spread > 0, spread, np.inf)
    found = scales.double().numpy()
    return Scored(mean, spread, found, by_column(found, read.columns.owner, len(read.columns.columns)))


def _refuse_large(read: Read) -> None:
    """Refuse rows to learn from whose squares would overflow; of rows to answer for, far out is far enough."""
    rows, places = np.nonzero(np.abs(read.numbers) > LARGEST)
    if len(rows):
        name = read.columns.names[read.columns.owner[places[0]]]
        value = f"{read.numbers[rows[0], places[0]]:.3g} in row {rows[0]} (from 0)"
        raise InputError(name, value, f"numbers up to {LARGEST:.0e}; tell the column in a larger unit")
