"""The page of your table in a browser: files are given, and what is shown and saved is what the library says."""

import pytest

from polythetic.explore import server as serving
from polythetic.explore.addresses import read_address
from polythetic.explore.own_table import own_table
from polythetic.explore.table_view import TableView
from polythetic.progress import Silent
from tests.explore.looks import looked_at
from tests.explore.tables import as_csv, genes

pytestmark = pytest.mark.filterwarnings("ignore:column 'patient' left out")


def same_table(tab, content):
    expected = own_table(read_address(TableView, tab.query()), Silent(), content)
    assert tab.texts("#words li") == expected["words"]
    assert tab.texts("#scores th[scope=row]") == [entry["column"] for entry in expected["scores"]]
    assert tab.texts("#answers td:nth-child(2)") == [entry["label"] for entry in expected["answers"]]
    assert tab.text("#accuracy") == f"{100 * expected['accuracy']['share']:.1f}\u00a0%"
    assert tab.text("#code") == expected["code"]
    assert tab.text("#hint").startswith(f"genes.csv: {expected['words'][0]} {tab.text('#accuracy')} right")
    assert tab.run("document.getElementById('hint').offsetWidth") == 1  # heard, and seen only below
    for button, file in {"#csv": "answers_csv", "#scores-csv": "scores_csv"}.items():
        assert downloaded(tab, button) == expected[file]


def downloaded(tab, button):
    """What a button would save."""
    tab.run(
        "window.saved = null; URL.createObjectURL = b => { b.text().then(text => window.saved = text); return '#' }"
    )
    tab.click(button)
    return tab.wait_for("window.saved")


def test__own_table__dropped__shows_what_python_says(asker, tab, tmp_path):
    path = tmp_path / "genes.csv"
    path.write_bytes(as_csv(genes(40)))
    tab.open(f"{asker.server.address}table?method=FS")
    tab.drop_file("#drop", path)
    tab.wait_for("!document.getElementById('label').disabled")
    assert tab.run("document.getElementById('file').files[0].name") == "genes.csv"
    tab.set("#label", "ill")
    same_table(tab, path.read_bytes())
    tab.click("#boxes [value=age]")
    tab.settle()
    assert "drop=age" in tab.query()
    assert "age" not in tab.texts("#scores th[scope=row]")
    same_table(tab, path.read_bytes())
    looked_at(tab)


def test__own_table__address_shared__needs_the_table_and_has_the_rest(asker, tab, tmp_path):
    path = tmp_path / "genes.csv"
    path.write_bytes(as_csv(genes(40)))
    tab.open(f"{asker.server.address}table?name=genes.csv&label=ill&drop=age&drop=patient&method=FS&held_out=0")
    assert "drop genes.csv here" in tab.text("#hint")
    tab.give_file("#file", path)
    tab.wait_for("document.querySelectorAll('#words li').length")
    assert "drop=patient&drop=age" in tab.query()
    assert not {"patient", "age"} & set(tab.texts("#scores th[scope=row]"))
    assert "learned from all 40 rows" in tab.text("#hint")
    assert tab.run("document.getElementById('csv').hidden")
    assert "snp1" in downloaded(tab, "#saved")


def test__own_table__another_one__leaves_nothing_of_the_one_before_in_the_address(asker, tab, tmp_path):
    first, second, none = tmp_path / "genes.csv", tmp_path / "flowers.csv", tmp_path / "picture.csv"
    first.write_bytes(as_csv(genes(40)))
    second.write_bytes(b"size,kind\n1,rose\n2,lily\n1,rose\n2,lily\n")
    none.write_bytes(b"\x89PNG\r\n\x1a\n")
    tab.open(f"{asker.server.address}table?name=genes.csv&label=ill&drop=age&method=FS&held_out=0")
    tab.give_file("#file", first)
    tab.wait_for("document.querySelectorAll('#words li').length")
    assert "name=genes.csv&label=ill&drop=age" in tab.query()
    tab.give_file("#file", second)
    tab.wait_for("document.getElementById('hint').textContent.startsWith('flowers.csv: 4 rows')")
    assert tab.query() == "name=flowers.csv&label=&method=FS&missing=error&held_out=0&seed=0"
    assert tab.run("!document.getElementById('hint').classList.contains('hidden')")
    tab.give_file("#file", none)
    tab.wait_for("document.getElementById('problem').textContent.includes('is no text')")
    tab.settle()
    assert tab.query() == "name=table.csv&method=FS&missing=error&held_out=0&seed=0"
    assert tab.run("document.getElementById('label').disabled")
    tab.problems.clear()  # the browser logs the status 400


def test__own_table__label_chosen__is_not_asked_for_while_it_is_looked_at(asker, tab, tmp_path, monkeypatch):
    def slow(settings, progress, content):
        while settings.label:
            progress.advance(0)
        return own_table(settings, progress, content)

    monkeypatch.setitem(serving.VIEWS, "table", serving.VIEWS["table"]._replace(answer=slow))
    path = tmp_path / "genes.csv"
    path.write_bytes(as_csv(genes(40)))
    tab.open(f"{asker.server.address}table")
    tab.give_file("#file", path)
    tab.wait_for("document.getElementById('hint').textContent.endsWith('Choose the column of classes.')")
    tab.run("document.getElementById('label').value = 'ill'")
    tab.run("document.getElementById('label').dispatchEvent(new Event('input', {bubbles: true}))")
    tab.wait_for("document.getElementById('stop').checkVisibility()")
    assert tab.text("#hint") == ""
    tab.click("#stop")
    tab.settle()


def test__own_table__that_is_none__is_explained(asker, tab, tmp_path):
    path = tmp_path / "picture.csv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    tab.open(f"{asker.server.address}table?lable=ill")
    assert "'label', perhaps" in tab.text("#problem")
    tab.give_file("#file", path)
    tab.wait_for("document.getElementById('problem').textContent.includes('is no text')")
    tab.problems.clear()
