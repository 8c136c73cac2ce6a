"""A small Omniglot, made up: a pattern of blots for each character, some of it rubbed out in each drawing."""

from functools import cache

import numpy as np

from polythetic.datasets.collection import Collection, Rows

ALPHABETS, CHARACTERS, DRAWINGS = 10, 13, 20  # as many of the last two as tasks ask for
SIZE, BLOT = 28, 4


@cache
def omniglot(split="training", *, data=None, rotations=False):
    """What ``omniglot`` would be on it; characters of other splits are others, and turned ones are left out."""
    assert data is None
    draw = np.random.default_rng(["training", "evaluation", "fitting", "validation"].index(split))
    blots = draw.random((ALPHABETS * CHARACTERS, 1, SIZE // BLOT, SIZE // BLOT)) < 0.3
    pictures = np.repeat(blots, DRAWINGS, axis=0).repeat(BLOT, axis=2).repeat(BLOT, axis=3).astype(np.float32)
    pictures *= draw.random(pictures.shape, np.float32) < 0.8
    names = [f"{a:02}/{c:02}" for a in range(ALPHABETS) for c in range(CHARACTERS)]
    alphabets = {name: name.split("/")[0] for name in names}
    labels = [name for name in names for _ in range(DRAWINGS)]
    return Collection.from_labels(Rows(pictures), labels, categories=alphabets, source=f"Omniglot, made up, {split}")


def put(patch):
    """Put it in the place of Omniglot."""
    patch.setattr("polythetic.episodes.suites.omniglot", omniglot)
