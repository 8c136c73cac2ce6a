"""Collection: what every dataset is to the rest of the library. Examples in classes, classes in categories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from polythetic.errors import InputError

Numbers: TypeAlias = NDArray[np.int64]


@runtime_checkable
class Examples(Protocol):
    """Examples by number, in memory or read when they are asked for."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one example; pictures are [channels, height, width]."""
        ...

    def __len__(self) -> int:
        """How many there are."""
        ...

    def take(self, numbers: Numbers) -> NDArray[np.float32]:
        """Return the examples of these numbers; pictures have values from 0 to 1."""
        ...


@dataclass(frozen=True, eq=False)
class Pixels:
    """Pictures in memory, or in a file mapped into it, as bytes [n, channels, height, width].

    >>> Pixels(np.full((3, 1, 2, 2), 51, np.uint8)).take(np.array([2])).ravel()
    array([0.2, 0.2, 0.2, 0.2], dtype=float32)
    """

    array: NDArray[np.uint8]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one picture."""
        return self.array.shape[1:]

    def __len__(self) -> int:
        return len(self.array)

    def take(self, numbers: Numbers) -> NDArray[np.float32]:
        """Return pictures with values from 0 to 1."""
        return np.divide(self.array[numbers], np.float32(255), dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Rows:
    """Examples that are rows of features, or arrays of any shape, used as they are."""

    array: NDArray[Any]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one example."""
        return self.array.shape[1:]

    def __len__(self) -> int:
        return len(self.array)

    def take(self, numbers: Numbers) -> NDArray[np.float32]:
        """Return rows in single precision."""
        return self.array[numbers].astype(np.float32)


@dataclass(frozen=True, eq=False, repr=False)
class Collection:
    """Examples in classes, and classes in categories: characters in alphabets, breeds among dogs.

    Parts of a collection share its examples, so that a number means the same example in all of them.

    Attributes:
        examples: what the numbers stand for.
        members: for each class, the numbers of its examples.
        class_names: one a class.
        categories: for each class, the number of its category; unless given, each class is its own.
        category_names: one a category; the classes' unless given.
        source: what it is and where it came from, for people.

    >>> digits = Collection.from_labels(Rows(np.eye(4)), ["a", "b", "b", "a"], source="an example")
    >>> digits.class_names, digits.members[1].tolist()
    (('a', 'b'), [1, 2])
    """

    examples: Examples
    members: tuple[Numbers, ...]
    class_names: tuple[str, ...]
    categories: Numbers
    category_names: tuple[str, ...]
    source: str

    @classmethod
    def from_labels(
        cls,
        examples: Examples,
        labels: Sequence[object] | NDArray[Any],
        *,
        categories: dict[str, str] | None = None,
        source: str,
    ) -> Collection:
        """Sort examples into classes by a label each, and classes into categories by name."""
        labels = np.asarray(labels)
        if labels.shape != (len(examples),):
            raise InputError("labels", f"{labels.shape}", f"one label for each of the {len(examples)} examples")
        values, inverse = np.unique(labels, return_inverse=True)
        order = np.argsort(inverse, kind="stable").astype(np.int64)
        members = tuple(np.split(order, np.cumsum(np.bincount(inverse, minlength=len(values)))[:-1]))
        names = tuple(str(value) for value in values)
        parents = [(categories or {}).get(name, name) for name in names]
        category_names = tuple(dict.fromkeys(parents))
        return cls(
            examples=examples,
            members=members,
            class_names=names,
            categories=np.array([category_names.index(parent) for parent in parents], dtype=np.int64),
            category_names=category_names,
            source=source,
        )

    def __repr__(self) -> str:
        """Say what it is in a line: members and names can be thousands."""
        size = f"{len(self):,} examples, {self.classes:,} classes, {len(self.category_names):,} categories"
        return f"<Collection {self.source!r}: {size}>"

    def __len__(self) -> int:
        """How many examples it has."""
        return sum(len(numbers) for numbers in self.members)

    @property
    def classes(self) -> int:
        """How many classes it has."""
        return len(self.members)

    def classes_of(self, category: int) -> Numbers:
        """Return the numbers of a category's classes."""
        return np.flatnonzero(self.categories == category)

    def in_categories(self, names: Sequence[str], *, source: str | None = None) -> Collection:
        """Keep the classes of some categories.

        >>> both = Collection.from_labels(Rows(np.eye(2)), ["cat", "oak"], source="an example")
        >>> both.in_categories(["oak"]).class_names
        ('oak',)
        """
        for name in names:
            if name not in self.category_names:
                raise InputError("categories", repr(name), f"one of {', '.join(self.category_names)}")
        wanted = [self.category_names.index(name) for name in names]
        kept = self._with_classes([int(k) for k in np.flatnonzero(np.isin(self.categories, wanted))])
        return replace(kept, source=source or self.source)

    def keeping(self, numbers: Numbers, *, source: str | None = None) -> Collection:
        """Keep the examples of some numbers, in all classes."""
        members = tuple(members[np.isin(members, numbers)] for members in self.members)
        return replace(self, members=members, source=source or self.source)

    def flat(self) -> Collection:
        """Make each class a category of its own."""
        return replace(self, categories=np.arange(self.classes), category_names=self.class_names)

    def with_at_least(self, examples: int) -> Collection:
        """Leave out classes with fewer examples, and categories that this empties.

        >>> both = Collection.from_labels(Rows(np.eye(3)), ["cat", "cat", "oak"], source="an example")
        >>> both.with_at_least(2).class_names
        ('cat',)
        """
        return self._with_classes([k for k, members in enumerate(self.members) if len(members) >= examples])

    def _with_classes(self, kept: Sequence[int]) -> Collection:
        categories, renumbered = np.unique(self.categories[list(kept)], return_inverse=True)
        return replace(
            self,
            members=tuple(self.members[k] for k in kept),
            class_names=tuple(self.class_names[k] for k in kept),
            categories=renumbered.astype(np.int64),
            category_names=tuple(self.category_names[k] for k in categories),
        )
