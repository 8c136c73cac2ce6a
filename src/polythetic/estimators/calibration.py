"""Calibration: of the answers given with a certainty of 80 %, are 80 % right?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BINS = 10


def calibration_error(probabilities: NDArray[np.float64], codes: NDArray[np.int64], *, bins: int = BINS) -> float:
    """Return the expected calibration error: how far certainty and accuracy are apart, on average over answers.

    Answers are put into bins of equal width by the probability of the class that is named (Naeini, Cooper & Hauskrecht,
    Obtaining Well Calibrated Probabilities Using Bayesian Binning, 2015).

    >>> calibration_error(np.array([[0.9, 0.1], [0.9, 0.1]]), np.array([0, 1]))
    0.4
    """
    certain, right = probabilities.max(1), probabilities.argmax(1) == codes
    which = np.minimum((certain * bins).astype(int), bins - 1)
    gaps = np.bincount(which, certain, bins) - np.bincount(which, right, bins)
    return float(np.abs(gaps).sum() / len(codes))
