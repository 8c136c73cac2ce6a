"""``polythetic classify`` with tables, as people and machines use it: what it answers, and what it refuses."""

import csv
import json
import os

import numpy as np
import pytest

from polythetic.estimators import PolytheticClassifier
from tests.cli.classifying import answered, classify, plants, refused, write
from tests.cli.test_cli import polythetic


def test__tables__with_labels__accuracy_columns_and_three_files(known, new, out):
    done = answered(known, new, "--label", "kind", "--out", out)
    assert "12 rows" in done.stdout
    assert "accuracy: 100.0 %, 12 of 12 (other: " in done.stdout
    assert "columns that count most: b " in done.stdout or "columns that count most: e " in done.stdout
    assert {path.name for path in out.iterdir()} == {"answers.csv", "answers.json", "answers.html"}
    with (out / "answers.csv").open(newline="") as file:
        lines = list(csv.DictReader(file))
    assert [line["row"] for line in lines] == [str(number) for number in range(1, 13)]
    assert [line["label"] for line in lines] == [line["truth"] for line in lines] == plants(12, seed=1)["kind"]
    for line in lines:
        assert float(line["probability"]) == max(float(line[f"probability of {kind}"]) for kind in ("same", "other"))
        assert 1 <= int(line["decider 1"]) <= 40
        assert float(line["share of decider 1"]) >= float(line["share of decider 2"]) > 0


def test__json__one_object__the_same_as_in_the_file(known, new, out):
    done = answered(known, new, "--label", "kind", "--out", out, "--json", "--seed", "3")
    facts = json.loads(done.stdout)
    assert facts == json.loads((out / "answers.json").read_text(encoding="utf-8"))
    assert (facts["label"], facts["encoder"], facts["seed"], facts["none_of_these"]) == ("kind", None, 3, None)
    assert sum(facts["classes"].values()) == 40
    assert sum(facts["answered"].values()) == facts["accuracy"]["of"] == 12
    assert {entry["column"] for entry in facts["columns"][:2]} == {"b", "e"}
    assert sum(entry["share"] for entry in facts["columns"]) == pytest.approx(1, abs=1e-4)
    first = facts["answers"][0]
    assert first["row"] == 1
    assert sum(first["probabilities"].values()) == pytest.approx(1, abs=1e-5)
    assert [type(decider["row"]) for decider in first["deciders"]] == [int] * 3


def test__json__on_a_terminal_without_the_letters__is_the_same(new, tmp_path):
    table = plants(40, seed=0)
    table["kind"] = ["Ω" if kind == "same" else kind for kind in table["kind"]]
    known = write(tmp_path / "κ.csv", table)
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = polythetic("classify", str(known), str(new), "--label", "kind", "--json", cwd=tmp_path, env=environment)
    facts = json.loads(done.stdout)
    assert facts["support"] == str(known)
    assert set(facts["classes"]) == {"Ω", "other"}


def test__none_of_these__a_row_far_from_all__is_told_so(out, tmp_path):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(40, 2)), np.array(["a", "b"] * 20)
    x[:, 0] += 4 * (y == "b")
    np.savez(tmp_path / "known.npz", X=x, y=y, names=np.array(["width", "height"]))
    np.savez(tmp_path / "new.npz", X=np.array([[0.0, 0.0], [60.0, -60.0]]), names=np.array(["width", "height"]))
    done = answered(
        tmp_path / "known.npz", tmp_path / "new.npz", "--none-of-these", "0.05", "--out", out, "--prior", "uniform"
    )
    assert "answered: a: 1, none of these: 1" in done.stdout
    facts = json.loads((out / "answers.json").read_text(encoding="utf-8"))
    assert facts["label"] == "y"
    assert facts["answers"][1]["p_none"] <= 0.05 < facts["answers"][0]["p_none"]
    assert "p_none" in (out / "answers.csv").read_text(encoding="utf-8").splitlines()[0]


def test__save__loads_again__and_the_note_says_what_is_in_it(known, new, out, tmp_path):
    done = answered(
        known, new, "--label", "kind", "--drop", "soil", "--out", out, "--save", tmp_path / "saved", "--json"
    )
    assert f"{tmp_path / 'saved'} contains the labelled rows" in done.stderr
    loaded = PolytheticClassifier.load(tmp_path / "saved")
    assert list(loaded.feature_names_in_) == list("abcde")
    assert [entry["column"] for entry in json.loads(done.stdout)["columns"]].count("soil") == 0


def test__one_row_a_class__is_enough_and_the_file_is_even(tmp_path, out):
    known = {"x": [0.0, 5.0], "kind": ["a", "b"]}
    answered(
        write(tmp_path / "k.csv", known), write(tmp_path / "n.csv", {"x": [0.2, 4.0]}), "--label", "kind", "--out", out
    )
    with (out / "answers.csv").open(newline="") as file:
        lines = list(csv.reader(file))
    assert len({len(line) for line in lines}) == 1
    assert [line[1] for line in lines[1:]] == ["a", "b"]


def test__help__says_that_a_function_is_run():
    assert "imported from here and run" in " ".join(classify("--help").stdout.replace("│", " ").split())


def changed(**columns):
    return plants(40, seed=0) | columns


@pytest.mark.parametrize(
    ("support", "query", "options", "said"),
    [
        (changed(), None, [], "--label = nothing: expected the column of"),
        (changed(), None, ["--label", "kinds"], "--label = 'kinds': expected 'kind', perhaps"),
        (changed(), None, ["--label", "kind", "--drop", "colour"], "--drop = 'colour': expected one of a, b"),
        (changed(), None, ["--label", "kind", "--drop", "kind"], "--drop = 'kind': expected one of a, b"),
        (changed(kind=["same"] * 40), None, ["--label", "kind"], "where all 40 rows are 'same': expected at least two"),
        (plants(1, 0), None, ["--label", "kind"], "with 1 labelled row"),
        ({"kind": ["a", "b"]}, None, ["--label", "kind"], "at least one column besides it"),
        (changed(), changed(a=["red"] * 40), ["--label", "kind"], "a = 'red': expected numbers"),
        (
            changed(),
            {"a": ["1"], "kind": ["same"]},
            ["--label", "kind"],
            "without column 'b': expected the columns a, b",
        ),
        (changed(), "", ["--label", "kind"], "is empty"),
        (changed(), "a,b,c,d,e,soil\n1,0\n", ["--label", "kind"], "line 2 has 2 values and the header 6 names"),
        ("a,kind\n", None, ["--label", "kind"], "the table has no rows"),
        (changed(a=["inf"] * 40), None, ["--label", "kind"], "an infinite number"),
        (changed(), None, ["--label", "kind", "--prior", "flat"], "--prior = 'flat': expected one of support, uniform"),
        (
            changed(),
            None,
            ["--label", "kind", "--missing", "skip"],
            "--missing = 'skip': expected one of error, impute",
        ),
        (changed(), None, ["--label", "kind", "--none-of-these", "5"], "--none-of-these = 5.0: expected a rate"),
        (
            changed(),
            None,
            ["--label", "kind", "--seed", "99999999999"],
            "--seed = 99999999999: expected a whole number",
        ),
        (changed(), None, ["--label", "kind", "--encoder", "pixels"], "--encoder = 'pixels': expected nothing"),
    ],
)
def test__mistake__is_one_line_that_says_what_to_do(support, query, options, said, tmp_path, new, out):
    paths = []
    for name, content in (("s.csv", support), ("q.csv", query)):
        path = tmp_path / name
        if content is None:
            path = new
        elif isinstance(content, str):
            path.write_text(content)
        else:
            write(path, content)
        paths.append(path)
    assert said in refused(*paths, *options, "--out", out)
    assert not out.exists()


def test__class_called_none_of_these__is_refused_where_that_is_an_answer(tmp_path, new):
    known = write(tmp_path / "k.csv", {**plants(40, seed=0), "kind": ["none of these", "b"] * 20})
    assert "rename that class" in refused(known, new, "--label", "kind", "--none-of-these", "0.05")


def test__paths__missing_or_of_two_kinds__are_named(known, tmp_path):
    assert "QUERY no.csv: there is no such file" in refused(known, "no.csv", "--label", "kind")
    assert "SUPPORT no.csv: there is no such file" in refused("no.csv", known, "--label", "kind")
    said = refused(tmp_path, known)
    assert f"{tmp_path}, a folder, and {known}, a file: expected two tables, or two folders" in said
    assert "a file ending in .csv" in refused(write(tmp_path / "k.xlsx", plants(3, 0)), known, "--label", "kind")


def test__places_that_cannot_be_written__are_named_before_anything_is_read(known, tmp_path, out):
    damaged = write(tmp_path / "damaged.csv", {"a": []})
    asked = (known, damaged, "--label", "kind")
    assert f"--out = {known}: expected a folder, and a file is there" in refused(*asked, "--out", known)
    assert f"--out = {known / 'x'}: expected a place that can be written" in refused(*asked, "--out", known / "x")
    for place, said in ((tmp_path, "a file, and a folder is there"), (known / "x", "a place that can be written to")):
        assert f"--save = {place}: expected {said}" in refused(*asked, "--out", out, "--save", place)
    assert not out.exists()


def test__in_a_process_of_its_own__a_mistake__is_exit_code_2_and_one_line(known, tmp_path):
    done = polythetic("classify", str(known), "no.csv", "--label", "kind", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
