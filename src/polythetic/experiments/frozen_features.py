"""The methods of Tables 4 and 5, all put to the same tasks on features that are given."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from polythetic.classifiers import Matching, Method, Prototypes, Selection, method_named, nearest
from polythetic.classifiers.logistic import LogisticRegression
from polythetic.classifiers.simpleshot import SimpleShot
from polythetic.datasets.collection import Collection, Rows
from polythetic.datasets.tiered import SPLITS
from polythetic.episodes import hierarchy_tasks
from polythetic.evaluation import accuracy_of
from polythetic.pipeline import predict_with_all
from polythetic.refinement import RefinedScorer
from polythetic.selection import AttentionScorer, UniformScorer

SHOTS = 10  # pictures of a class in the support, and as many queries


class Entry(NamedTuple):
    """A method as the tables show it."""

    name: str  # in the paper
    variant: str  # "ours" or "authors", "defaults" for the library's, "control" for ours without the selection
    method: Method

    @property
    def setting(self) -> dict[str, Any]:
        """What sets it apart, for the rows of a result."""
        found: dict[str, Any] = {"variant": self.variant}
        if hasattr(self.method.classifier, "similarity"):
            found["similarity"] = self.method.classifier.similarity
        selection = self.method.selection
        if isinstance(selection, Selection):
            found["standardised"] = selection.standardised
            found["R"] = selection.scorer.repeats if isinstance(selection.scorer, AttentionScorer) else None
            found |= {"starts": selection.scorer.starts} if isinstance(selection.scorer, RefinedScorer) else {}
        return found


# The authors': cosine at temperature 1, five rounds, ε = 0.1, square roots of the scores; raw features are classified.
AUTHORS = Selection(
    AttentionScorer(temperature=1.0, repeats=5, similarity="cosine", dispersion="std"),
    rescale="square-root",
    standardised=False,
    eps=0.1,
)
# Ours: the same, but temperatures that know the number of features, and standardised features classified.
OURS = Selection(AttentionScorer(similarity="cosine"), rescale="square-root", eps=0.1)
# Refined scores, from the flat start and that of Algorithm 1 alone: all starts take up to ten times as long, and on
# tasks of the training categories gave the same accuracies.
REFINED = Selection(RefinedScorer(starts=2), rescale="raw", eps=0.1)
METHODS = {
    "FS+MN": Entry("FS+MN", "ours", Method(Matching("cosine"), OURS)),
    "MN": Entry("MN", "ours", Method(Matching("cosine"))),
    "MN, standardised": Entry("MN", "control", Method(Matching("cosine"), replace(OURS, scorer=UniformScorer()))),
    "FS+MN, authors'": Entry("FS+MN", "authors", Method(Matching("cosine", temperature=1.0), AUTHORS)),
    "MN, authors'": Entry("MN", "authors", Method(Matching("cosine", temperature=1.0))),
    "PN": Entry("PN", "ours", Method(Prototypes())),
    "FS+MN, defaults": Entry("FS+MN", "defaults", method_named("FS+MN")),
    "FS+MN, defaults, cosine": Entry("FS+MN", "defaults", Method(Matching("cosine"), Selection())),
    "MN, defaults": Entry("MN", "defaults", method_named("MN")),
    "FS+NN": Entry("FS+NN", "ours", Method(nearest("cosine"), OURS)),
    "NN": Entry("NN", "ours", Method(nearest("cosine"))),
    "SimpleShot": Entry("SimpleShot", "ours", Method(SimpleShot())),
    "logistic regression": Entry("LR", "ours", Method(LogisticRegression())),
    "R+MN": Entry("R+MN", "ours", Method(Matching("cosine"), REFINED)),
    "R+NN": Entry("R+NN", "ours", Method(nearest("cosine"), REFINED)),
    "R+MN, Euclidean": Entry("R+MN", "defaults", Method(Matching(), REFINED)),
}
BEYOND = ("R+MN", "R+NN", "R+MN, Euclidean")  # the paper


def measure(
    embedded: dict[str, Tensor], C: int, G: int, split: str, start: int, stop: int, seed: int
) -> dict[str, Tensor]:
    """Return the accuracies, in per cent, of every method on tasks ``start`` to ``stop``."""
    tasks = hierarchy_tasks(collection_of(embedded, split), categories=C, groups=G, shots=SHOTS, queries=SHOTS)
    methods = {label: entry.method for label, entry in METHODS.items()}
    found: dict[str, list[float]] = {label: [] for label in METHODS}
    for number in range(start, stop):
        episode = tasks.batch(seed, number, number + 1)
        predicted = predict_with_all(methods, episode.support, episode.support_labels, episode.query)
        for label, labels in predicted.items():
            found[label].append(float(accuracy_of(labels, episode)[0]))
    return {label: torch.tensor(values, dtype=torch.float64) for label, values in found.items()}


def collection_of(embedded: dict[str, Tensor], split: str) -> Collection:
    """Make a collection of embedded pictures: of one split, or of all."""
    values = {name: tensor.numpy() for name, tensor in embedded.items()}
    everything = split == "all"
    kept = np.flatnonzero(everything | (values["split"] == list(SPLITS).index("training" if everything else split)))
    names, categories = np.unique(values["category"][kept], return_inverse=True)
    return Collection(
        examples=Rows(values["features"]),
        members=tuple(np.flatnonzero(values["class"] == k) for k in kept),
        class_names=tuple(map(str, kept)),
        categories=categories.astype(np.int64),
        category_names=tuple(map(str, names)),
        source="embedded pictures",
    )
