"""Sheets of pictures: what tasks look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polythetic.datasets.collection import Collection
from polythetic.episodes.digits import DigitTasks
from polythetic.episodes.episode import Episode
from polythetic.episodes.grouped import GroupedTasks
from polythetic.errors import InputError
from polythetic.report.annotations import TABLE, outline_quadrants, truth_table, write_keyed
from polythetic.report.class_lines import lines_of, spelt, tabulated
from polythetic.report.digit_groups import groups_of
from polythetic.report.mosaics import GAP, Sheet, as_drawings, as_light, extent, mosaic, written_width

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCALE = 2  # a pixel of a digit is two by two of the sheet
LEGIBLE = 56  # pixels of the sheet that a picture should have, about
MARGIN = 12
TITLE = 30  # the height of a line of words
BETWEEN = 28  # blocks side by side
BENEATH = 14  # between a block and the next one's title
NAME_SIZE, NAME_GAP = 7, 10  # of a line: in points, and from its pictures


def sheet_of(suite: DigitTasks | GroupedTasks, *, seed: int, task: int) -> Figure:
    """Show one task of a suite: the support of polythetic MNIST, or a whole task of any other."""
    episode = suite.batch(seed, task, task + 1)
    return task_sheet(episode) if isinstance(suite, DigitTasks) else contact_sheet(episode, suite.collection)


def task_sheet(episode: Episode, task: int = 0, *, columns: int = 6) -> Figure:
    """Show the whole support of a polythetic MNIST task: classes side by side, groups beneath each other.

    Args:
        episode: a batch of ``DigitTasks``.
        task: which of the batch.
        columns: pictures a line.
    """
    pictures = as_light(episode.support[task])
    groups = groups_of(episode, task=task)
    lines = -(-max(len(group.rows) for group in groups) // columns)
    width, height = extent(pictures, columns, lines, SCALE)
    ways, deep = 1 + max(group.label for group in groups), 1 + max(group.number for group in groups)
    step = TITLE + height + BENEATH
    sheet = Sheet(2 * MARGIN + ways * (width + BETWEEN) - BETWEEN, 2 * MARGIN + deep * step - BENEATH)
    for group in groups:
        left, top = MARGIN + group.label * (width + BETWEEN), MARGIN + group.number * step
        title = f"class {group.label}, group {group.number}: {group.words}"
        sheet.write(left, top + TITLE / 2 - 2, title, within=width)
        sheet.picture(left, top + TITLE, mosaic(pictures[group.rows], columns), SCALE)
    return sheet.figure


def example_task(episode: Episode, task: int = 0, *, examples: int = 4) -> Figure:
    """Explain a polythetic MNIST task by a few examples of each group, with the quadrants that matter outlined.

    Classes are side by side, in each row the same value of the first attribute; a small table says which class each
    pair of values makes.

    Args:
        episode: a batch of polythetic ``DigitTasks`` of two classes and two attributes.
        task: which of the batch.
        examples: pictures a group.
    """
    pictures = as_light(episode.support[task])
    groups = sorted(groups_of(episode, task=task), key=lambda group: sorted(group.traits.items()))
    if [sum(group.label == label for group in groups) for label in (0, 1)] != [2, 2] or len(groups[0].traits) != 2:
        raise InputError("episode", f"a task of {len(groups)} groups", "two classes and two attributes, polythetic")
    width, height = extent(pictures, examples, 1, SCALE)
    key = TITLE + 6
    step = key + height + BENEATH
    sheet = Sheet(2 * MARGIN + 2 * (width + BETWEEN) + TABLE, 2 * MARGIN + TITLE + 2 * step - BENEATH)
    for label in (0, 1):
        left = MARGIN + label * (width + BETWEEN)
        sheet.write(left, MARGIN + TITLE / 2 - 4, f"class {label}", weight="bold", fontsize=9)
        for row, group in enumerate(group for group in groups if group.label == label):
            top = MARGIN + TITLE + row * step
            write_keyed(sheet, left, top + TITLE // 2, group)
            axes = sheet.picture(left, top + key, mosaic(pictures[group.rows[:examples]], examples), SCALE)
            for column in range(min(examples, len(group.rows))):
                outline_quadrants(axes, group, column * (pictures.shape[2] + GAP), pictures.shape[1:3])
    truth_table(sheet, sheet.width - MARGIN - TABLE, MARGIN + TITLE + key + height, groups)
    return sheet.figure


def contact_sheet(episode: Episode, collection: Collection, task: int = 0) -> Figure:
    """Show a whole task of grouped classes: a line a class, in blocks by category, support left and queries right.

    Args:
        episode: a batch of ``GroupedTasks``, padded or not. Grey pictures are shown as drawings, ink 1 on paper 0.
        collection: the suite's, which knows the names.
        task: which of the batch.
    """
    pictures = as_drawings(episode.support[task]), as_drawings(episode.query[task])
    sides = [lines_of(episode, collection, side, task) for side in ("support", "query")]
    same = [line[:2] for line in sides[0]] == [line[:2] for line in sides[1]]  # classes on both sides
    labels = sorted({line.label for line in sides[0]})
    lone = same and len(labels) == len(sides[0])  # a class a category: the names of the lines are enough
    blocks = [
        [[line for line in side if line.label in kept] for side in sides]
        for kept in ([labels] if lone else [[label] for label in labels])
    ]
    size = pictures[0].shape[1]
    scale = max(1, round(LEGIBLE / size))
    columns = [max(len(line.rows) for line in side) for side in sides]
    widths = [extent(pictures[0], count, 1, scale)[0] for count in columns]
    names = [0 if same and side is sides[1] else _names_width([line.name for line in side]) for side in sides]
    lefts = [MARGIN + names[0], MARGIN + names[0] + widths[0] + BETWEEN + names[1]]
    title = 0 if lone else TITLE
    heights = [title + extent(pictures[0], 1, max(map(len, block)), scale)[1] + BENEATH for block in blocks]
    sheet = Sheet(lefts[1] + widths[1] + MARGIN, 2 * MARGIN + TITLE + sum(heights) - BENEATH)

    for left, side in zip(lefts, ("support", "queries"), strict=True):
        sheet.write(left, MARGIN + TITLE / 2 - 4, side, color="0.4")
    for number, block in enumerate(blocks):
        top = MARGIN + TITLE + sum(heights[:number])
        if not lone:
            category = episode.attributes["categories"][task, labels[number]]
            sheet.write(MARGIN, top + TITLE / 2 - 2, spelt(collection.category_names[category]), weight="bold")
        for left, lines, light, count, named in zip(lefts, block, pictures, columns, names, strict=True):
            sheet.picture(left, top + title, mosaic(tabulated(light, lines, count), count), scale)
            for row, line in enumerate(lines if named else []):
                middle = top + title + scale * (row * (size + GAP) + size / 2)
                sheet.write(left - NAME_GAP, middle, line.name, ha="right", fontsize=NAME_SIZE)
    return sheet.figure


def _names_width(names: list[str]) -> int:
    return NAME_GAP + max(written_width(part, NAME_SIZE) for name in names for part in name.split("\n") if part)
