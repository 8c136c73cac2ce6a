"""App. G without pictures: how far does attention come, at any temperature, if every digit and colour is named rightly?

The pictures' attributes are drawn as they always are, and are the features; the digits they would be painted with are
blank. Similarity is the number of attributes that two pictures agree in, and all of them count alike.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import torch

from polythetic.classifiers import Matching
from polythetic.datasets.collection import Collection, Rows
from polythetic.episodes.digits import DigitTasks
from polythetic.episodes.quadrants import DIGITS
from polythetic.evaluation import Evaluation, accuracy_of
from polythetic.jobs.pretraining import multi_hot
from polythetic.pipeline import Method
from polythetic.runs import EVALUATION_SEED

TASKS = 500  # half a second's
TAUS = (0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 4.0, 8.0)  # inverse temperatures
BLANKS = 500  # of each digit: so many that support and queries find some that the others have not


@cache
def attention_on_truth(tasks: int = TASKS) -> dict[float, Evaluation]:
    """Return the accuracy in per cent of attention on full polythetic tasks, by τ, the inverse of the temperature."""
    blank = Rows(np.zeros((DIGITS * BLANKS, 1, 1, 1)))
    digits = Collection.from_labels(blank, [str(d) for d in range(DIGITS) for _ in range(BLANKS)], source="none")
    episode = DigitTasks(digits, "full", polythetic=1).batch(EVALUATION_SEED, 0, tasks)
    seen, asked = (multi_hot(episode.attributes[f"{side}_traits"]) for side in ("support", "query"))
    found = {}
    with torch.no_grad():
        for tau in TAUS:
            predicted = Method(Matching("dot", temperature=1 / tau)).predict(seen, episode.support_labels, asked)
            found[tau] = Evaluation(accuracy_of(predicted, episode))
    return found
