"""What is said wherever numbers were found on the stand-in for tieredImageNet."""

import csv

import pytest

from polythetic.datasets.storage.places import look_for
from polythetic.datasets.tiered import CLASSES, STAND_IN
from polythetic.report.page import write_report
from polythetic.report.stand_in import classes_of, stand_in_words
from tests.committed import rows
from tests.report.test_page import section

FACTS = (
    "The data are a stand-in",
    "those classes of tieredImageNet that Tiny-ImageNet has too",
    "C=2/G=5 and C=4/G=5 of the test categories substance, insect, vessel, geological formation, solid",
    "tiered-imagenet-64/classes.csv lists them",
    "the network has seen (EfficientNet-Lite0 from PyPI, frozen, trained on all of ImageNet)",
    "C=8/G=5 mixes the splits, 11 categories (",
    "C=2/G=10 is one fixed pair, insect and vessel",
    "eline: cougar, Egyptian cat, lion, Persian cat, tabby; garment: bikini,",
    "; vessel: barrel, bathtub, beaker, beer bottle, bucket, pill bottle, pop bottle, teapot, water jug, water tower.",
)


@pytest.mark.parametrize("name", ["table4", "table5"])
def test__stand_in_words__of_the_committed_results__say_every_fact(name):
    said = stand_in_words(rows(name))
    assert all(fact in said for fact in FACTS)


def test__classes_of__categories_that_are_drawn__are_those_of_the_data():
    folder = look_for(STAND_IN, [CLASSES])
    if folder is None:
        pytest.skip("the stand-in for tieredImageNet is not here")
    found = {}
    with (folder / CLASSES).open(encoding="utf-8", newline="") as file:
        for entry in csv.DictReader(file):
            name, member = (entry[key].split(",")[0] for key in ("category_name", "class_name"))
            found.setdefault(name, []).append(member)
    drawn = {name.rsplit(" ", 1)[0] for entry in rows("table4") for name in entry["categories"]}
    assert set(classes_of()) == drawn
    assert all(members == sorted(found[name], key=str.lower) for name, members in classes_of().items())


def test__stand_in_words__of_other_data__are_none():
    assert stand_in_words(rows("figure8")) == ""


def test__captions__of_all_forms__say_every_fact(tmp_path):
    page = write_report([section("table4", rows("table4"))], tmp_path, budget="standard")
    for path in (page, tmp_path / "tables" / "table4.md", tmp_path / "tables" / "table4.tex"):
        words = path.read_text(encoding="utf-8")
        assert all(words.count(fact) >= 2 for fact in FACTS), path  # the table's caption, and the comparison's
        assert "12 not comparable (stand-in data)" in words
