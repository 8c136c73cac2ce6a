"""N-way K-shot tasks from any collection, and the paper's Omniglot and tieredImageNet tasks."""

from __future__ import annotations

from polythetic.datasets.collection import Collection
from polythetic.episodes.chance import Span
from polythetic.episodes.grouped import GroupedTasks


def class_tasks(collection: Collection, *, ways: Span = 20, shots: Span = 5, queries: Span = 15) -> GroupedTasks:
    """N-way K-shot: each label is one class. The paper's Omniglot characters are 20-way 5-shot, 15 queries a class.

    >>> import numpy as np
    >>> from polythetic.datasets import from_arrays
    >>> tasks = class_tasks(from_arrays(np.eye(6), [0, 0, 0, 1, 1, 1]), ways=2, shots=(1, 2), queries=1)
    >>> tasks.batch(seed=0, start=0, stop=3).support_mask.sum(1)  # class sizes differ: rows of padding
    tensor([3, 3, 2])
    """
    return GroupedTasks(collection.flat(), ways=ways, shots=shots, queries=queries)


def alphabet_tasks(
    omniglot: Collection,
    *,
    ways: Span = 3,
    characters: Span = 13,
    shots: Span = 7,
    queries: Span = 13,
    replacement: bool = False,
) -> GroupedTasks:
    """Which alphabet is this character of? Three alphabets, 13 characters each, 7 drawings in the support, 13 asked.

    The authors draw alphabets with replacement, so that in one task of seven two classes are the same alphabet, which
    nothing can tell apart; ``replacement=True`` does as they do.
    """
    return GroupedTasks(omniglot, ways=ways, groups=characters, shots=shots, queries=queries, replacement=replacement)


def unseen_character_tasks(
    omniglot: Collection,
    *,
    ways: Span = 3,
    characters: Span = 7,
    query_characters: Span = 6,
    shots: Span = 7,
    queries: Span = 13,
) -> GroupedTasks:
    """Which alphabet, asked of characters that the support does not show: is there a style to an alphabet?"""
    return GroupedTasks(
        omniglot, ways=ways, groups=characters, query_groups=query_characters, shots=shots, queries=queries
    )


def hierarchy_tasks(
    tiered: Collection, *, categories: Span = 2, groups: Span = 5, shots: Span = 10, queries: Span = 10
) -> GroupedTasks:
    """Which category, C categories of G classes each: 10 pictures a class in the support, 10 asked.

    ``datasets.which_serve`` tells which categories have G classes; too few of them are refused with the counts.
    """
    return GroupedTasks(tiered, ways=categories, groups=groups, shots=shots, queries=queries)
