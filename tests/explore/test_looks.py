"""The pages for everyone: light and dark, on a phone, by keyboard."""

import pytest

from tests.explore.looks import looked_at

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


def test__keyboard__reaches_every_control__and_one_sees_where_it_is(asker, tab):
    tab.open(f"{asker.server.address}boolean?rounds=1&rows=8")
    controls = tab.run(SEEN)
    reached = []
    for _ in range(controls):
        tab.press("Tab")
        reached.append(tab.run(FOCUSED))
    assert [focus["number"] for focus in reached] == list(range(controls))  # in the order of the page
    assert [focus["is"] for focus in reached if not focus["seen"]] == []
    tab.run("document.getElementById('moment').focus()")
    tab.press("ArrowRight")
    assert tab.text("#where") == "round 1 of 1"
