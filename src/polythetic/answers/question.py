"""A question: labelled examples, and examples to be labelled, each with what people call it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from polythetic.pictures import Pictures, features_of
from polythetic.progress import Progress


@dataclass(frozen=True)
class Question:
    """Labelled examples, and others.

    Attributes:
        kind: what an example is, ``"row"`` or ``"picture"``.
        support: features of the labelled ones, a DataFrame or an array [n, F].
        support_names: what each is called: the number of a row, from 1, or a file.
        labels: of the labelled ones.
        query: features of the others.
        query_names: what each is called.
        truth: labels of the others, None where they are not known; None if none of them is.
        label: the column of labels, of a table.
    """

    kind: str
    support: Any
    support_names: tuple[str, ...]
    labels: tuple[str, ...]
    query: Any
    query_names: tuple[str, ...]
    truth: tuple[str | None, ...] | None
    label: str | None = None


def picture_question(encoder: str, support: Pictures, query: Pictures, *, progress: Progress | None = None) -> Question:
    """Encode labelled pictures and others."""
    features, more = features_of(encoder, support, query, progress=progress)
    return Question("picture", features, support.names, support.labels or (), more, query.names, query.labels)
