"""Your table: what its columns have to do with a label, and labels for rows that were held out. Nothing is kept."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from polythetic.errors import InputError
from polythetic.explore.private import private_folder
from polythetic.explore.table_view import TableView, ensure_filled, offered, read, without
from polythetic.explore.whole import Whole
from polythetic.progress import Progress

if TYPE_CHECKING:
    import polars as pl

    from polythetic.answers import Answers, Question
    from polythetic.estimators import PolytheticClassifier
    from polythetic.table_scores import TableScores

MOST_SHOWN = 200  # rows and columns on the page; files have them all
DIGITS = 6

# How long parts take beside each other, about: on 300 to 4000 rows of 20 columns without a pattern, which take longest.
SCORING = {"R": {"refining scores": 50, "permuting labels": 3}, "FS": {"permuting labels": 3}}
ANSWERING = {"learning": 40, "answering": 3}  # learning does not tell its steps: it stands still, and is done at once


def own_table(view: TableView, progress: Progress, content: bytes) -> Mapping[str, Any]:
    """Say what the page shows of a table."""
    from polythetic.explore.code import table_lines
    from polythetic.report.score_words import sentences
    from polythetic.table_scores import score_table
    from polythetic.tables import check_classes, split_label

    if not content:  # the address was read, and is all right
        return {}
    table = read(view, content)
    columns = offered(table)
    if not view.label:
        return {"columns": columns, "rows": table.height}
    table = without(view, table)
    features, labels = split_label(table, view.label)
    check_classes(view.label, labels)
    ensure_filled(view, table)
    progress = Whole(progress, SCORING[view.method] | ANSWERING)
    scores = score_table(features, labels, method=view.method, missing=view.missing, seed=view.seed, progress=progress)
    return {
        "columns": columns,
        "rows": table.height,
        "classes": scores.classes,
        "scores": _scores(scores)[:MOST_SHOWN],
        "scores_csv": _as_csv(scores),
        "left_out": scores.left_out,
        "words": sentences(scores, more_permutations=False),  # the page has no control for them
        "code": table_lines(view),
        **_answered(view, held_out(view, table, list(scores.left_out)), progress),
    }


def held_out(view: TableView, table: pl.DataFrame, left_out: list[str]) -> Question:
    """Hold out a share of the rows, and those without a label; if there are none, all is there to learn from."""
    import numpy as np

    from polythetic.answers import Question
    from polythetic.tables import words_of

    words = words_of(table[view.label]).fill_null("")
    known = np.flatnonzero((words != "").to_numpy())
    some = np.random.default_rng(view.seed).permutation(known)[: round(view.held_out * len(known))]
    held = sorted({*some.tolist(), *np.flatnonzero((words == "").to_numpy()).tolist()})
    kept = [row for row in known.tolist() if row not in set(held)]
    if len(set(words[kept])) < 2:
        raise InputError("held_out", view.held_out, "a share that leaves rows of two classes to learn from")
    features = table.drop(view.label, *left_out)
    return Question(
        "row",
        features[kept],
        tuple(str(row + 1) for row in kept),
        tuple(words[kept]),
        features[held],
        tuple(str(row + 1) for row in held),
        tuple(word or None for word in words[held]),
        view.label,
    )


def _answered(view: TableView, question: Question, progress: Progress) -> dict[str, Any]:
    from polythetic.answers import answer
    from polythetic.answers.files import facts_of

    answers, classifier = answer(question, missing=view.missing, seed=view.seed, progress=progress)
    facts = facts_of(answers)
    csv, saved = _files(answers, classifier)
    return {
        "learned_from": len(question.labels),
        "accuracy": facts["accuracy"],
        "answers": facts["answers"][:MOST_SHOWN],
        "answered": len(facts["answers"]),
        "answers_csv": csv.decode(),
        "classifier": b64encode(saved).decode(),
    }


def _files(answers: Answers, classifier: PolytheticClassifier) -> tuple[bytes, bytes]:
    from polythetic.answers.files import write_csv

    with private_folder() as folder:
        write_csv(folder / "answers.csv", answers)
        classifier.save(folder / "classifier.safetensors")
        return (folder / "answers.csv").read_bytes(), (folder / "classifier.safetensors").read_bytes()


def _scores(scores: TableScores) -> list[dict[str, Any]]:
    return [
        {"column": name, "score": round(score, DIGITS), "p": p}
        for name, score, p in zip(scores.names, scores.scores, scores.alone, strict=True)
    ]


def _as_csv(scores: TableScores) -> str:
    """Write the scores as polythetic score does: a line for each column, the highest first."""
    import polars as pl

    columns = {"column": scores.names, "score": scores.scores, "p": scores.alone}
    return pl.DataFrame({name: list(values) for name, values in columns.items()}).with_row_index("rank", 1).write_csv()
