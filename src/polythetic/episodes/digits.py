"""Polythetic MNIST: pictures of four digits, classed by one attribute or by an XOR of several (§5, App. J)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np
from numpy.typing import NDArray

from polythetic.arguments import one_of, whole_number
from polythetic.datasets.collection import Collection
from polythetic.episodes.assembly import NONE, Drawn, Facts, Rows, Side, batch_of, padded
from polythetic.episodes.chance import Chance, Numbers, Span, check_span, ends
from polythetic.episodes.episode import Episode
from polythetic.episodes.quadrants import DIGITS, VALUES, Quadrants
from polythetic.errors import InputError

VERSIONS = ("clean", "colourless", "full")
DRAWS = 100  # of a monothetic task's values, before some are set aside for the classes that come late


@dataclass(frozen=True, eq=False)
class DigitTasks:
    """Tasks on pictures of four digits. A picture's attributes are its digits and, unless colourless, their colours.

    *Monothetic*: one attribute tells the classes apart. Class 0 takes some values of it, with replacement, class 1
    takes as many of those that class 0 did not take.
    *Polythetic*: two attributes, two values of each; class 1 is {a₀b₀, a₁b₁}, class 0 {a₀b₁, a₁b₀}, so that neither
    attribute tells anything alone. In general there are α attributes with v values each, and the label of a
    combination is 1 minus the sum of its values' numbers, modulo v: any α − 1 attributes tell nothing.
    A class has a group of examples for each of its values, or combinations. All other attributes are random.

    Labels are 0 and 1 (0 to ways − 1). Support and queries share no image of a digit. Recorded of each row:
    ``traits`` and ``number`` (see ``Quadrants``) and ``group``; of each task: ``active``, the attributes that matter,
    and ``polythetic``, 0 or 1.

    Attributes:
        digits: the digits that pictures are made from; those of training or those of evaluation.
        version: ``"clean"`` (quadrants with no active attribute are black), ``"colourless"`` or ``"full"``.
        polythetic: the share of polythetic tasks, from 0 to 1.
        interacting: α, the attributes of a polythetic task.
        groups: a class's groups; v^(α−1) for a whole number v, 2^(α−1) unless given.
        ways: classes a task; polythetic tasks have at most v. A number, or the least and the most.
        shots: examples of support a group; a number, or the least and the most.
        queries: queries a group; a number, or the least and the most.

    >>> from polythetic.datasets import mnist
    >>> tasks = DigitTasks(mnist("evaluation", source="embedded"), "full", polythetic=1)
    >>> tasks.batch(seed=0, start=0, stop=2).support.shape
    torch.Size([2, 96, 3, 56, 56])
    """

    digits: Collection
    version: str
    polythetic: float = 0.0
    interacting: int = 2
    groups: int | None = None
    ways: Span = 2
    shots: Span = 24
    queries: Span = 8

    def __post_init__(self) -> None:
        one_of("version", self.version, VERSIONS)
        if not isinstance(self.polythetic, int | float) or not 0 <= self.polythetic <= 1:
            raise InputError("polythetic", repr(self.polythetic), "a share from 0 to 1")
        check_span("ways", self.ways, least=2)
        check_span("shots", self.shots)
        check_span("queries", self.queries)
        whole_number("interacting", self.interacting, least=2, most=len(self.attributes))
        if self.groups is not None:
            whole_number("groups", self.groups, least=1)
        self._check_polythetic()
        self._check_monothetic()
        self._quadrants  # noqa: B018 - checks the digits

    def _check_polythetic(self) -> None:
        if self.polythetic == 0:
            return
        v, power = self.values, self.interacting - 1
        if v < 2 or v**power != self.class_groups:
            near = sorted({max(2, v + step) ** power for step in (-1, 0, 1)})
            raise InputError(
                "groups",
                self.class_groups,
                f"{' or '.join(map(str, near))}, say: {self.interacting} attributes with v values each make v^{power}",
            )
        if ends(self.ways)[1] > v:
            raise InputError("ways", self.ways, f"at most {v}, or more groups: polythetic tasks have a class a value")
        if len(self._able(v)) < self.interacting:
            raise InputError("groups", self.class_groups, f"fewer: {len(self._able(v))} attributes have {v} values")

    def _check_monothetic(self) -> None:
        if self.polythetic < 1 and not len(self._able(ends(self.ways)[1])):
            raise InputError("ways", self.ways, f"at most {DIGITS}: a class needs a value of its own")

    @property
    def attributes(self) -> Numbers:
        """The attributes of a picture, by their numbers in ``ATTRIBUTES``."""
        return np.arange(4 if self.version == "colourless" else 8)

    @property
    def class_groups(self) -> int:
        """Groups a class."""
        return self.groups or 2 ** (self.interacting - 1)

    @property
    def values(self) -> int:
        """v: the values that an attribute of a polythetic task takes."""
        return round(self.class_groups ** (1 / (self.interacting - 1)))

    @property
    def rows(self) -> Rows:
        """The most rows of support and queries."""
        groups = ends(self.ways)[1] * self.class_groups
        return Rows(groups * ends(self.shots)[1], groups * ends(self.queries)[1])

    @property
    def example_shape(self) -> tuple[int, ...]:
        """The shape of a picture."""
        return self._quadrants.shape

    @property
    def source(self) -> str:
        """Where its examples come from."""
        return self.digits.source

    def _able(self, values: int) -> Numbers:
        """The attributes that can take so many values."""
        return self.attributes[VALUES[self.attributes] >= values]

    @cached_property
    def _quadrants(self) -> Quadrants:
        return Quadrants(self.digits, coloured=self.version != "colourless")

    def batch(self, seed: int, start: int, stop: int) -> Episode:
        """Return tasks ``start`` to ``stop`` of the seed; each depends on the seed and its number alone."""
        return batch_of(self._draw, self._pictures, self.rows, seed=seed, start=start, stop=stop)

    def _pictures(self, facts: Facts) -> NDArray[np.float32]:
        return self._quadrants.paint(facts["traits"], facts["number"])

    def _draw(self, chance: Chance) -> Drawn:
        polythetic = chance.happens(self.polythetic)
        ways = chance.size(self.ways)
        active, values = self._polythetic(chance, ways) if polythetic else self._monothetic(chance, ways)
        support, query = (self._traits(chance, active, values, size) for size in (self.shots, self.queries))
        support_numbers, query_numbers = self._quadrants.images(support.facts["traits"], query.facts["traits"], chance)
        return Drawn(
            Side(support.labels, support.facts | {"number": support_numbers}),
            Side(query.labels, query.facts | {"number": query_numbers}),
            {"active": padded(active, self.interacting), "polythetic": np.array(int(polythetic))},
        )

    def _monothetic(self, chance: Chance, ways: int) -> tuple[Numbers, Numbers]:
        """Choose one attribute, [1], and the values that make each class's groups, [ways, groups, 1]."""
        able = self._able(ways)
        active = able[chance.below(len(able), 1)]
        return active, np.stack(self._values_apart(chance, int(VALUES[active[0]]), ways))[..., None]

    def _values_apart(self, chance: Chance, count: int, ways: int) -> list[Numbers]:
        """Draw a value for each group of each class, of those below ``count`` that no class before it took."""
        for _ in range(DRAWS):
            left = np.arange(count)
            values: list[Numbers] = []
            while len(left) and len(values) < ways:
                values.append(left[chance.below(len(left), self.class_groups)])
                left = np.setdiff1d(left, values[-1])
            if len(values) == ways:
                return values
        # So many groups that the first classes take all there is: each leaves a value for every class after it.
        left, values = chance.shuffled(np.arange(count)), []
        for later in reversed(range(ways)):
            values.append(left[chance.below(len(left) - later, self.class_groups)])
            left = left[~np.isin(left, values[-1])]
        return values

    def _polythetic(self, chance: Chance, ways: int) -> tuple[Numbers, Numbers]:
        """Choose α attributes, [α], and the combinations that make each class's groups, [ways, groups, α]."""
        alpha, v = self.interacting, self.values
        able = self._able(v)
        active = able[chance.distinct(len(able), alpha)]
        values = np.stack([chance.distinct(int(VALUES[attribute]), v) for attribute in active])  # [α, v]
        combinations = np.array(list(product(range(v), repeat=alpha)))  # [v^α, α]
        label = (1 - combinations.sum(1)) % v
        return active, np.stack([values[np.arange(alpha), combinations[label == k]] for k in range(ways)])

    def _traits(self, chance: Chance, active: Numbers, values: Numbers, size: Span) -> Side:
        """Draw rows of each group: the active attributes are the group's, the others random; none where none is."""
        ways, groups, _ = values.shape
        sizes = chance.between(size, ways * groups)
        label, group = (np.repeat(ids.ravel(), sizes) for ids in np.indices((ways, groups)))
        order = chance.shuffled(np.arange(len(label)))
        label, group = label[order], group[order]
        traits = (chance.uniform(len(label), 8) * VALUES).astype(np.int64)
        traits[:, active] = values[label, group]
        if self.version == "colourless":
            traits[:, 4:] = NONE
        if self.version == "clean":
            idle = np.setdiff1d(np.arange(4), active % 4)
            traits[:, np.concatenate([idle, idle + 4])] = NONE
        return Side(label, {"traits": traits, "group": group})
