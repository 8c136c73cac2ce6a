"""The groups of a polythetic MNIST task: which rows they are, and what their pictures have in common, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from polythetic.arguments import one_of
from polythetic.episodes.chance import Numbers
from polythetic.episodes.episode import Episode
from polythetic.episodes.quadrants import COLOURS, QUADRANTS


class Group(NamedTuple):
    """Examples of one class that are alike in what matters. Class and group are numbered as the episode records."""

    label: int
    number: int
    rows: Numbers  # of the support or of the queries
    traits: Mapping[int, int]  # the value of each active attribute

    @property
    def words(self) -> str:
        """What the pictures have in common."""
        return ", ".join(phrases(self.traits).values())


def phrases(traits: Mapping[int, int]) -> dict[int, str]:
    """Put traits into words, a phrase for each quadrant by its number; those with a digit first.

    >>> phrases({2: 1, 7: 0})
    {2: '1 bottom-left', 3: 'red bottom-right'}
    >>> phrases({0: 3, 4: 1})
    {0: 'green 3 top-left'}
    """
    found = {}
    for quadrant in dict.fromkeys(attribute % 4 for attribute in sorted(traits)):
        colour = [COLOURS[traits[quadrant + 4]]] if quadrant + 4 in traits else []
        digit = [str(traits[quadrant])] if quadrant in traits else []
        found[quadrant] = " ".join([*colour, *digit, QUADRANTS[quadrant]])
    return found


def groups_of(episode: Episode, side: str = "support", task: int = 0) -> list[Group]:
    """Find the groups of one task of a batch, by class and number, from what the episode records of its rows."""
    one_of("side", side, ("support", "query"))
    labels = (episode.support_labels if side == "support" else episode.query_labels)[task].numpy()
    group, traits = (episode.attributes[f"{side}_{name}"][task].numpy() for name in ("group", "traits"))
    active = [attribute for attribute in episode.attributes["active"][task].tolist() if attribute >= 0]
    found = []
    for label, number in sorted(set(zip(labels[group >= 0].tolist(), group[group >= 0].tolist(), strict=True))):
        rows = np.flatnonzero((labels == label) & (group == number))
        found.append(Group(label, number, rows, {attribute: int(traits[rows[0], attribute]) for attribute in active}))
    return found
