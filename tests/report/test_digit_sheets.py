"""Sheets of polythetic MNIST show the pictures of the episode, all of them, where the titles say."""

import re

import numpy as np
import pytest

from polythetic.datasets.mnist import mnist
from polythetic.episodes.digits import VERSIONS, DigitTasks
from polythetic.errors import InputError
from polythetic.report.pictures import save_picture
from polythetic.report.sheets import example_task, sheet_of, task_sheet

SIDE = 56


def suite(version, **options):
    return DigitTasks(mnist("evaluation", source="embedded"), version, **{"polythetic": 1, **options})


def tiles(axes, columns):
    """Cut the picture that axes show into tiles, line by line."""
    (image,) = axes.images
    shown = np.asarray(image.get_array())
    lines = (shown.shape[0] + 1) // (SIDE + 1)
    assert shown.shape == (lines * (SIDE + 1) - 1, columns * (SIDE + 1) - 1, 3)
    for line in range(lines):
        for column in range(columns):
            top, left = line * (SIDE + 1), column * (SIDE + 1)
            yield shown[top : top + SIDE, left : left + SIDE]


def titled_above(figure, axes):
    """The words nearest above the left edge of axes."""
    box = axes.get_position()
    above = [t for t in figure.texts if t.get_position()[1] > box.y1 and abs(t.get_position()[0] - box.x0) < 0.01]
    return min(above, key=lambda t: t.get_position()[1]).get_text()


def colours_of(picture):
    return np.repeat(picture, 3, 0) if len(picture) == 1 else picture


@pytest.mark.parametrize("version", VERSIONS)
def test__task_sheet__every_block__has_exactly_the_pictures_of_its_class_and_group(version):
    episode = suite(version).batch(seed=2, start=0, stop=3)
    figure = task_sheet(episode, 1)
    assert len(figure.axes) == 4
    blocks = set()
    for axes in figure.axes:
        label, group = map(int, re.match(r"class (\d), group (\d): ", titled_above(figure, axes)).groups())
        blocks.add((label, group))
        rows = (episode.support_labels[1] == label) & (episode.attributes["support_group"][1] == group)
        expected = [colours_of(picture.numpy()).transpose(1, 2, 0) for picture in episode.support[1][rows]]
        np.testing.assert_array_equal(np.stack(list(tiles(axes, columns=6))), np.stack(expected))
    assert len(blocks) == 4


def test__task_sheet__saved_in_our_style__has_each_pixel_of_a_picture_two_by_two(tmp_path):
    from PIL import Image

    episode = suite("full").batch(seed=0, start=0, stop=1)
    save_picture(lambda: task_sheet(episode), tmp_path, "sheet")
    saved = np.asarray(Image.open(tmp_path / "sheet.png").convert("RGB")).astype(int)
    axes = task_sheet(episode).axes[0]
    box = axes.get_position()
    left, top = round(box.x0 * saved.shape[1]), round((1 - box.y1) * saved.shape[0])
    shown = (np.asarray(axes.images[0].get_array()) * 255).astype(int)
    block = saved[top : top + 2 * shown.shape[0], left : left + 2 * shown.shape[1]]
    assert abs(block - shown.repeat(2, 0).repeat(2, 1)).max() <= 1


def test__task_sheet__unequal_groups_and_more_classes__leaves_the_rest_blank():
    episode = suite("clean", groups=3, ways=3, shots=(1, 7), queries=1).batch(seed=0, start=0, stop=1)
    figure = task_sheet(episode, columns=3)
    assert len(figure.axes) == 9
    for axes in figure.axes:
        label, group = map(int, re.match(r"class (\d), group (\d)", titled_above(figure, axes)).groups())
        real = episode.attributes["support_group"][0] == group
        size = int((real & (episode.support_labels[0] == label)).sum())
        blank = [bool((tile == 1).all()) for tile in tiles(axes, columns=3)]
        assert blank == [False] * size + [True] * (len(blank) - size)


def test__task_sheet__many_attributes__titles_end_within_their_block():
    figure = task_sheet(suite("full", interacting=4, shots=2, queries=1).batch(seed=0, start=0, stop=1))
    renderer = figure.canvas.get_renderer()
    width = figure.bbox.width
    edges = sorted({round(axes.get_position().x1 * width) for axes in figure.axes})
    for title in figure.texts:
        box = title.get_window_extent(renderer)
        assert box.x1 <= next(edge for edge in edges if edge > box.x0) + 2


def test__example_task__every_row__has_the_first_examples_of_one_group_and_says_which():
    episode = suite("full").batch(seed=0, start=111, stop=112)
    figure = example_task(episode, examples=3)
    mosaics = [axes for axes in figure.axes if axes.images]
    assert len(mosaics) == 4
    found = set()
    for axes in mosaics:
        shown = np.stack(list(tiles(axes, columns=3)))
        for label in (0, 1):
            for group in (0, 1):
                rows = (episode.support_labels[0] == label) & (episode.attributes["support_group"][0] == group)
                if np.array_equal(shown, episode.support[0][rows][:3].numpy().transpose(0, 2, 3, 1)):
                    found.add((label, group))
                    digit, colour = episode.attributes["support_traits"][0][rows][0, [2, 7]].tolist()
                    assert titled_above(figure, axes) == f"{digit} bottom-left"
                    assert axes.get_position().x0 < 0.3 or label == 1
                    assert f"{['red', 'green', 'blue'][colour]} bottom-right" in {t.get_text() for t in figure.texts}
    assert len(found) == 4


def test__example_task__outlines__are_around_the_quadrants_that_matter():
    figure = example_task(suite("full").batch(seed=0, start=111, stop=112), examples=2)
    axes = figure.axes[0]
    corners = [patch.get_xy() for patch in axes.patches]
    centres = [
        (x + patch.get_width() / 2, y + patch.get_height() / 2)
        for (x, y), patch in zip(corners, axes.patches, strict=True)
    ]
    quadrants = [(x % (SIDE + 1) > SIDE / 2, y > SIDE / 2) for x, y in centres]
    assert quadrants == [(False, True), (True, True)] * 2  # bottom-left, bottom-right
    colours = [patch.get_edgecolor() for patch in axes.patches]
    lines = [patch.get_linestyle() for patch in axes.patches]
    assert colours[0] != colours[1]
    assert lines[0] != lines[1]  # told apart without colour too


def test__example_task__table__says_the_class_of_every_pair_of_values():
    episode = suite("full").batch(seed=0, start=111, stop=112)
    table = next(axes for axes in example_task(episode).axes if not axes.images)
    cells = {text.get_position(): text.get_text() for text in table.texts}
    rows, columns = (
        [v for (x, y), v in cells.items() if at(x, y)] for at in (lambda x, y: x == -0.12, lambda x, y: y == -0.1)
    )
    names = ["red", "green", "blue"]
    traits, labels = episode.attributes["support_traits"][0].tolist(), episode.support_labels[0].tolist()
    for row, label in zip(traits, labels, strict=True):
        place = columns.index(names[row[7]]) + 0.5, rows.index(str(row[2])) + 0.5
        assert cells[place] == f"class\n{label}"


@pytest.mark.parametrize("options", [{"polythetic": 0}, {"interacting": 3}, {"groups": 3}])
def test__example_task__of_another_kind__is_refused(options):
    with pytest.raises(InputError, match="two classes and two attributes"):
        example_task(suite("full", **options).batch(seed=0, start=0, stop=1))


@pytest.mark.parametrize("sheet", [task_sheet, example_task])
def test__sheets__again__are_the_same_files(tmp_path, sheet):
    for name in ("first", "second"):
        save_picture(lambda: sheet(suite("full").batch(seed=0, start=0, stop=1)), tmp_path, name)
    for kind in ("png", "pdf"):
        assert (tmp_path / f"first.{kind}").read_bytes() == (tmp_path / f"second.{kind}").read_bytes()


def test__sheet_of__a_suite_of_digits__is_its_task_sheet():
    tasks = suite("clean")
    shown, expected = (
        figure.axes[3].images[0].get_array()
        for figure in (sheet_of(tasks, seed=1, task=4), task_sheet(tasks.batch(1, 4, 5)))
    )
    np.testing.assert_array_equal(shown, expected)
