"""``polythetic classify`` with tables as people have them: gaps, columns that are no features, labels of all kinds."""

import csv
import json

from tests.cli.classifying import answered, plants, refused, write


def test__query__other_order_and_columns_and_no_labels__the_same_answers_and_a_note(known, new, out, tmp_path):
    same = json.loads(answered(known, new, "--label", "kind", "--out", out, "--json").stdout)
    table = plants(12, seed=1)
    del table["kind"]
    other = {"extra": ["?"] * 12, **dict(reversed(table.items()))}
    done = answered(known, write(tmp_path / "other.tsv", other), "--label", "kind", "--out", out, "--json")
    facts = json.loads(done.stdout)
    assert facts["accuracy"] is None
    assert [a["probabilities"] for a in facts["answers"]] == [a["probabilities"] for a in same["answers"]]
    assert "passed over a column that was not learned from: extra" in done.stderr


def test__query__unseen_category__is_noted(known, out, tmp_path):
    table = plants(3, seed=1) | {"soil": ["peat", "clay", "sand"]}
    done = answered(known, write(tmp_path / "new.csv", table), "--label", "kind", "--out", out)
    assert "note: column 'soil': 'peat' was not among the rows that were learned from" in done.stderr


def test__query__labels_that_were_not_shown__are_wrong_or_none_of_these(known, out, tmp_path):
    table = plants(3, seed=1) | {"kind": ["third", "", "same"]}
    facts = json.loads(
        answered(known, write(tmp_path / "new.csv", table), "--label", "kind", "--out", out, "--json").stdout
    )
    assert facts["accuracy"]["of"] == 2
    assert facts["accuracy"]["classes"]["third"] == {"right": 0, "of": 1, "share": 0}
    assert facts["answers"][1]["truth"] is None


def test__missing__impute__fills_in_what_is_refused_otherwise(known, out, tmp_path):
    table = plants(3, seed=1) | {"a": ["NA", "1", "0"], "soil": ["clay", "", "sand"]}
    new = write(tmp_path / "new.csv", table)
    assert "column 'a' of" in (said := refused(known, new, "--label", "kind", "--out", out))
    assert "row 1 the first" in said
    assert "--missing impute" in said
    answered(known, new, "--label", "kind", "--out", out, "--missing", "impute")


def test__support__a_word_among_numbers__is_noted(new, out, tmp_path):
    table = plants(40, seed=0)
    table["a"][6] = "<1"
    done = answered(write(tmp_path / "k.csv", table), new, "--label", "kind", "--out", out)
    assert "column 'a': 1 of 40 values are no numbers, '<1' the first" in done.stderr


def test__support__rows_without_label_and_a_column_of_names__are_left_out(new, out, tmp_path):
    table = {"name": [f"plant {i}" for i in range(40)], **plants(40, seed=0)}
    table["kind"][0] = ""
    facts = answered(write(tmp_path / "k.csv", table), new, "--label", "kind", "--out", out, "--json")
    assert "column 'name' left out" in facts.stderr
    deciders = {d["row"] for a in json.loads(facts.stdout)["answers"] for d in a["deciders"]}
    assert min(deciders) >= 2  # rows are counted as in the file


def test__labels__marks_of_nothing__are_no_class_in_either_table(tmp_path, out):
    known, new = plants(40, seed=0), plants(6, seed=1)
    known["kind"][0], known["kind"][1], new["kind"][0], new["kind"][1] = "NA", "?", "null", ""
    done = answered(
        write(tmp_path / "k.csv", known), write(tmp_path / "n.csv", new), "--label", "kind", "--out", out, "--json"
    )
    facts = json.loads(done.stdout)
    assert set(facts["classes"]) == {"same", "other"}
    assert (sum(facts["classes"].values()), facts["accuracy"]["of"]) == (38, 4)
    assert "'?' and 'NA', in 2 of 40 rows, taken for no value" in done.stderr
    assert "2 of 40 rows without a label in column 'kind': left out" in done.stderr


def test__missing__in_text_and_in_true_and_false__is_refused_or_filled_in(tmp_path, out):
    known = {"flag": ["TRUE", "FALSE"] * 10, "soil": ["clay", "sand"] * 10, "kind": ["a", "b"] * 10}
    new = {"flag": ["NA", "False"], "soil": ["clay", "?"]}
    files = write(tmp_path / "k.csv", known), write(tmp_path / "n.csv", new)
    assert "column 'flag' of" in refused(*files, "--label", "kind", "--out", out)
    assert "column 'soil' of" in refused(*files, "--label", "kind", "--drop", "flag", "--out", out)
    answered(*files, "--label", "kind", "--missing", "impute", "--out", out)


def test__columns_without_a_name__are_told_by_their_number(known, out, tmp_path):
    new = write(tmp_path / "new.csv", {"": range(12), **plants(12, seed=1)})
    done = answered(known, new, "--label", "kind", "--out", out)
    assert "passed over a column that was not learned from: number 1, which has no name" in done.stderr


def test__dates__are_left_out_of_both_tables(out, tmp_path):
    known = write(tmp_path / "k.csv", {"day": ["2026-01-01", "2026-01-02"] * 20, **plants(40, seed=0)})
    new = write(tmp_path / "n.csv", {"day": ["2026-01-01"] * 12, **plants(12, seed=1)})
    done = answered(known, new, "--label", "kind", "--out", out, "--json")
    assert "column 'day' left out: it is of Date" in done.stderr
    assert "day" not in [entry["column"] for entry in json.loads(done.stdout)["columns"]]


def test__columns_of_true_and_false__are_numbers_in_both(tmp_path, out):
    known = {"flag": ["true", "false"] * 10, "x": list(range(20)), "kind": ["a", "b"] * 10}
    new = {"flag": ["false", "true"], "x": [3, 4]}
    answered(write(tmp_path / "known.csv", known), write(tmp_path / "new.csv", new), "--label", "kind", "--out", out)
    with (out / "answers.csv").open(newline="") as file:
        assert [line["label"] for line in csv.DictReader(file)] == ["b", "a"]


def test__labels_written_as_other_numbers__are_the_same_classes(tmp_path, out):
    known = {"x": [0, 1] * 10, "y": list(range(20)), "kind": [0, 1] * 10}
    new = {"x": [1, 0, 1], "y": [3, 4, 5], "kind": ["1.0", "0.0", ""]}
    done = answered(write(tmp_path / "k.csv", known), write(tmp_path / "n.csv", new), "--label", "kind", "--out", out)
    assert "2 of 2" in done.stdout


def test__labels_that_are_no_class__are_said(tmp_path, out):
    known = {"x": [0, 1] * 10, "kind": ["a", "b"] * 10}
    new = {"x": [1, 0], "kind": ["A", "B"]}
    done = answered(write(tmp_path / "k.csv", known), write(tmp_path / "n.csv", new), "--label", "kind", "--out", out)
    assert "none of its labels in the query" in done.stderr
