"""A small hierarchy, made up: pictures of one pixel and colours that tell their class."""

import numpy as np

from polythetic.datasets.collection import Collection, Rows
from polythetic.errors import MissingDataError

# By split: the categories, and how many classes each has.
STAND_IN = {
    "training": {"cats, felines": 5, "dogs": 6, "cups": 5, "hats": 7, "owls": 1},
    "validation": {"cars": 5},
    "evaluation": {"flies": 10, "pots": 10, "soups": 5, "hills": 5},
}
PICTURES = 22  # of a class
SPLITS = list(STAND_IN)


def collection_of(sizes, source, first=0):
    """Pictures [1, 1, 3]: the numbers of the category and of the class within it, and that of the picture."""
    values, labels, parents = [], [], {}
    for k, (category, classes) in enumerate(sizes.items()):
        for c in range(classes):
            name = f"{first + k:02}-{c:02}"
            parents[name] = category
            labels += [name] * PICTURES
            values += [[first + k, c, i] for i in range(PICTURES)]
    pictures = np.array(values, float).reshape(-1, 3, 1, 1)
    return Collection.from_labels(Rows(pictures), labels, categories=parents, source=source)


def stand_in(split="evaluation", *, release="auto"):
    """What ``tiered`` would be on it."""
    assert release in ("auto", "stand-in")
    wanted = SPLITS if split == "all" else [split]
    before = sum(len(STAND_IN[s]) for s in SPLITS[: SPLITS.index(wanted[0])])
    sizes = {name: classes for s in wanted for name, classes in STAND_IN[s].items()}
    return collection_of(sizes, "a part of tieredImageNet, made up", before)


def official(split="evaluation", *, release="auto"):
    """What ``tiered`` would be on a release of which only the test split is there."""
    assert release in ("auto", "official")
    if split != "evaluation":
        raise MissingDataError("tiered-imagenet: train_images_png.pkl is missing")
    return collection_of({f"category {k}": 10 + k for k in range(8)}, "tieredImageNet, test")


def nothing(split="evaluation", *, release="auto"):
    """What ``tiered`` is where there is nothing."""
    raise MissingDataError("tiered-imagenet: nothing is here")


class Network:
    """In the place of the frozen one: ten features for each category, one for each class, a little for each picture."""

    def __call__(self, support, query):
        rows = support.reshape(len(support), 3).long().numpy()
        categories = np.repeat(np.eye(12)[rows[:, 0]], 10, axis=1)
        classes = np.eye(24)[rows[:, 1]]
        return support.new_tensor(np.hstack([categories, classes, 0.01 * rows[:, 2:]])), query


def put(patch, data=stand_in):
    """Put made-up data in the place of tieredImageNet, and their network in the place of the frozen one."""
    patch.setattr("polythetic.experiments.hierarchy.tiered", data)
    patch.setattr("polythetic.experiments.hierarchy.EfficientNetLite0", Network)
