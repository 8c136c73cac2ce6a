"""The settings of the Boolean page, and the task that they draw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from polythetic.arguments import one_of, whole_number
from polythetic.errors import InputError
from polythetic.explore.remembered import depends_on

if TYPE_CHECKING:
    from torch import Tensor

    from polythetic.attention import Temperature
    from polythetic.episodes import BooleanTasks
    from polythetic.pipeline import Method

MOST_BITS, MOST_IRRELEVANT, MOST_ROWS, MOST_ROUNDS = 6, 60, 256, 30
QUERIES = 256  # a multiple of 2^α for every α there is
SCORERS = ("none", "FS", "R")
CLASSIFIERS = ("MN", "PN", "NN", "IMP")
SIMILARITIES = ("dot", "cosine", "euclidean", "laplace")

# Settings by what they change: the task, self-attention on it, and the answers to queries.
TASK = ("function", "bits", "irrelevant", "rows", "design", "seed")
ATTENTION = ("similarity", "temperature", "rounds")
ANSWER = ("scorer", "classifier", "classifier_similarity", "classifier_temperature")


@dataclass(frozen=True)
class BooleanView:
    """What is on the page.

    Attributes:
        function: of the bits that matter: xor, one of two bits by name, or one of three as its eight values: 00010111.
        bits: how many matter; the first ones.
        irrelevant: how many more there are.
        rows: of the support. If balanced, the nearest number that has every variant of the bits as often as the others.
        design: ``"balanced"`` or ``"iid"``.
        similarity: of self-attention.
        temperature: of self-attention.
        rounds: of self-attention.
        round: the one that is shown.
        scorer: ``"none"``, ``"FS"`` or ``"R"``.
        classifier: ``"MN"``, ``"PN"``, ``"NN"`` or ``"IMP"``.
        classifier_similarity: of MN and PN.
        classifier_temperature: of MN and PN.
        seed: fixes the bits drawn.
    """

    function: str = "xor"
    bits: int = 2
    irrelevant: int = 3
    rows: int = 100  # fewer, and chance keeps some of the noise from fading
    design: str = "balanced"
    similarity: str = "dot"
    temperature: Temperature = "auto"  # a number would be right for one number of bits alone
    rounds: int = 10
    round: int = 0
    scorer: str = "FS"
    classifier: str = "MN"
    classifier_similarity: str = "euclidean"
    classifier_temperature: Temperature = "auto"
    seed: int = 0

    def __post_init__(self) -> None:
        from polythetic.attention import check_temperature

        whole_number("bits", self.bits, least=1, most=MOST_BITS)
        whole_number("irrelevant", self.irrelevant, least=0, most=MOST_IRRELEVANT)
        whole_number("rows", self.rows, least=2, most=MOST_ROWS)
        whole_number("rounds", self.rounds, least=0, most=MOST_ROUNDS)
        whole_number("round", self.round, least=0, most=self.rounds, meaning="of the rounds there are")
        whole_number("seed", self.seed, least=0, most=2**31)
        one_of("scorer", self.scorer, SCORERS)
        one_of("classifier", self.classifier, CLASSIFIERS)
        for name in ("similarity", "classifier_similarity"):
            one_of(name, getattr(self, name), SIMILARITIES)
        for temperature in (self.temperature, self.classifier_temperature):
            check_temperature(temperature)
        if self.truth_table is not None and (self.bits != 3 or len(set(self.truth_table)) < 2):
            raise InputError("function", repr(self.function), "eight values of three bits (bits=3), not all the same")

    @property
    def truth_table(self) -> tuple[int, ...] | None:
        """The values, −1 or 1, of a function of three bits that is given by them, in the order of ``sign_vectors``."""
        if len(self.function) == 8 and set(self.function) <= {"0", "1"}:
            return tuple(2 * int(value) - 1 for value in self.function)
        return None

    @property
    def axes(self) -> list[int]:
        """The features that vectors are drawn by: two that matter and one that does not, if there are so many."""
        matter = range(self.bits)[: 2 if self.irrelevant else 3]
        rest = range(self.bits, self.bits + self.irrelevant)[: 3 - len(matter)]
        return [*matter, *rest]

    @property
    def tasks(self) -> BooleanTasks:
        """The suite that the task is drawn from; where a truth table is given, labels are to be made anew."""
        from polythetic.episodes import BooleanTasks

        sizes: dict[str, Any] = {"rows": self.rows}
        if self.design == "balanced":
            sizes = {"repetitions": max(1, round(self.rows / 2**self.bits))}
        return BooleanTasks(
            n=self.bits + self.irrelevant,
            alpha=self.bits,
            design=self.design,
            query_rows=QUERIES,
            function="xor" if self.truth_table else self.function,
            active_sets=(tuple(range(self.bits)),),
            **sizes,
        )

    @property
    def method(self) -> Method:
        """Selection and classifier."""
        from polythetic.classifiers import Matching, Method, Prototypes, Selection, method_named
        from polythetic.refinement import RefinedScorer
        from polythetic.selection import AttentionScorer

        classifier: Any = {"MN": Matching, "PN": Prototypes}.get(self.classifier)
        if classifier is None:
            classifier = method_named(self.classifier).classifier
        else:
            classifier = classifier(self.classifier_similarity, self.classifier_temperature)
        if self.scorer == "none":
            return Method(classifier)
        if self.scorer == "R":
            return Method(classifier, Selection(RefinedScorer(), rescale="raw"))
        return Method(classifier, Selection(AttentionScorer(self.temperature, self.rounds, self.similarity)))


class Drawn(NamedTuple):
    """One task."""

    support: Tensor  # [n, F], −1 and 1
    labels: Tensor  # [n], −1 and 1
    query: Tensor
    truth: Tensor


@depends_on(*TASK)
def draw(view: BooleanView) -> Drawn:
    """Draw the task.

    >>> view = BooleanView(function="00010111", bits=3, rows=8, irrelevant=0)  # the majority of three bits
    >>> drawn = draw(view)
    >>> bool(((drawn.support.sum(1) > 0) == (drawn.labels > 0)).all())
    True
    """
    episode = view.tasks.batch(view.seed, 0, 1)
    support, query = episode.support[0], episode.query[0]
    labels, truth = episode.support_labels[0], episode.query_labels[0]
    if view.truth_table is not None:
        labels, truth = (tabulated(view.truth_table, x) for x in (support, query))
    if len(labels.unique()) < 2:
        raise InputError("rows", view.rows, "more rows, or another seed: all rows of this support are of one class")
    return Drawn(support, labels, query, truth)


def tabulated(truth_table: tuple[int, ...], x: Tensor) -> Tensor:
    """Look the labels of rows up by their first three bits, the first of which counts most."""
    import torch

    place = ((x[:, :3] > 0).long() * torch.tensor([4, 2, 1])).sum(1)
    return torch.tensor(truth_table)[place]
