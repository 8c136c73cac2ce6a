"""Contact sheets show every example of a task, on the line of its class in the block of its category."""

import numpy as np
import pytest

from polythetic.datasets.collection import Collection, Pixels, Rows
from polythetic.episodes.grouped import GroupedTasks
from polythetic.errors import InputError
from polythetic.report.sheets import contact_sheet, sheet_of

PAPER = 0.93


def collection(channels=1, size=28, classes=12, each=9):
    pixels = np.random.default_rng(0).integers(0, 255, (classes * each, channels, size, size)).astype(np.uint8)
    names = [f"alphabet_{k // 4}/character{k:02d}" for k in range(classes)]
    labels = np.repeat(names, each)
    categories = {name: name.partition("/")[0] for name in names}
    return Collection.from_labels(Pixels(pixels), labels, categories=categories, source="an example")


def shown_light(pictures):
    light = pictures.numpy().transpose(0, 2, 3, 1)
    return light if light.shape[-1] == 3 else (PAPER * (1 - light.repeat(3, -1))).astype(np.float32)


def found(figure, size):
    """Every tile that is not blank, as bytes, with the centre of its line and the side it is on."""
    tiles = []
    height = figure.bbox.height
    middle = np.mean(sorted({axes.get_position().x0 for axes in figure.axes}))
    for axes in figure.axes:
        shown = np.asarray(axes.images[0].get_array())
        box = axes.get_position()
        lines = (shown.shape[0] + 1) // (size + 1)
        scale = (box.y1 - box.y0) * height / shown.shape[0]
        for line in range(lines):
            for column in range((shown.shape[1] + 1) // (size + 1)):
                top, left = line * (size + 1), column * (size + 1)
                tile = shown[top : top + size, left : left + size]
                if not (tile == 1).all():
                    centre = box.y1 * height - scale * (top + size / 2)
                    tiles.append(
                        (np.ascontiguousarray(tile).tobytes(), centre, "query" if box.x0 > middle else "support")
                    )
    return tiles


def words(figure):
    """The centre of each line of words, by what it says."""
    height = figure.bbox.height
    return [(text.get_text(), text.get_position()[1] * height) for text in figure.texts]


def check(episode, suite, figure, task, size, lone=False):
    """Compare what is shown with the episode, on each side; lone classes have their whole names."""
    names = suite.collection.class_names
    tiles = found(figure, size)
    for side in ("support", "query"):
        pictures, mask = getattr(episode, side)[task], getattr(episode, f"{side}_mask")
        real = np.ones(len(pictures), bool) if mask is None else mask[task].numpy()
        classes = episode.attributes[f"{side}_class"][task].numpy()[real]
        expected = [picture.tobytes() for picture in shown_light(pictures)[real]]
        here = {content: centre for content, centre, where in tiles if where == side}
        assert sorted(expected) == sorted(content for content, _, where in tiles if where == side)
        for content, number in zip(expected, classes, strict=True):
            beside = {text for text, centre in words(figure) if abs(centre - here[content]) < 1}
            whole = names[number].replace("_", " ").replace("/", " ")
            assert (whole if lone else whole.split()[-1]) in beside


CASES = {
    "categories of classes": {"ways": 3, "groups": 3, "shots": 2, "queries": 4},
    "padded": {"ways": (2, 3), "groups": (1, 4), "shots": (1, 4), "queries": (1, 5)},
    "classes the support does not show": {"ways": 2, "groups": 2, "query_groups": 2, "shots": 3, "queries": 4},
}


@pytest.mark.parametrize("channels", [1, 3])
@pytest.mark.parametrize("options", CASES.values(), ids=CASES)
def test__contact_sheet__every_example__is_on_the_line_of_its_class(options, channels):
    suite = GroupedTasks(collection(channels), **options)
    episode = suite.batch(seed=4, start=0, stop=3)
    for task in range(3):
        check(episode, suite, contact_sheet(episode, suite.collection, task), task, size=28)


def test__contact_sheet__blocks__have_the_names_of_their_categories_above_them():
    suite = GroupedTasks(collection(), ways=3, groups=2, shots=1, queries=1)
    episode = suite.batch(seed=0, start=0, stop=1)
    figure = contact_sheet(episode, suite.collection)
    order = [text for text, _ in sorted(words(figure), key=lambda word: -word[1]) if text.startswith("alphabet")]
    names = [suite.collection.category_names[k] for k in episode.attributes["categories"][0]]
    assert order == [name.replace("_", " ") for name in names]


def test__contact_sheet__a_class_a_category__has_no_titles_but_whole_names():
    suite = GroupedTasks(collection(size=64).flat(), ways=5, shots=2, queries=3)
    episode = suite.batch(seed=0, start=0, stop=1)
    figure = contact_sheet(episode, suite.collection)
    assert len(figure.axes) == 2
    assert len(figure.texts) == 2 + 5
    check(episode, suite, figure, 0, size=64, lone=True)


def test__contact_sheet__same_category_twice__is_two_blocks():
    one = collection(classes=4)
    suite = GroupedTasks(one, ways=2, groups=2, shots=2, queries=2, replacement=True)
    figure = contact_sheet(suite.batch(seed=0, start=0, stop=1), one)
    assert sum(text.get_text() == "alphabet 0" for text in figure.texts) == 2


def test__contact_sheet__names__none_is_cut_off_by_the_edge_or_read_as_mathematics():
    plain = collection(classes=4)
    names = ("$x", "a name of many words, more than can be said in two lines of it", "Großer_Name", "c")
    named = Collection(plain.examples, plain.members, names, plain.categories, ("$a$ and $b",), "an example")
    suite = GroupedTasks(named, ways=1, groups=4, shots=1, queries=1)
    figure = contact_sheet(suite.batch(seed=0, start=0, stop=1), named)
    texts = {text.get_text() for text in figure.texts}
    assert {"$x", "Großer Name", "c", "$a$ and $b"} <= texts
    assert any(text.startswith("a name of many") and text.endswith("…") for text in texts)
    renderer = figure.canvas.get_renderer()
    for text in figure.texts:
        assert text.get_window_extent(renderer).x0 >= 0


def test__contact_sheet__of_what_is_not_pictures__is_refused():
    rows = Collection.from_labels(Rows(np.eye(8)), ["a"] * 4 + ["b"] * 4, source="an example")
    suite = GroupedTasks(rows, ways=2, shots=1, queries=1)
    with pytest.raises(InputError, match="one channel or three"):
        contact_sheet(suite.batch(seed=0, start=0, stop=1), rows)


def test__sheet_of__grouped_tasks__is_their_contact_sheet():
    suite = GroupedTasks(collection(), ways=2, groups=2, shots=2, queries=2)
    shown, expected = (
        figure.axes[0].images[0].get_array()
        for figure in (sheet_of(suite, seed=1, task=4), contact_sheet(suite.batch(1, 4, 5), suite.collection))
    )
    np.testing.assert_array_equal(shown, expected)
