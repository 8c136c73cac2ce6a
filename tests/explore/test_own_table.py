"""Your table: what the page shows is what the library says, and nothing is left behind."""

import base64
import json
from urllib.parse import urlencode

import numpy as np
import polars as pl
import pytest

from polythetic import PolytheticClassifier
from polythetic.explore import private
from polythetic.explore.addresses import read_address, write_address
from polythetic.explore.own_table import own_table
from polythetic.explore.table_view import TableView
from polythetic.progress import Silent
from tests.explore.tables import as_csv, genes

pytestmark = pytest.mark.filterwarnings("ignore:column 'patient' left out")

VIEW = TableView(name="genes.csv", label="ill")


@pytest.fixture(scope="module")
def shown():
    return own_table(VIEW, Silent(), as_csv(genes()))


@pytest.mark.filterwarnings("ignore:column 'patient' left out")
def test__lines__executed_beside_the_file__give_what_is_shown(shown, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "genes.csv").write_bytes(as_csv(genes()))
    made = {}
    exec(shown["code"], made)
    assert capsys.readouterr().out.splitlines() == shown["words"]
    assert [entry["column"] for entry in shown["scores"]] == list(made["scores"].names)
    assert [entry["label"] for entry in shown["answers"]] == made["predicted"].tolist()
    assert [entry["row"] for entry in shown["answers"]] == [row + 1 for row in made["held"]]
    assert [entry["score"] for entry in shown["scores"]] == pytest.approx(made["scores"].scores, abs=1e-5)


def test__columns__left_out__are_in_no_part_of_the_answer(tmp_path, monkeypatch):
    view = TableView(name="genes.csv", label="ill", drop=("patient", "age", "snp1"))
    assert read_address(TableView, write_address(view)) == view
    table = genes(60)
    shown = own_table(view, Silent(), as_csv(table))
    assert {entry["column"] for entry in shown["scores"]} == {"snp2", "snp3", "snp4", "snp5", "snp6", "blood"}
    assert shown["left_out"] == {}
    assert {column["name"] for column in shown["columns"]} == set(table.columns)  # to be chosen again
    monkeypatch.chdir(tmp_path)
    (tmp_path / "genes.csv").write_bytes(as_csv(table))
    (tmp_path / "classifier.safetensors").write_bytes(base64.b64decode(shown["classifier"]))
    made = {}
    exec(shown["code"], made)
    assert [entry["score"] for entry in shown["scores"]] == pytest.approx(made["scores"].scores, abs=1e-5)
    assert [entry["label"] for entry in shown["answers"]] == made["predicted"].tolist()
    asked = table.drop("ill", *view.drop)[made["held"]]
    assert PolytheticClassifier.load("classifier.safetensors").predict(asked).tolist() == made["predicted"].tolist()


def test__table__with_an_xor__is_understood(shown):
    assert {entry["column"] for entry in shown["scores"][:2]} == {"snp2", "snp5"}
    assert "only together" in shown["words"][0]
    assert shown["accuracy"]["share"] == 1
    assert (shown["accuracy"]["of"], shown["learned_from"]) == (16, 64)
    assert "patient" in shown["left_out"]
    assert all(decider["label"] == answer["label"] for answer in shown["answers"] for decider in answer["deciders"])


def test__table__with_an_xor_of_four__says_what_stands_out__and_asks_for_nothing_that_is_not_there():
    x = np.random.default_rng(0).integers(2, size=(400, 30))
    table = pl.DataFrame({f"c{i}": column for i, column in enumerate(x.T)} | {"kind": x[:, :4].sum(1) % 2})
    words = own_table(TableView(name="four.csv", label="kind", held_out=0.0), Silent(), as_csv(table))["words"]
    assert words[0].startswith("No column, pair or three")
    assert "stand far above the rest" in words[1]
    assert set(words[1].replace(",", "").split()) >= {"c0", "c1", "c2", "c3"}
    assert not any("permutations, or" in sentence for sentence in words)


class Watcher:
    """Remembers of each part how far the whole was when it began, and when it ended."""

    def __init__(self):
        self.parts, self.total = {}, None

    def start(self, what, total):
        self.parts[what], self.total = [0], total

    def advance(self, steps=1, note=""):
        told = next(reversed(self.parts.values()))
        told.append(told[-1] + steps)


@pytest.mark.parametrize(("method", "first"), [("R", "refining scores"), ("FS", "permuting labels")])
def test__work__tells_how_far_all_of_it_is(method, first):
    watcher = Watcher()
    own_table(TableView(name="genes.csv", label="ill", method=method), watcher, as_csv(genes(40)))
    began = {what.removesuffix("; in all"): told[1] for what, told in watcher.parts.items()}
    assert began[first] == 0
    assert 0 < began["learning"] < began["answering"] < watcher.total
    shares = [share for told in watcher.parts.values() for share in told[1:]]
    assert shares == sorted(shares)
    assert shares[-1] == watcher.total


def test__classifier__downloaded__answers_as_shown(shown, tmp_path):
    path = tmp_path / "classifier.safetensors"
    path.write_bytes(base64.b64decode(shown["classifier"]))
    table = genes()
    rows = [answer["row"] - 1 for answer in shown["answers"]]
    predicted = PolytheticClassifier.load(path).predict(table.drop("ill", "patient")[rows])
    assert predicted.tolist() == [answer["label"] for answer in shown["answers"]]


def test__answers__downloaded__are_those_shown(shown):
    read = pl.read_csv(shown["answers_csv"].encode())
    assert read["row"].to_list() == [answer["row"] for answer in shown["answers"]]
    assert read["label"].to_list() == [answer["label"] for answer in shown["answers"]]


def test__rows__without_a_label__are_labelled():
    table = genes().with_columns(ill=pl.when(pl.int_range(pl.len()) < 5).then(None).otherwise(pl.col("ill")))
    with pytest.warns(UserWarning, match="5 of 80 rows without a label"):
        found = own_table(TableView(name="genes.csv", label="ill", held_out=0.0), Silent(), as_csv(table))
    assert [answer["row"] for answer in found["answers"]] == [1, 2, 3, 4, 5]
    assert [answer["label"] for answer in found["answers"]] == genes()["ill"][:5].to_list()
    assert found["accuracy"] is None


def test__no_rows__held_out__leaves_a_classifier_that_has_learned_from_all(tmp_path, monkeypatch):
    table = genes(40)
    shown = own_table(TableView(name="genes.csv", label="ill", held_out=0.0, method="FS"), Silent(), as_csv(table))
    assert (shown["answered"], shown["accuracy"], shown["learned_from"]) == (0, None, 40)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "genes.csv").write_bytes(as_csv(table))
    (tmp_path / "classifier.safetensors").write_bytes(base64.b64decode(shown["classifier"]))
    made = {}
    exec(shown["code"], made)
    asked = genes(20, seed=1).drop("ill", "patient")
    saved = PolytheticClassifier.load("classifier.safetensors")
    assert saved.predict(asked).tolist() == made["fitted"].predict(asked).tolist()


def test__scores__downloaded__are_those_of_every_column(shown):
    read = pl.read_csv(shown["scores_csv"].encode())
    assert read.columns == ["rank", "column", "score", "p"]
    assert read["column"].to_list() == [entry["column"] for entry in shown["scores"]]
    assert read["score"].to_list() == pytest.approx([entry["score"] for entry in shown["scores"]], abs=1e-5)


def test__address__alone__is_read_before_there_is_a_table(asker):
    assert asker.ask("table", "label=ill")[1]["answer"] == {}
    for query, said in {"lable=ill": "'label', perhaps", "held_out=7": "a share", "seed=x": "a whole number"}.items():
        status, outcome = asker.ask("table", query)
        assert status == 400
        assert said in outcome["error"]


def test__no_label_yet__lists_the_columns():
    found = own_table(TableView(name="genes.csv"), Silent(), as_csv(genes()))
    offered = {column["name"]: column["label"] for column in found["columns"]}
    assert offered["ill"]
    assert not offered["patient"]
    assert found["rows"] == 80


def test__nothing__is_left_behind(tmp_path, monkeypatch):
    monkeypatch.setattr(private, "IN_MEMORY", tmp_path)
    own_table(VIEW, Silent(), as_csv(genes(40)))
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("changes", "content", "said"),
    [
        ({}, b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "genes.csv: is no text"),
        ({}, b"\x89PNG\r\n\x1a\n", "genes.csv: is no text, whatever its name says: save it as CSV in UTF-8"),
        ({}, "Größe,ill\n1,yes\n2,no\n".encode("latin-1"), "genes.csv: its letters are not in UTF-8: save it"),
        ({}, b"a,ill\n", "genes.csv: the table has no rows"),
        ({}, b"a,ill\n1,yes\n2,yes\n3,yes\n", "all 3 rows are 'yes'"),
        ({"label": "il"}, b"a,ill\n1,yes\n2,no\n", "'ill', perhaps"),
        ({"drop": "b"}, b"a,ill\n1,yes\n2,no\n", "drop = 'b': expected one of a, ill"),
        ({"drop": "ill"}, b"a,ill\n1,yes\n2,no\n", "drop = 'ill': expected one of a"),
        ({"drop": "a"}, b"a,ill\n1,yes\n2,no\n", "at least one column besides it"),
        ({"name": "genes.exe"}, b"a,ill\n1,yes\n2,no\n", "a file ending in .csv"),
        ({"name": "../../genes"}, b"a,ill\n1,yes\n2,no\n", "a file ending in .csv"),
        ({}, b"a;ill\n1;yes\n2;no\n", "separated by semicolons"),
        ({}, b"a\till\n1\tyes\n2\tno\n", "separated by tabs: name it .tsv"),
        ({"held_out": "0.9"}, b"a,ill\n1,yes\n2,no\n", "a share from 0 to 0.5"),
        ({}, b"a,ill\n1,yes\n,yes\n3,no\n4,no\n", "nothing in 1 of 4 rows, row 2 the first"),
        (
            {},
            b"a,b,ill\n1,1,yes\n2,0,yes\n3,1,no\n4,0,no\n,1,\n",
            "row 5 the first: expected a value in each",
        ),
    ],
)
def test__table__bad__is_explained_and_the_server_lives(asker, changes, content, said):
    query = urlencode({"name": "genes.csv", "label": "ill"} | changes)
    status, outcome = asker.ask("table", query, content)
    assert status in (200, 400)  # 200 if it was slow to be found
    assert said in outcome["error"]
    assert "/dev/shm" not in json.dumps(outcome)
    assert asker.request("GET", "/table")[0] == 200


def test__table__sent_to_the_server__is_answered_with_notes(asker):
    status, outcome = asker.ask("table", urlencode({"name": "genes.csv", "label": "ill"}), as_csv(genes()))
    assert status == 200
    assert outcome["answer"]["words"]
    assert any("patient" in note for note in outcome["notes"])
