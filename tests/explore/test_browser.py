"""The pages in a real browser: controls are worked, and what is shown is what the library says."""

import itertools
import math
import re
import time

import pytest

from polythetic.experiments.figure4 import PAINTS
from polythetic.explore import results as results_module
from polythetic.explore.addresses import read_address
from polythetic.explore.boolean import boolean
from polythetic.explore.boolean_view import BooleanView
from polythetic.explore.own_table import own_table
from polythetic.explore.pictures import PicturesView, pictures
from polythetic.explore.table_view import TableView
from polythetic.progress import Silent
from polythetic.results import Result, row, save
from tests.explore.looks import looked_at
from tests.explore.tables import as_csv, genes

pytestmark = pytest.mark.filterwarnings("ignore:column 'patient' left out")


# The middle and width of each disc, from its two halves.
DISCS = """(() => {
  const halves = [...document.querySelectorAll('#graph-true .disc')].map((half) => half.getBBox());
  return halves.filter((_, k) => k % 2).map(({ x, y, height }) => [x, y + height / 2, height]);
})()"""


def shown_now(tab):
    """What the library says to the address that the page has now."""
    return boolean(read_address(BooleanView, tab.query()), Silent())


def same_as(tab, expected):
    assert tab.text("#accuracy") == f"{expected['accuracy']['percent']:.1f}\u00a0%"
    moment = expected["rounds"][tab.run("Number(document.getElementById('moment').value)")]
    assert tab.texts("#numbers td") == [f"{score:.4f}" for score in moment["scores"]]
    assert tab.text("#code") == expected["code"]


def test__boolean__worked__shows_what_python_says(asker, tab):
    tab.open(f"{asker.server.address}boolean?rows=16&scorer=none&rounds=3")
    tab.set("#irrelevant", "6")
    same_as(tab, shown_now(tab))
    assert tab.run("document.querySelectorAll('#graph-true .disc').length") == 2 * 8
    tab.run("document.querySelector('.heat [type=range]').value = 1.5")
    tab.run("document.querySelector('.heat [type=range]').dispatchEvent(new Event('input', {bubbles: true}))")
    tab.settle()
    assert "&temperature=2.83&" in tab.query()
    assert tab.run("document.querySelector('.heat [type=range]').ariaValueText") == "2.83"
    tab.click("#on")
    tab.click("#on")
    assert "round=2" in tab.query()
    assert tab.text("#where") == "round 2 of 3"
    same_as(tab, shown_now(tab))
    expected = shown_now(tab)["theory"]
    assert tab.text("#theory") == f"{expected['drawn']:.1f}\u00a0%"
    assert expected["words"] in tab.text("#words")
    tab.click("#play")
    tab.wait_for("document.getElementById('where').textContent === 'round 3 of 3'")
    tab.click(".lines button")
    assert tab.run("!document.getElementById('code').hidden")


def test__boolean__function_chosen__sets_the_bits(asker, tab):
    tab.open(f"{asker.server.address}boolean?rounds=1")
    tab.set("#choice", "00010111")
    assert "function=00010111&bits=3" in tab.query()
    assert "white all over" not in tab.text("#map-words")
    tab.set("#choice", "xor")  # of three bits still: two do not tell it
    assert "white all over: the class takes 3 bits" in tab.text("#map-words")
    tab.set("#choice", "and")
    assert "function=and&bits=2" in tab.query()
    same_as(tab, shown_now(tab))


def test__boolean__temperature__is_auto_until_the_slider_is_dragged(asker, tab):
    tab.open(f"{asker.server.address}boolean?rounds=8&irrelevant=18")
    assert tab.text(".heat output") == "2"  # a tenth of the bits
    assert tab.run("document.querySelector('.heat [type=range]').ariaValueText") == "auto 2"
    assert not tab.run("document.getElementById('alone').checkVisibility()")
    tab.set(".heat [type=range]", "-1")
    assert "&temperature=0.5&" in tab.query()
    assert not tab.run("document.querySelector('.heat [type=checkbox]').checked")
    assert tab.text("#alone") == "Each row attends to itself alone: raise the temperature."
    assert tab.run("document.getElementById('alone').checkVisibility()")
    same_as(tab, shown_now(tab))
    tab.click(".heat [type=checkbox]")
    tab.settle()
    assert "&temperature=auto&" in tab.query()
    assert tab.text(".heat output") == "2"
    tab.open(f"{asker.server.address}boolean?temperature=0.7&rounds=3")  # an address from before
    assert tab.text(".heat output") == "0.7"
    same_as(tab, boolean(BooleanView(temperature=0.7, rounds=3), Silent()))


@pytest.mark.parametrize(("bits", "irrelevant", "rows"), [(1, 0, 9), (2, 3, 100), (4, 0, 64), (5, 1, 128), (6, 0, 256)])
def test__attention_graph__has_every_disc_apart_from_the_others__and_names_the_rings(
    asker, tab, bits, irrelevant, rows
):
    tab.open(f"{asker.server.address}boolean?bits={bits}&irrelevant={irrelevant}&rows={rows}&rounds=1&scorer=none")
    boxes = tab.run(DISCS)
    places, radius = [(x, y) for x, y, _ in boxes], boxes[0][2] / 2
    apart = min(math.dist(one, other) for one, other in itertools.combinations(places, 2))
    assert apart >= 2 * radius
    assert all(radius <= place <= 300 - radius for place in itertools.chain(*places))
    named = tab.texts("#graph-true .variant")
    assert named == [f"{k:0{bits}b}" for k in range(2**bits) if f"{k:b}".count("1") % 2]
    assert re.match(rf"\d+ rows, {bits + irrelevant} bit{'s' if bits + irrelevant > 1 else ''}\. ", tab.text("#words"))
    assert ("the first three bits that matter" in tab.text("#graph-words")) == (bits > 3)


@pytest.mark.parametrize(
    ("bits", "words"),
    [
        (1, "orange where it is 1, black where it is 0"),
        (2, "orange and green; both make a yellowish green, none black"),
        (3, "orange, green and blue; two make a pale green or cyan, all three nearly white, none black"),
    ],
)
def test__attention_graph__has_the_colours_of_figure_4__and_says_which(asker, tab, bits, words):
    tab.open(f"{asker.server.address}boolean?bits={bits}&rows=16&rounds=1&scorer=none")
    assert words in tab.text("#graph-words")
    paints = [[int(paint[k : k + 2], 16) for k in (1, 3, 5)] for paint in PAINTS.values()][:bits]
    for on in itertools.product((0, 1), repeat=bits):
        graph = f"#graph-{'true' if sum(on) % 2 else 'false'}"
        light = [min(255, sum(bit * paint[k] for bit, paint in zip(on, paints, strict=True))) for k in range(3)]
        assert f"rgb({','.join(map(str, light))})" in tab.run(
            f"[...document.querySelectorAll('{graph} .disc')].map((half) => half.getAttribute('fill'))"
        )


def test__address__malformed__is_explained_on_the_page(asker, tab):
    tab.open(f"{asker.server.address}boolean?rows=lots&round=99&rounds=2&temperature=inf")
    assert "rows = 'lots'" in tab.text("#problem")
    tab.problems.clear()  # the browser logs the status 400
    tab.set("#rows", "8")
    assert tab.text("#problem") == ""
    assert tab.text("#where") == "round 2 of 2"
    assert tab.text(".heat output") == "∞"
    same_as(tab, shown_now(tab))


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
    from polythetic.explore import server as serving

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


def test__pictures__query_chosen__shows_its_answers(asker, tab):
    tab.open(f"{asker.server.address}pictures?shots=3")
    tab.run("document.querySelectorAll('#queries button')[2].click()")
    view = read_address(PicturesView, tab.query())
    assert view.query == 2
    expected = pictures(view, Silent())
    said = [f"class {entry['answers'][2]}" for entry in expected["methods"]]
    assert tab.texts("#methods td:nth-child(2)") == said
    attended = [
        f"class {expected['support'][row]['label']} {100 * weight:.0f}\u00a0%"
        for queries in expected["attention"].values()
        for row, weight in queries[2]
    ]
    assert tab.texts("#attention figcaption") == attended


def test__results__chosen__are_shown(asker, tab, tmp_path, monkeypatch):
    monkeypatch.setattr(results_module, "OUT", tmp_path)
    monkeypatch.setattr(results_module, "SOURCES", tmp_path)  # which may have quick results, too
    means = {"MN": 100.0, "PN": 50.0}
    rows = [row(method, {"function": "xor"}, "accuracy", mean, paper=mean) for method, mean in means.items()]
    save(Result("figure2", "standard", "polythetic reproduce figure2", 0, rows), tmp_path)
    tab.open(f"{asker.server.address}results")
    tab.set("#experiment", "figure2")
    assert tab.texts("#table td") == ["50", "100"]
    assert tab.text("#caption").endswith("Standard budget: one task a function, its four corners.")
    assert tab.text("#caption-compared").startswith("The paper's figures beside ours, after ± the standard error")
    assert tab.run("['caption', 'caption-compared'].every((id) => document.getElementById(id).checkVisibility())")
    assert tab.run("document.getElementById('budgets').hidden")  # no quick results
    assert not tab.run("document.getElementById('said-of-it').open")
    assert "experiment=figure2" in tab.query()
    assert tab.run("document.getElementById('list').href").endswith("/results?budget=standard")
    tab.run("history.back()")
    tab.wait_for("document.getElementById('one').hidden")
    assert tab.run("document.getElementById('experiment').value") == ""
    assert tab.texts("#all th a") == ["Figure 2, §3"]


def test__work__that_is_slow__can_be_stopped(asker, tab, monkeypatch):
    from polythetic.explore import server as serving
    from polythetic.explore.views import View

    def slow(settings, progress):
        progress.start("counting", 100)
        progress.advance(42)
        while True:
            progress.advance(0)

    monkeypatch.setitem(serving.VIEWS, "boolean", View("Slow", BooleanView, slow))
    tab.visit(f"{asker.server.address}boolean")
    tab.wait_for("document.getElementById('doing')?.textContent.startsWith('counting')")
    assert tab.text("#doing") == "counting: 42 % …"
    assert tab.run("document.getElementById('stop').checkVisibility()")
    tab.run("document.getElementById('stop').focus()")
    tab.click("#stop")
    tab.wait_for("document.getElementById('problem').textContent === 'Stopped. Change a setting to begin again.'")
    assert tab.run("document.activeElement.id") == "main"
    assert not tab.run("document.getElementById('stop').checkVisibility()")
    assert tab.run("document.getElementById('doing').checkVisibility()")  # a live region is there before it speaks


def test__work__in_parts__says_how_far_all_is__and_how_long_it_takes_only_where_steps_are_seen(asker, tab, monkeypatch):
    from polythetic.explore import server as serving
    from polythetic.explore.views import View
    from polythetic.explore.whole import Whole

    def slow(settings, progress):
        whole = Whole(progress, {"learning": 50, "answering": 50})
        whole.start("learning", 1)
        time.sleep(0.3)
        whole.start("answering", 50)
        for _ in range(50):
            time.sleep(0.3)
            whole.advance()

    monkeypatch.setitem(serving.VIEWS, "boolean", View("Slow", BooleanView, slow))
    tab.visit(f"{asker.server.address}boolean")
    said = tab.wait_for(
        "/^answering; in all: (\\d+) %, about (\\d+) s more;/.exec(document.getElementById('doing')?.textContent)"
    )
    share, seconds = map(int, said[1:3])
    assert seconds > 0.2 * (100 - share)  # steps of 0.3 s; were those of learning counted as well, it would be less
    tab.click("#stop")
    tab.wait_for("document.getElementById('problem').textContent.startsWith('Stopped.')")


def test__work__that_stands_still__has_a_share_and_no_end(asker, tab, monkeypatch):
    from polythetic.explore import server as serving
    from polythetic.explore.views import View
    from polythetic.explore.whole import Whole

    def slow(settings, progress):
        whole = Whole(progress, {"refining scores": 55, "learning": 45})
        whole.start("learning", 1)
        while True:
            whole.advance(0)
            time.sleep(0.1)

    monkeypatch.setitem(serving.VIEWS, "boolean", View("Slow", BooleanView, slow))
    tab.visit(f"{asker.server.address}boolean")
    tab.wait_for("/^learning; in all: 55 %; \\d+ s so far$/.test(document.getElementById('doing')?.textContent)")
    tab.click("#stop")
    tab.wait_for("document.getElementById('problem').textContent.startsWith('Stopped.')")
