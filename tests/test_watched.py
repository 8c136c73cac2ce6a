"""Refinement that is watched moves, and finds what it finds unwatched."""

import numpy as np
import polars as pl
import torch

from polythetic.refinement import RefinedScorer
from polythetic.table_scores import score_table
from polythetic.watched import WatchedScorer


class Watcher:
    """Remembers what it was told."""

    def __init__(self):
        self.parts = []

    def start(self, what, total):
        self.parts.append([what, total, 0, 0])

    def advance(self, steps=1, note=""):
        self.parts[-1][2] += steps
        self.parts[-1][3] += 1


def test__scores__watched__are_the_same__and_steps_are_told():
    chance = torch.Generator().manual_seed(0)
    support = torch.randn(24, 6, generator=chance)
    labels = torch.tensor([0, 1]).repeat(12)  # noise: no wave convinces
    watcher = Watcher()
    scorer = WatchedScorer(progress=watcher)
    watcher.start("refining scores", scorer.starts * scorer.steps)
    scores = scorer(support, labels)
    assert torch.equal(scores, RefinedScorer()(support, labels))
    [(_, total, done, times)] = watcher.parts
    assert times == 3 * 40
    assert done == total


def test__table__scored__tells_of_refinement():
    x = np.random.default_rng(0).normal(size=(20, 4))
    watcher = Watcher()
    score_table(pl.DataFrame(x, schema=list("abcd")), [str(a * c > 0) for a, _, c, _ in x], progress=watcher)
    assert [what for what, *_ in watcher.parts] == ["scoring columns", "refining scores", "permuting labels"]
    assert 0 < watcher.parts[1][2] <= watcher.parts[1][1]
