"""What was answered: a label for each example, how probable it is, what decided, and how much of it is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

NONE = "none of these"


class Decider(NamedTuple):
    """A labelled example that spoke for an answer."""

    number: int  # among the labelled ones, from 0
    name: str
    label: str
    share: float  # of all that was said, for the answer and against it


@dataclass(frozen=True)
class Answer:
    """An answer, and why.

    Attributes:
        name: of the example.
        label: the answer; it may be ``NONE`` if that was allowed.
        probability: of the most probable class, whatever the answer.
        probabilities: of each class.
        p_value: how many labelled examples, of the classes, are as far from others; None if it was not asked.
        truth: the right answer, if it is known.
        deciders: the labelled examples that spoke most for the most probable class.
    """

    name: str
    label: str
    probability: float
    probabilities: Mapping[str, float]
    p_value: float | None
    truth: str | None
    deciders: tuple[Decider, ...]

    @property
    def is_of_a_class(self) -> bool:
        """Whether the answer is a class, and not "none of these"."""
        return self.label in self.probabilities

    @property
    def is_right(self) -> bool | None:
        """Whether it is right; of another class than those that were shown, "none of these" is."""
        if self.truth is None:
            return None
        return self.label == (self.truth if self.truth in self.probabilities else NONE)


class Tally(NamedTuple):
    """How many answers are right, of how many."""

    right: int
    of: int

    def __str__(self) -> str:
        return f"{self.right:,} of {self.of:,}"


@dataclass(frozen=True)
class Answers:
    """All answers to a question.

    Attributes:
        kind: what an example is, ``"row"`` or ``"picture"``.
        answers: one for each, in order.
        classes: how many labelled examples there are of each class.
        scores: of the columns, the highest first.
        none_rate: the rate of false alarms of "none of these"; None if that was no answer.
        calibration_error: how far certainty and accuracy are apart, each labelled example answered from the others.
    """

    kind: str
    answers: tuple[Answer, ...]
    classes: Mapping[str, int]
    scores: Mapping[str, float]
    none_rate: float | None
    calibration_error: float

    @property
    def counts(self) -> dict[str, int]:
        """How often each answer was given, the commonest first."""
        return dict(Counter(answer.label for answer in self.answers).most_common())

    @property
    def labels(self) -> list[str]:
        """Every label that there is: the classes, others that are right answers, and "none of these" if it is one."""
        others = {answer.truth for answer in self.answers if answer.truth is not None} - set(self.classes)
        return [*self.classes, *sorted(others), *([] if self.none_rate is None else [NONE])]

    @property
    def accuracy(self) -> Tally | None:
        """How many answers are right, of those where that is known."""
        known = [answer.is_right for answer in self.answers if answer.is_right is not None]
        return Tally(sum(known), len(known)) if known else None

    @property
    def accuracies(self) -> dict[str, Tally]:
        """The same for each class that they should have been."""
        known = [answer for answer in self.answers if answer.truth is not None]
        right = Counter(answer.truth for answer in known if answer.is_right)
        counts = Counter(str(answer.truth) for answer in known)
        return {label: Tally(right[label], count) for label, count in sorted(counts.items())}
