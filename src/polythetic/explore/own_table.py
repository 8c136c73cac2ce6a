"""Your table: what its columns have to do with a label, and labels for rows that were held out. Nothing is kept."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from polythetic.arguments import one_of, whole_number
from polythetic.errors import DataError, InputError
from polythetic.explore.private import private_folder
from polythetic.progress import Progress

if TYPE_CHECKING:
    import polars as pl

    from polythetic.answers import Answers, Question
    from polythetic.estimators import PolytheticClassifier
    from polythetic.table_scores import TableScores

ENDINGS = (".csv", ".tsv", ".tab")
MOST_CLASSES = 50  # of a column that is offered as a label first
MOST_SHOWN = 200  # rows and columns on the page; files have them all
DIGITS = 6


@dataclass(frozen=True)
class TableView:
    """What is on the page.

    Attributes:
        name: of the file; its ending says how columns are separated.
        label: the column of classes; none yet: only the columns are wanted.
        drop: columns to leave out.
        method: of scoring, ``"R"`` or ``"FS"``.
        missing: ``"error"`` or ``"impute"``.
        held_out: the share of labelled rows to be labelled again; rows without a label are, too.
        seed: fixes which rows, permutations, and the chance in R.
    """

    name: str = "table.csv"
    label: str = ""
    drop: tuple[str, ...] = ()
    method: str = "R"
    missing: str = "error"
    held_out: float = 0.2
    seed: int = 0

    def __post_init__(self) -> None:
        from polythetic.estimators.columns import MISSING
        from polythetic.table_scores import METHODS

        one_of("method", self.method, METHODS)
        one_of("missing", self.missing, MISSING)
        whole_number("seed", self.seed, least=0, most=2**31)
        if not 0 <= self.held_out <= 0.5:
            raise InputError("held_out", self.held_out, "a share from 0 to 0.5 of the rows")
        if self.ending not in ENDINGS:
            raise InputError("name", repr(self.name), f"a file ending in {', '.join(ENDINGS)}")

    @property
    def ending(self) -> str:
        """Of the file's name."""
        return Path(self.name.lower()).suffix


def own_table(view: TableView, progress: Progress, content: bytes) -> Mapping[str, Any]:
    """Say what the page shows of a table."""
    from polythetic.explore.code import table_lines
    from polythetic.report.score_words import sentences
    from polythetic.table_scores import score_table
    from polythetic.tables import check_classes, split_label

    table = read(view, content)
    columns = offered(table)
    if not view.label:
        return {"columns": columns, "rows": table.height}
    table = without(view, table)
    features, labels = split_label(table, view.label)
    check_classes(view.label, labels)
    scores = score_table(features, labels, method=view.method, missing=view.missing, seed=view.seed, progress=progress)
    shown = {
        "columns": columns,
        "rows": table.height,
        "classes": scores.classes,
        "scores": _scores(scores),
        "left_out": scores.left_out,
        "words": sentences(scores),
        "code": table_lines(view),
    }
    split = held_out(view, table, list(scores.left_out))
    return shown | ({} if split is None else _answered(view, split, progress))


def read(view: TableView, content: bytes) -> pl.DataFrame:
    """Read a table from what was sent, which stays in memory; messages call it by its own name."""
    from polythetic.tables import read_table

    with private_folder() as folder:
        path = folder / f"table{view.ending}"
        path.write_bytes(content)
        try:
            return read_table(path, as_written=[view.label] if view.label else [])
        except DataError as error:
            raise DataError(str(error).replace(str(path), view.name)) from None


def offered(table: pl.DataFrame) -> list[dict[str, Any]]:
    """List the columns, with how many different values each has, and whether it may be a label."""
    found = []
    for column in table.iter_columns():
        different = column.drop_nulls().n_unique()
        found.append({"name": column.name, "values": different, "label": 2 <= different <= MOST_CLASSES})
    return found


def without(view: TableView, table: pl.DataFrame) -> pl.DataFrame:
    """Leave out the columns that are not wanted."""
    from polythetic.datasets.table import check_column

    for name in view.drop:
        check_column("drop", name, table.columns)
        one_of("drop", name, [other for other in table.columns if other != view.label])
    return table.drop(view.drop)


class Split(NamedTuple):
    """The table in two."""

    question: Question
    held: list[int]  # rows that were held out, or have no label; from 0


def held_out(view: TableView, table: pl.DataFrame, left_out: list[str]) -> Split | None:
    """Hold out a share of the rows, and those without a label; None if there are none."""
    import numpy as np
    import polars as pl

    from polythetic.answers import Question

    words = table[view.label].cast(pl.String).str.strip_chars().fill_null("")
    known = np.flatnonzero((words != "").to_numpy())
    some = np.random.default_rng(view.seed).permutation(known)[: round(view.held_out * len(known))]
    held = sorted({*some.tolist(), *np.flatnonzero((words == "").to_numpy()).tolist()})
    kept = [row for row in known.tolist() if row not in set(held)]
    if not held:
        return None
    if len(set(words[kept])) < 2:
        raise InputError("held_out", view.held_out, "a share that leaves rows of two classes to learn from")
    features = table.drop(view.label, *left_out)
    question = Question(
        "row",
        features[kept],
        tuple(str(row + 1) for row in kept),
        tuple(words[kept]),
        features[held],
        tuple(str(row + 1) for row in held),
        tuple(word or None for word in words[held]),
        view.label,
    )
    return Split(question, held)


def _answered(view: TableView, split: Split, progress: Progress) -> dict[str, Any]:
    from polythetic.answers import answer
    from polythetic.answers.files import facts_of

    answers, classifier = answer(split.question, missing=view.missing, seed=view.seed, progress=progress)
    facts = facts_of(answers)
    csv, saved = _files(answers, classifier)
    return {
        "learned_from": len(split.question.labels),
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
        for name, score, p in list(zip(scores.names, scores.scores, scores.alone, strict=True))[:MOST_SHOWN]
    ]
