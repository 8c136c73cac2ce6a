"""Answers as files: CSV for a spreadsheet, JSON for a program."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from io import StringIO
from json import dumps
from pathlib import Path
from typing import Any

from polythetic.answers.answered import Answer, Answers
from polythetic.answers.answering import DECIDERS
from polythetic.files import write_atomically

DIGITS = 6  # of probabilities and shares


def facts_of(answers: Answers) -> dict[str, Any]:
    """Return answers and what goes with them as plain values.

    ``classes`` counts labelled examples, ``answered`` answers; ``accuracy`` is None where no right answer is known.
    """
    total = sum(answers.scores.values()) or 1.0
    known = answers.accuracy
    return {
        "classes": dict(answers.classes),
        "none_of_these": answers.none_rate,
        "calibration_error": round(answers.calibration_error, DIGITS),
        "columns": [
            {"column": name, "score": round(score, DIGITS), "share": round(score / total, DIGITS)}
            for name, score in answers.scores.items()
        ],
        "answered": answers.counts,
        "accuracy": None
        if known is None
        else {
            **_tally(known.right, known.of),
            "classes": {label: _tally(tally.right, tally.of) for label, tally in answers.accuracies.items()},
        },
        "answers": [_answer(answers, answer) for answer in answers.answers],
    }


def write_json(path: Path, facts: Mapping[str, Any]) -> None:
    """Write them to a file, whole or not at all."""
    write_atomically(path, f"{dumps(facts, ensure_ascii=False, indent=1)}\n".encode(errors="backslashreplace"))


def write_csv(path: Path, answers: Answers) -> None:
    """Write a line for each answer, whole or not at all."""
    lines = StringIO()
    writer = csv.writer(lines, lineterminator="\n")
    header = [noun(answers), "label", "probability"]
    known, asked = answers.accuracy is not None, answers.none_rate is not None
    header += ["truth"] * known + ["p_none"] * asked
    header += [f"probability of {label}" for label in answers.classes]
    for place in range(1, DECIDERS + 1):
        header += [f"decider {place}", f"label of decider {place}", f"share of decider {place}"]
    writer.writerow(header)
    for answer in answers.answers:
        line: list[Any] = [answer.name, answer.label, round(answer.probability, DIGITS)]
        line += [answer.truth or ""] * known
        line += [round(answer.p_value, DIGITS)] if answer.p_value is not None else []
        line += [round(p, DIGITS) for p in answer.probabilities.values()]
        for decider in answer.deciders:
            line += [decider.name, decider.label, round(decider.share, DIGITS)]
        writer.writerow([*line, *[""] * (len(header) - len(line))])  # there may be fewer who speak for an answer
    write_atomically(path, lines.getvalue().encode(errors="backslashreplace"))


def noun(answers: Answers) -> str:
    """Call what tells examples apart: the number of a row, or a file."""
    return "row" if answers.kind == "row" else "file"


def _answer(answers: Answers, answer: Answer) -> dict[str, Any]:
    name = noun(answers)
    facts: dict[str, Any] = {
        name: _named(answers, answer.name),
        "label": answer.label,
        "probability": round(answer.probability, DIGITS),
        "probabilities": {label: round(p, DIGITS) for label, p in answer.probabilities.items()},
    }
    if answers.none_rate is not None and answer.p_value is not None:
        facts["p_none"] = round(answer.p_value, DIGITS)
    if answers.accuracy is not None:
        facts["truth"] = answer.truth
    facts["deciders"] = [
        {name: _named(answers, decider.name), "label": decider.label, "share": round(decider.share, DIGITS)}
        for decider in answer.deciders
    ]
    return facts


def _named(answers: Answers, name: str) -> str | int:
    return int(name) if answers.kind == "row" else name


def _tally(right: int, of: int) -> dict[str, float]:
    return {"right": right, "of": of, "share": round(right / of, DIGITS)}
