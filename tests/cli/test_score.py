"""``polythetic score``, as people and machines use it."""

import csv
import json
import os
import re

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from polythetic.cli.friendly import friendly
from polythetic.cli.score import score as command
from polythetic.report.score_words import sentences
from polythetic.table_scores import TableScores, no_features
from tests.cli.test_cli import polythetic

pl = pytest.importorskip("polars")
pytestmark = pytest.mark.filterwarnings("always")  # notes, not errors, as on the command line


app = typer.Typer(pretty_exceptions_enable=False)
app.command()(friendly(command))


def score(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def answer(*arguments):
    done = score(*arguments, "--json")
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def table(tmp_path, columns, name="table.csv"):
    path = tmp_path / name
    pl.DataFrame(columns).write_csv(path)
    return path


@pytest.fixture
def xor(tmp_path):
    """Ten bits, of which b and e decide together."""
    x = np.random.default_rng(0).integers(2, size=(40, 10))
    return table(
        tmp_path, {**dict(zip("abcdefghij", x.T, strict=True)), "kind": np.array(["no", "yes"])[x[:, 1] ^ x[:, 4]]}
    )


def test__score__xor_in_a_table__is_said_in_words_and_drawn(xor):
    done = polythetic("score", str(xor), "--label", "kind")
    assert done.returncode == 0, done.stderr
    assert "40 rows (no: " in done.stdout
    assert "█" in done.stdout
    assert "e and b matter only together (p = 0.001)." in done.stdout
    assert done.stderr == ""


def test__score__out__has_the_scores_in_three_files(xor, tmp_path):
    done = score(xor, "--label", "kind", "--out", tmp_path / "new" / "found", "--top", 3)
    assert done.exit_code == 0, done.stderr
    assert "and 7 columns more" in done.stdout
    folder = tmp_path / "new" / "found"
    assert sorted(path.name for path in folder.iterdir()) == ["scores.csv", "scores.json", "scores.png"]
    rows = list(csv.DictReader((folder / "scores.csv").open()))
    facts = json.loads((folder / "scores.json").read_text())
    assert [row["column"] for row in rows] == [entry["column"] for entry in facts["columns"]]
    assert len(rows) == 10
    assert {row["column"] for row in rows[:2]} == {"b", "e"}
    assert (folder / "scores.png").read_bytes().startswith(b"\x89PNG")


def test__score__json__is_one_object(xor):
    found = answer(xor, "--label", "kind", "--permutations", 199, "--seed", 5)
    asked = ["table", "label", "method", "seed", "permutations"]
    assert list(found) == [*asked, "rows", "classes", "columns", "together", "words", "left_out"]
    assert found["permutations"] == {"1": 199, "2": 199, "3": 199}
    assert sum(found["classes"].values()) == found["rows"] == 40
    pair, three = found["together"]
    assert set(pair["columns"]) == {"b", "e"}
    assert (pair["found"], pair["p"], three["found"]) == (True, 1 / 200, False)
    assert pair["bits_together"] > 0.8 > 0.1 > pair["bits_apart"]


def test__score__three_that_matter_only_together__are_named(tmp_path):
    x = np.random.default_rng(1).integers(2, size=(60, 12))
    path = table(tmp_path, {**{f"c{i}": column for i, column in enumerate(x.T)}, "kind": x[:, [2, 5, 9]].sum(1) % 2})
    found = answer(path, "--label", "kind")
    assert {entry["column"] for entry in found["columns"][:3]} == {"c2", "c5", "c9"}
    assert [set(entry["columns"]) for entry in found["together"] if entry["found"]] == [{"c2", "c5", "c9"}]
    assert found["words"][0].endswith("matter only together (p = 0.001).")


def test__score__algorithm_1__is_another_method(xor):
    refined, first = (answer(xor, "--label", "kind", "--method", method) for method in ("R", "FS"))
    assert refined["columns"] != first["columns"]
    assert {entry["column"] for entry in first["columns"][:2]} == {"b", "e"}


def test__score__a_column_that_matters_alone__is_said_so(tmp_path):
    rng = np.random.default_rng(0)
    size, other = rng.normal(size=(2, 60))
    colour = rng.choice(["red", "green", "blue"], 60)
    found = answer(
        table(tmp_path, {"size": size, "other": other, "colour": colour, "kind": size > 0.2}), "--label", "kind"
    )
    assert found["words"] == ["size matters on its own (p = 0.001)."]
    assert {entry["column"] for entry in found["columns"]} == {"size", "other", "colour"}


def test__score__noise__is_told_apart_from_nothing(tmp_path):
    rng = np.random.default_rng(2)
    path = table(tmp_path, {**{f"n{i}": rng.normal(size=40) for i in range(5)}, "kind": np.arange(40) % 2})
    (words,) = answer(path, "--label", "kind")["words"]
    assert words.startswith("No column, pair or three is told apart from chance (p = ")
    assert words.count("together") == 2


def test__score__four_that_matter_only_together__stand_far_above_the_rest(tmp_path):
    x = np.random.default_rng(0).integers(2, size=(150, 8))
    path = table(tmp_path, {**{f"c{i}": column for i, column in enumerate(x.T)}, "kind": x[:, [1, 3, 4, 6]].sum(1) % 2})
    first, second = answer(path, "--label", "kind")["words"]
    assert first.startswith("No column, pair or three is told apart from chance (p = ")
    assert set(re.findall(r"c\d", second)) == {"c1", "c3", "c4", "c6"}
    assert second.endswith("stand far above the rest: perhaps a pattern of four or more, which is not tested.")


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("columns", [5, 30])
@pytest.mark.parametrize("unit", [1, 1000])
def test__score__noise_of_any_unit__is_no_pattern_of_four(tmp_path, seed, columns, unit):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(60, columns)) * np.where(np.arange(columns) < 4, unit, 1)
    constant = {"same": np.zeros(60)}
    path = table(tmp_path, {**{f"n{i}": column for i, column in enumerate(x.T)}, **constant, "kind": np.arange(60) % 2})
    assert not any("stand far above" in words for words in answer(path, "--label", "kind")["words"])


@pytest.mark.parametrize(("columns", "said"), [(1, "No column is told"), (2, "No column or pair is told")])
def test__score__few_columns__are_told_of_what_was_tested(tmp_path, columns, said):
    x = np.random.default_rng(0).normal(size=(columns, 40))
    path = table(tmp_path, {**{f"n{i}": column for i, column in enumerate(x)}, "kind": np.arange(40) % 2})
    assert answer(path, "--label", "kind")["words"][0].startswith(said)


def test__score__names_dates_and_rows_without_label__are_left_out_with_a_note(tmp_path):
    rng = np.random.default_rng(3)
    path = tmp_path / "patients.csv"
    lines = [
        f"{i},person {i},2024-01-{1 + i % 28:02},{rng.normal():.3f},{'ill' if i % 2 else 'well'}" for i in range(40)
    ]
    path.write_text("\n".join([",name,day,x,state", *lines, "40,nobody,,1.5,"]) + "\n")
    done = score(path, "--label", "state", "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["rows"] == 40
    assert set(found["left_out"]) == {"", "name", "day"}
    assert "note: column 'day' left out: it is of Date; take numbers from it" in done.stderr
    assert "note: 1 of 41 rows without a label in column 'state': left out" in done.stderr
    assert "note: column 'name' left out: its texts differ from row to row" in done.stderr


def test__score__missing_values__are_an_error_or_imputed(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("size,colour,y\n" + "1,red,u\nNA,blue,v\n3,,u\n4,blue,v\n" * 5)
    done = score(path, "--label", "y")
    assert done.exit_code == 2
    assert "column 'size' = nothing in 5 of 20 rows: expected a value in each" in done.stderr
    assert "--missing impute" in done.stderr
    assert answer(path, "--label", "y", "--missing", "impute")["rows"] == 20


def test__score__too_few_permutations_for_so_many_columns__is_said(tmp_path):
    rng = np.random.default_rng(0)
    path = table(tmp_path, {**{f"n{i}": rng.integers(2, size=30) for i in range(6)}, "kind": np.arange(30) % 2})
    words = answer(path, "--label", "kind", "--permutations", 20)["words"]
    assert words[-1].startswith(
        "With 6 columns and 20 permutations no column can be told apart from chance: ask for 59"
    )


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("a,y\n1,u\n2,v\n", ["--label", "z"], "label = 'z': expected one of a, y"),
        ("a,y\n1,u\n2,v\n", ["--label", "y", "--drop", "b"], "drop = 'b': expected one of a, y"),
        ("a,y\n1,u\n2,v\n", ["--label", "y", "--drop", "y"], "drop = 'y': expected one of a"),
        ("a,y\n1,u\n2,v\n", ["--label", "y", "--drop", "a"], "at least one column besides it"),
        ("a,y\n1,u\n2,v\n", ["--label", "y", "--method", "PCA"], "method = 'PCA': expected one of R, FS"),
        ("a,y\n1,u\n2,v\n", ["--label", "y", "--missing", "guess"], "missing = 'guess': expected one of error, impute"),
        ("a,y\n1,u\n2,u\n", ["--label", "y"], "at least two classes"),
        ("a,y\n1,u\n", ["--label", "y"], "with 1 labelled row"),
        ("a,y\n1,u\n2,v\n3,u\ninf,v\n", ["--label", "y"], "column 'a' = an infinite number: expected finite numbers"),
        ("a,a,y\n1,2,u\n", ["--label", "y"], "2 columns are called 'a'"),
        ("", ["--label", "y"], "is empty"),
    ],
)
def test__score__user_error__is_one_line_and_exit_code_2(tmp_path, content, options, said):
    path = tmp_path / "table.csv"
    path.write_text(content)
    done = score(path, *options)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test__score__file_name_that_is_no_text__is_one_line_and_exit_code_2(xor):
    path = xor.with_name(os.fsdecode(b"b\xff.csv"))
    path.write_bytes(xor.read_bytes())
    done = polythetic("score", os.fsencode(path), "--label", "kind")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "b\ufffd.csv: the file's name, or its folder's, is not in UTF-8: rename it" in done.stderr


def test__score__more_permutations_than_anyone_has_time_for__are_refused(xor):
    done = score(xor, "--label", "kind", "--permutations", 10**11)
    assert done.exit_code == 2
    assert isinstance(done.exception, SystemExit)
    assert "--permutations" in done.stderr


def test__score__out_that_is_a_file__is_one_line_and_exit_code_2(xor):
    done = score(xor, "--label", "kind", "--out", xor, "--permutations", 19)
    assert done.exit_code == 2
    assert done.stderr == f"polythetic: --out = {xor}: expected a folder, and a file is there: give another name\n"


@pytest.mark.parametrize(
    ("more", "remedy"), [(True, "ask for 59 permutations, or drop columns"), (False, "drop columns")]
)
def test__sentences__ask_for_permutations_only_of_who_can_give_them(more, remedy):
    found = TableScores(("a", "b"), (0.5, 0.5), (0.7, 0.8), (), 30, {}, {}, (20, 20, 20))
    assert sentences(found, more_permutations=more)[-1].endswith(f"from chance: {remedy} that cannot matter.")


def test__no_features__names_of_which_one_is_missing__are_still_names():
    names = [None, *(f"person {number}" for number in range(9))]
    assert "differ from row to row" in no_features(pl.DataFrame({"name": names}))["name"]
