"""The page of answers: each with its probability and what decided it, in one HTML file that needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from polythetic._version import __version__
from polythetic.answers import Answer, Answers, Question
from polythetic.files import write_atomically
from polythetic.pictures import Pictures
from polythetic.report.numbers import tidy
from polythetic.report.thumbnails import data_uri, is_plain

MOST_ANSWERS = 200  # on the page; all are in the CSV
MOST_COLUMNS = 12  # as bars
MOST_VALUES = 5  # columns whose values are shown beside an answer
MOST_CLASSES = 4  # whose probabilities are shown beside an answer
OPEN = 3  # answers of a table that are unfolded at the start


def write_answers_page(
    path: Path,
    answers: Answers,
    question: Question,
    *,
    support: str,
    query: str,
    pictures: tuple[Pictures, Pictures] | None = None,
    encoder: str | None = None,
    score_map: str | None = None,
) -> None:
    """Write the page, with all pictures inside it.

    Args:
        path: of the page.
        answers: what it shows; if they are many, those that are wrong or least certain.
        question: what was asked.
        support: what to call the labelled examples.
        query: what to call the others.
        pictures: both, if they are pictures.
        encoder: what encoded them.
        score_map: a picture of the scores, if features are pixels.
    """
    from jinja2 import Environment, PackageLoader

    environment = Environment(
        loader=PackageLoader("polythetic.report", "."), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["percent"] = percent
    environment.filters["value"] = _value
    chosen = worth_showing(answers.answers)
    thumbs = Thumbs(*pictures) if pictures is not None else None
    page = environment.get_template("answers.html").render(
        answers=answers,
        items=[_item(answers, question, number, thumbs) for number in chosen],
        query=query,
        support=support,
        encoder=encoder,
        score_map=score_map,
        columns=_bars(answers.scores),
        more_columns=max(0, len(answers.scores) - MOST_COLUMNS),
        thumbs=thumbs,
        unfolded=OPEN,
        version=__version__,
    )
    write_atomically(path, page.encode(errors="backslashreplace"))


def worth_showing(answers: Sequence[Answer], most: int = MOST_ANSWERS) -> list[int]:
    """Return which answers to show, in order: all, or if they are many the wrong ones and the least certain."""
    numbers = sorted(range(len(answers)), key=lambda i: (answers[i].is_right is not False, answers[i].probability))
    return sorted(numbers[:most])


def percent(share: float) -> str:
    r"""Write a share as a percentage, and nothing as certain that is not.

    >>> percent(0.9996), percent(0.42), percent(0.061), percent(0.05), percent(1e-9)
    ('> 99.9\xa0%', '42\xa0%', '6.1\xa0%', '5\xa0%', '< 0.1\xa0%')
    """
    size = 100 * share
    if 0 < size < 0.1:
        return "< 0.1\u00a0%"
    if 99.9 < size < 100:
        return "> 99.9\u00a0%"
    written = f"{size:.0f}" if 9.95 <= size <= 99 else f"{size:.1f}".removesuffix(".0")
    return f"{written}\u00a0%"


@dataclass
class Thumbs:
    """Small pictures, by number, made when they are first asked for."""

    support: Pictures
    query: Pictures
    made: dict[tuple[bool, int], tuple[str, bool]] = field(default_factory=dict)

    def number(self, labelled: bool, row: int) -> int:
        """Return the number of a picture among those made."""
        key = (labelled, row)
        if key not in self.made:
            image = (self.support if labelled else self.query).opened(row)
            self.made[key] = data_uri(image), is_plain(image)
        return list(self.made).index(key)


def _item(answers: Answers, question: Question, number: int, thumbs: Thumbs | None) -> dict[str, Any]:
    answer = answers.answers[number]
    likely = sorted(answer.probabilities.items(), key=lambda entry: -entry[1])[:MOST_CLASSES]
    item: dict[str, Any] = {"answer": answer, "likely": likely, "left": len(answer.probabilities) - len(likely)}
    if thumbs is not None:
        item["thumb"] = thumbs.number(False, number)
        item["deciders"] = [(decider, thumbs.number(True, decider.number)) for decider in answer.deciders]
        return item
    shown = list(answers.scores)[:MOST_VALUES]
    item["columns"] = shown
    item["values"] = [question.query[name][number] for name in shown]
    item["deciders"] = [
        (decider, [question.support[name][decider.number] for name in shown]) for decider in answer.deciders
    ]
    return item


def _bars(scores: Mapping[str, float]) -> list[tuple[str, float, float]]:
    """Return the columns of the highest scores: name, share of all, length of its bar."""
    total, highest = sum(scores.values()) or 1.0, max(scores.values(), default=0.0) or 1.0
    return [(name, score / total, score / highest) for name, score in list(scores.items())[:MOST_COLUMNS]]


def _value(value: Any) -> str:
    if value is None or value != value:
        return "–"
    return tidy(value) if isinstance(value, float) else str(value)
