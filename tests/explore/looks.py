"""What a page must have for everyone: text that can be read, light and dark, names, and room on a phone."""

LEGIBLE = 4.5  # to 1, as WCAG 2 asks of text

# Of every text that is seen, its contrast with what is behind it; the worst, and where it is.
WORST = """(() => {
  const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const linear = (value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const behind = (node) => {
    for (; node; node = node.parentElement) {
      const colour = parts(getComputedStyle(node).backgroundColor);
      if (colour.length === 3) return colour;
    }
    throw new Error('nothing behind it');
  };
  const contrast = (node) => {
    const style = getComputedStyle(node), svg = node instanceof SVGElement;
    const [high, low] = [parts(svg ? style.fill : style.color), behind(node)].map(light).sort((a, b) => b - a);
    return (high + 0.05) / (low + 0.05);
  };
  const speaks = (node) => [...node.childNodes].some((part) => part.nodeType === 3 && part.textContent.trim());
  const seen = [...document.querySelectorAll('body *')].filter((node) => !node.disabled && node.checkVisibility()
    && (node.matches('input:not([type=hidden]), select') || speaks(node)));
  const found = seen.map((node) => [contrast(node), node.outerHTML.slice(0, 200)]).sort(([a], [b]) => a - b);
  return {worst: found[0], seen: found.length, paper: getComputedStyle(document.body).backgroundColor};
})()"""
WIDTH = "document.documentElement.scrollWidth"  # innerWidth would not do: on a phone it grows with what is too wide
NAMELESS = """[...document.querySelectorAll('input:not([type=hidden]), select, button')].filter((control) =>
  !control.labels?.length && !control.ariaLabel && !control.textContent.trim()).map((control) => control.outerHTML)"""


def looked_at(tab):
    """See that a page can be read, light and dark, that its controls have names, and that it fits a phone."""
    papers = []
    for dark in (False, True):
        tab.look(1200, dark=dark)
        found = tab.run(WORST)
        assert found["seen"] > 10
        assert found["worst"][0] >= LEGIBLE, found["worst"]
        papers.append(found["paper"])
    assert len(set(papers)) == 2
    assert tab.run(NAMELESS) == []
    for width in (1200, 390):
        tab.look(width)
        assert tab.run(WIDTH) <= width
