"""Annotations of polythetic MNIST: which quadrants matter, and how what is in them makes the class."""

from __future__ import annotations

from typing import Any

from polythetic.episodes.quadrants import ATTRIBUTES, COLOURS, QUADRANTS
from polythetic.report import style
from polythetic.report.digit_groups import Group, phrases
from polythetic.report.mosaics import Sheet, written_width

# Quadrants are told apart by colour and by line; red, green and blue are the digits' own.
OUTLINES = ((style.ORANGE, "-"), (style.SKY, (0, (2.2, 1.0))))
WEIGHT = 1.5

TABLE = 230  # the width of the truth table, in pixels of the sheet
CELL = 72
WORDS: dict[str, Any] = {"fontsize": 8, "color": "white"}


def write_keyed(sheet: Sheet, left: float, middle: float, group: Group) -> None:
    """Write what a group's pictures have in common, each phrase within an outline like that of its quadrant."""
    left += 8
    for phrase, (colour, line) in zip(phrases(group.traits).values(), OUTLINES, strict=False):
        sheet.write(left, middle, phrase, bbox=_box(colour, line), **WORDS)
        left += written_width(phrase, 8) + 30


def outline_quadrants(axes: Any, group: Group, left: int, size: tuple[int, int]) -> None:
    """Outline the quadrants that matter in one picture of a mosaic, whose left edge and size are given."""
    from matplotlib.patches import Rectangle

    inset = 0.7  # so that outlines of neighbours do not touch
    height, width = size[0] / 2, size[1] / 2
    for quadrant, (colour, line) in zip(phrases(group.traits), OUTLINES, strict=False):
        corner = left + quadrant % 2 * width - 0.5 + inset, quadrant // 2 * height - 0.5 + inset
        look: dict[str, Any] = {"edgecolor": colour, "linestyle": line, "linewidth": WEIGHT}
        axes.add_patch(Rectangle(corner, width - 2 * inset, height - 2 * inset, fill=False, **look))


def truth_table(sheet: Sheet, left: int, middle: int, groups: list[Group]) -> None:
    """Draw which class each pair of values makes: a chequerboard, for neither attribute tells anything alone."""
    from matplotlib.patches import Rectangle

    first, second = sorted(groups[0].traits)
    rows, columns = (sorted({group.traits[attribute] for group in groups}) for attribute in (first, second))
    axes = sheet.axes(left + TABLE - 2 * CELL, middle - CELL, 2 * CELL, 2 * CELL)
    axes.set(xlim=(0, 2), ylim=(2, 0))
    for group in groups:
        row, column = rows.index(group.traits[first]), columns.index(group.traits[second])
        shade, ink = (("white", "black"), ("0.35", "white"))[group.label]
        axes.add_patch(Rectangle((column, row), 1, 1, facecolor=shade, edgecolor="0.35", clip_on=False))
        axes.text(column + 0.5, row + 0.5, f"class\n{group.label}", ha="center", va="center", color=ink, fontsize=8)
    for place in (0, 1):
        axes.text(place + 0.5, -0.1, _value(second, columns[place]), ha="center", va="bottom", fontsize=8)
        axes.text(-0.12, place + 0.5, _value(first, rows[place]), ha="right", va="center", fontsize=8)
    keyed = (_box(*OUTLINES[place]) for place in (0, -1 if second % 4 != first % 4 else 0))
    axes.text(-0.55, 1, ATTRIBUTES[first], ha="right", va="center", rotation=90, bbox=next(keyed), **WORDS)
    axes.text(1.93, -0.55, ATTRIBUTES[second], ha="right", va="bottom", bbox=next(keyed), **WORDS)


def _box(colour: str, line: Any) -> dict[str, Any]:
    return {
        "boxstyle": "square,pad=0.35",
        "facecolor": "black",
        "edgecolor": colour,
        "linestyle": line,
        "linewidth": WEIGHT,
    }


def _value(attribute: int, value: int) -> str:
    return str(value) if attribute < len(QUADRANTS) else COLOURS[value]
