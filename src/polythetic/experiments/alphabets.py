"""Of alphabets drawn with replacement: in which tasks are two of them one?"""

from __future__ import annotations

import torch
from torch import Tensor

from polythetic.episodes.suites import suite_named
from polythetic.runs import EVALUATION_SEED

REPEATED = "repeated"


def repeated(tasks: int, seed: int) -> dict[str, Tensor]:
    """Return 100 for each evaluation task in which an alphabet stands for two classes, 0 for the others."""
    suite = suite_named("omniglot-alphabets", split="evaluation", options={"replacement": True})
    found = []
    for number in range(tasks):  # the pictures of all of them at once would be gigabytes
        (alphabets,) = suite.batch(EVALUATION_SEED + seed, number, number + 1).attributes["categories"]
        found.append(100.0 if len(alphabets.unique()) < len(alphabets) else 0.0)
    return {REPEATED: torch.tensor(found, dtype=torch.float64)}
