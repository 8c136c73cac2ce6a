"""Answering: a label for each example, how probable it is, and the labelled examples that decided."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import numpy as np

from polythetic.answers.answered import NONE, Answer, Answers, Decider
from polythetic.answers.question import Question
from polythetic.errors import DataError, InputError, PolytheticError
from polythetic.progress import Progress, Silent

if TYPE_CHECKING:
    from polythetic.estimators import Explanation, PolytheticClassifier, Witness

AT_ONCE = 500  # examples to answer for, so that what each labelled one says to each fits in memory
DECIDERS = 3  # labelled examples that are named with an answer


def answer(
    question: Question,
    *,
    prior: str = "support",
    missing: str = "error",
    none_rate: float | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> tuple[Answers, PolytheticClassifier]:
    """Answer a question, and return the classifier that did.

    Args:
        question: what is asked.
        prior: ``"support"``: classes are as common as among the labelled examples; ``"uniform"``: all alike.
        missing: ``"error"`` or ``"impute"``.
        none_rate: lets "none of these" be an answer, given to that share of the examples that are of the classes.
        seed: of the search for scores.
        progress: is told how far it is.

    >>> import numpy as np
    >>> x = np.array([[0.0, 1.0], [0.1, 3.0], [5.0, 2.0], [5.1, 1.5]])
    >>> asked = Question("row", x, ("1", "2", "3", "4"), ("low", "low", "high", "high"), x[2:3] + 0.05, ("1",), None)
    >>> answers, _ = answer(asked)
    >>> answers.answers[0].label, answers.counts
    ('high', {'high': 1})
    """
    from polythetic.estimators import PolytheticClassifier

    if none_rate is not None and not 0 < none_rate < 1:
        raise InputError("--none-of-these", none_rate, "a rate of false alarms between 0 and 1, 0.05 say")
    if none_rate is not None and NONE in question.labels:
        raise InputError("--none-of-these", none_rate, f"labels of which none is {NONE!r}; rename that class")
    classifier = PolytheticClassifier(
        prior=prior, missing=missing, random_state=seed, **({} if none_rate is None else {"novelty": none_rate})
    )
    progress = progress or Silent()
    progress.start("learning", 1)
    try:
        classifier.fit(question.support, list(question.labels))
    except PolytheticError:
        raise
    except ValueError as error:  # what scikit-learn has to say
        raise DataError(
            f"the labelled {question.kind}s cannot be learned from: {str(error).splitlines()[0]}"
        ) from error
    progress.start("answering", len(question.query_names))
    answers: list[Answer] = []
    for start in range(0, len(question.query_names), AT_ONCE):
        some = slice(start, start + AT_ONCE)
        answers += _some(question, classifier, some, none_rate)
        progress.advance(len(question.query_names[some]))
    names = question.support.columns if question.kind == "row" and hasattr(question.support, "columns") else []
    scores = dict(zip(map(str, names), classifier.feature_scores_.tolist(), strict=False))
    classes = Counter(question.labels)
    return (
        Answers(
            question.kind,
            tuple(answers),
            {str(label): classes[str(label)] for label in classifier.classes_},
            dict(sorted(scores.items(), key=lambda entry: -entry[1])),
            none_rate,
            float(classifier.calibration_error_),
        ),
        classifier,
    )


def _some(question: Question, classifier: PolytheticClassifier, some: slice, none_rate: float | None) -> list[Answer]:
    queries = question.query[some]
    why = classifier.explain(queries)
    p_values = None if none_rate is None else classifier.novelty_p_values(queries).tolist()
    classes = [str(label) for label in classifier.classes_]
    found = []
    for i, name in enumerate(question.query_names[some]):
        p = None if p_values is None else p_values[i]
        probabilities = dict(zip(classes, why.probabilities[i].tolist(), strict=True))
        found.append(
            Answer(
                name=name,
                label=NONE if p is not None and none_rate is not None and p <= none_rate else str(why.labels[i]),
                probability=max(probabilities.values()),
                probabilities=probabilities,
                p_value=p,
                truth=None if question.truth is None else question.truth[some][i],
                deciders=tuple(
                    Decider(row.row, question.support_names[row.row], str(row.label), row.share)
                    for row in _speakers(why, i)
                ),
            )
        )
    return found


def _speakers(why: Explanation, query: int) -> list[Witness]:
    """Return the labelled examples that spoke most for an answer; those against it explain another.

    Of thousands only a few are named: these are found without putting all in order.
    """
    from polythetic.estimators import Witness

    said = why.contributions[query]
    rows = np.flatnonzero(said > 0)
    if len(rows) > DECIDERS:
        least = np.partition(said[rows], -DECIDERS)[-DECIDERS]
        rows = rows[said[rows] >= least]  # all that are as good as the last, of which the first is taken
    rows = rows[np.argsort(-said[rows], kind="stable")][:DECIDERS]
    return [Witness(int(row), why.support_labels[row], float(said[row])) for row in rows]
