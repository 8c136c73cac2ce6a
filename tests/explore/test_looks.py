"""The pages for everyone: light and dark, on a phone, by keyboard."""

import pytest

from tests.explore.looks import looked_at
from tests.explore.tables import as_csv, genes

CONTROLS = "input:not([type=hidden]), select, button, summary, a[href], [tabindex='0']"
SEEN = f"""window.controls = [...document.querySelectorAll({CONTROLS!r})].filter((control) =>
  !control.disabled && control.checkVisibility()); window.controls.length"""
FOCUSED = """(() => {
  const node = document.activeElement, style = getComputedStyle(node), box = node.getBoundingClientRect();
  const outline = style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth);
  const seen = outline >= 2 && box.width > 0 && box.left >= 0 && box.right <= innerWidth + 1;
  return {number: window.controls.indexOf(node), seen, is: node.outerHTML.slice(0, 100)};
})()"""


@pytest.mark.parametrize(
    "address",
    ["boolean?rows=8&rounds=1", "boolean?rows=x", "pictures?shots=2", "results", "results?experiment=table1"],
)
def test__page__light_dark_and_on_a_phone__can_be_read(asker, tab, address):
    tab.open(f"{asker.server.address}{address}")
    tab.click(".lines button")  # the Python lines
    looked_at(tab)
    tab.problems.clear()  # the browser logs the status 400 of what is malformed


MAIN = {
    "boolean?rounds=1&rows=8": [
        "#choice",
        "#rows",
        ".heat [type=range]",
        "#scorer",
        "#play",
        "#moment",
        ".lines button",
    ],
    "pictures?shots=2": ["#dataset", "#features", "#seed", "#queries button", ".lines button"],
    "table?label=ill&method=FS": ["#file", "#label", "#held_out", "#scores-csv", "#csv", "#saved", ".lines button"],
    "results?experiment=table1": ["#experiment", "#list", "#said-of-it summary", ".lines button"],
}


@pytest.mark.parametrize("address", MAIN)
def test__keyboard__reaches_every_control__and_one_sees_where_it_is(asker, tab, address, tmp_path):
    tab.open(f"{asker.server.address}{address}")
    if address.startswith("table"):
        path = tmp_path / "genes.csv"
        path.write_bytes(as_csv(genes(40)))
        tab.give_file("#file", path)
        tab.wait_for("document.querySelectorAll('#words li').length")
    controls = tab.run(SEEN)
    tab.run("window.controls[0].focus({focusVisible: true})")
    reached = [tab.run(FOCUSED)]
    for _ in range(1, controls):
        tab.press("Tab")
        reached.append(tab.run(FOCUSED))
    assert [focus["number"] for focus in reached] == list(range(controls))  # in the order of the page
    assert [focus["is"] for focus in reached if not focus["seen"]] == []
    assert tab.run(f"{MAIN[address]}.filter((one) => !window.controls.includes(document.querySelector(one)))") == []


def test__keyboard__moves_the_round(asker, tab):
    tab.open(f"{asker.server.address}boolean?rounds=1&rows=8")
    tab.run("document.getElementById('moment').focus()")
    tab.press("ArrowRight")
    assert tab.text("#where") == "round 1 of 1"
