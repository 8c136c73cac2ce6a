"""What the tutorial says of the reader's own table is what happens to it."""

import re
from pathlib import Path

import polars as pl
import pytest
from typer.testing import CliRunner

from tests.docs.pages import text_of
from tests.docs.running import app, polythetic, put_readers_own

TUTORIAL = text_of("docs/tutorial.md")
SEMICOLONS, GAPS = re.findall(r"^\| `(.*?)` \|", TUTORIAL, re.MULTILINE)
SCORE = ["score", "mine.csv", "--label", "COLUMN"]


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    put_readers_own(tmp_path)


def refused(words):
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 2
    return done.stderr


def test__one_file_given_twice__rows_without_a_label__are_answered_and_have_no_truth():
    polythetic(["classify", "mine.csv", "mine.csv", "--label", "COLUMN"])
    answers = pl.read_csv("classified/answers.csv")
    assert answers.height == 60
    assert answers.filter(pl.col("truth").is_null())["row"].to_list() == list(range(41, 61))
    assert (answers["decider 1"] == answers["row"]).any()  # so that the accuracy is not to be trusted


def test__semicolons__are_refused_as_quoted__and_the_remedy_helps():
    table = pl.read_csv("mine.csv").with_columns(size=pl.int_range(pl.len()) / 4)
    Path("mine.csv").write_text(table.write_csv(separator=";").replace(".", ","), encoding="utf-8")
    assert SEMICOLONS in refused(SCORE)
    exec(re.search(r"`(pl\.read_csv\(.*?)`", TUTORIAL)[1], {"pl": pl})
    assert pl.read_csv("commas.csv").equals(table)


def test__missing_values__are_refused_as_quoted__and_the_remedies_help():
    table = pl.read_csv("mine.csv").with_columns(size=pl.int_range(pl.len()) / 4)
    row, sizes = pl.int_range(pl.len()), pl.col("size")
    table = table.with_columns(COLUMN=pl.col("b") != pl.col("e"), size=pl.when(row < 57).then(sizes))
    table.write_csv("mine.csv")
    assert GAPS in refused(SCORE)
    assert "60 rows" in polythetic([*SCORE, "--missing", "impute"])
    assert "60 rows" in polythetic([*SCORE, "--drop", "size"])
