"""Grouped tasks: a label is a category, and a category is several classes. N-way K-shot is the case of one class."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polythetic.datasets.collection import Collection
from polythetic.episodes.assembly import Drawn, Facts, Rows, Side, batch_of, padded
from polythetic.episodes.chance import Chance, Numbers, Span, check_span, ends
from polythetic.episodes.episode import Episode
from polythetic.errors import InputError


@dataclass(frozen=True, eq=False)
class GroupedTasks:
    """Tasks that ask for the category of an example, after a few examples of some classes of each category.

    Alphabets are such categories, with characters for classes; so are ImageNet's animals and vehicles. Labels are 0
    to ways − 1. Support and queries share no example. Recorded of each row: ``number`` of the example in the
    collection, ``class``, ``category``; of each task: ``categories``, in the order of the labels.

    Each of the sizes is a number, or a pair: the least and the most, drawn for each task (ways), each category
    (groups) or each class (shots, queries). Batches are then padded.

    Attributes:
        collection: where examples, classes and categories come from.
        ways: categories a task.
        groups: classes a category.
        shots: examples of support a class.
        queries: queries a class.
        query_groups: if given, the queries are of this many *other* classes of the category, of which the support
            has none.
        replacement: draw categories with replacement, as the authors' code does. Two labels may then be of the same
            category, even the same class; a class has the same examples in the support for both.

    >>> from polythetic.datasets import from_arrays
    >>> animals = from_arrays(np.eye(6), ["bird"] * 3 + ["fish"] * 3)
    >>> tasks = GroupedTasks(animals, ways=2, shots=2, queries=1).batch(seed=0, start=0, stop=100)
    >>> tasks.support.shape, tasks.query_labels.shape
    (torch.Size([100, 4, 6]), torch.Size([100, 2]))
    """

    collection: Collection
    ways: Span
    shots: Span
    queries: Span
    groups: Span = 1
    query_groups: Span | None = None
    replacement: bool = False

    def __post_init__(self) -> None:
        for name in ("ways", "shots", "queries", "groups"):
            check_span(name, getattr(self, name))
        if self.query_groups is not None:
            check_span("query_groups", self.query_groups)
        self._check_examples()
        self._check_categories()

    def _check_examples(self) -> None:
        shots, queries = ends(self.shots)[1], ends(self.queries)[1]
        apart = self.query_groups is not None and not self.replacement  # no class is on both sides
        needed = max(shots, queries) if apart else shots + queries
        few = [
            f"'{name}' ({len(members)})"
            for name, members in zip(self.collection.class_names, self.collection.members, strict=True)
            if len(members) < needed
        ]
        if few:
            shown = ", ".join(few[:5]) + (f" and {len(few) - 5} more" if len(few) > 5 else "")
            raise InputError(
                "shots, queries",
                f"{self.shots}, {self.queries}",
                f"at least {needed} examples in every class; too few have {shown}. "
                f"Ask for fewer, or leave these classes out: collection.with_at_least({needed})",
            )

    def _check_categories(self) -> None:
        most = ends(self.ways)[1]
        if len(self._able) >= (1 if self.replacement else most):
            return
        counts = self._class_counts
        largest = np.argsort(-counts, kind="stable")[: max(len(self._able), 3)]  # none may do: say what there is
        able = ", ".join(f"{self.collection.category_names[k]} {counts[k]}" for k in largest)
        raise InputError(
            "ways",
            self.ways,
            f"at most {len(self._able)}: of the {len(counts)} categories of {self.collection.source} that many have "
            f"at least {self._classes_needed} classes; the largest are {able}",
        )

    @cached_property
    def _class_counts(self) -> Numbers:
        return np.bincount(self.collection.categories, minlength=len(self.collection.category_names))

    @property
    def _classes_needed(self) -> int:
        return ends(self.groups)[1] + (0 if self.query_groups is None else ends(self.query_groups)[1])

    @cached_property
    def _able(self) -> Numbers:
        """The categories that have enough classes."""
        return np.flatnonzero(self._class_counts >= self._classes_needed)

    @cached_property
    def _classes_of(self) -> list[Numbers]:
        return [self.collection.classes_of(k) for k in range(len(self.collection.category_names))]

    @property
    def rows(self) -> Rows:
        """The most rows of support and queries."""
        ways, groups = ends(self.ways)[1], ends(self.groups)[1]
        query_groups = groups if self.query_groups is None else ends(self.query_groups)[1]
        return Rows(ways * groups * ends(self.shots)[1], ways * query_groups * ends(self.queries)[1])

    @property
    def example_shape(self) -> tuple[int, ...]:
        """The shape of an example."""
        return self.collection.examples.shape

    @property
    def source(self) -> str:
        """Where its examples come from."""
        return self.collection.source

    def batch(self, seed: int, start: int, stop: int) -> Episode:
        """Return tasks ``start`` to ``stop`` of the seed; each depends on the seed and its number alone."""
        return batch_of(self._draw, self._examples, self.rows, seed=seed, start=start, stop=stop)

    def _examples(self, facts: Facts) -> NDArray[np.float32]:
        return self.collection.examples.take(facts["number"])

    def _draw(self, chance: Chance) -> Drawn:
        ways = chance.size(self.ways)
        if self.replacement:
            categories = self._able[chance.below(len(self._able), ways)]
        else:
            categories = self._able[chance.distinct(len(self._able), ways)]
        chosen = [self._classes(chance, self._classes_of[category]) for category in categories]
        seen, asked = _listed([pair[0] for pair in chosen]), _listed([pair[1] for pair in chosen])
        # Of each class's examples, in some order, the support takes the first and the queries the last.
        classes = np.unique(np.concatenate([seen.classes, asked.classes]))
        shots, queries = ends(self.shots)[1], ends(self.queries)[1]
        order = self._orders(chance, classes, shots + queries)
        first = chance.between(self.shots, len(seen.classes))
        last = chance.between(self.queries, len(asked.classes))
        support = [order[k][:n] for k, n in zip(seen.classes.tolist(), first.tolist(), strict=True)]
        query = [order[k][-n:] for k, n in zip(asked.classes.tolist(), last.tolist(), strict=True)]
        return Drawn(
            _side(seen, support, categories, chance),
            _side(asked, query, categories, chance),
            {"categories": padded(categories, ends(self.ways)[1])},
        )

    def _classes(self, chance: Chance, classes: Numbers) -> tuple[Numbers, Numbers]:
        """Choose the classes that the support is of, and those that the queries are of."""
        groups = chance.size(self.groups)
        if self.query_groups is None:
            chosen = classes[chance.distinct(len(classes), groups)]
            return chosen, chosen
        chosen = classes[chance.distinct(len(classes), groups + chance.size(self.query_groups))]
        return chosen[:groups], chosen[groups:]

    def _orders(self, chance: Chance, classes: Numbers, needed: int) -> dict[int, Numbers]:
        """Draw as many examples as are needed of each class, or all it has."""
        members = [self.collection.members[k] for k in classes]
        sizes = np.array([len(numbers) for numbers in members])
        most = int(sizes.max())
        if most > 16 * needed:
            drawn = [chance.distinct(size, min(size, needed)) for size in sizes.tolist()]
        else:  # all classes at once
            ranks = chance.uniform(len(sizes), most)
            ranks[np.arange(most) >= sizes[:, None]] = 2  # beyond the last
            drawn = [order[: min(size, needed)] for order, size in zip(ranks.argsort(1), sizes, strict=True)]
        return {int(k): numbers[which] for k, numbers, which in zip(classes, members, drawn, strict=True)}


class _Listed(NamedTuple):
    """The classes of one side of a task, with the label of each."""

    labels: Numbers
    classes: Numbers


def _listed(groups: list[Numbers]) -> _Listed:
    labels = np.repeat(np.arange(len(groups)), [len(classes) for classes in groups])
    return _Listed(labels, np.concatenate(groups))


def _side(listed: _Listed, members: list[Numbers], categories: Numbers, chance: Chance) -> Side:
    """Put the examples of a side together, rows in any order."""
    group = np.repeat(np.arange(len(members)), [len(numbers) for numbers in members])
    order = chance.shuffled(np.arange(len(group)))
    labels = listed.labels[group][order]
    facts = {
        "number": np.concatenate(members)[order],
        "class": listed.classes[group][order],
        "category": categories[labels],
    }
    return Side(labels, facts)
