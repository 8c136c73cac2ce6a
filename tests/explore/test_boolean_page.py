"""The Boolean page in a browser: controls are worked, and what is drawn is what the library says."""

import itertools
import math
import re

import pytest

from polythetic.experiments.figure4 import PAINTS
from polythetic.explore.addresses import read_address
from polythetic.explore.boolean import boolean
from polythetic.explore.boolean_view import BooleanView
from polythetic.progress import Silent

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
