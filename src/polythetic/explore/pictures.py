"""Pictures: a polythetic task, what each method answers, and which examples a query attended to."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from typing import TYPE_CHECKING, Any

from polythetic.arguments import one_of, whole_number
from polythetic.errors import InputError, MissingDataError
from polythetic.explore.code import ATTENDING, METHODS, MOST_ATTENDED, pictures_lines
from polythetic.explore.picture_features import FEATURES, features_of, network_for
from polythetic.progress import Progress

if TYPE_CHECKING:
    from torch import Tensor

    from polythetic.datasets import Collection
    from polythetic.episodes import DigitTasks, Episode, GroupedTasks
    from polythetic.pipeline import Method

DIGIT_TASKS = ("clean", "colourless", "full")
DATASETS = (*DIGIT_TASKS, "omniglot")
DIGITS = 4


@dataclass(frozen=True)
class PicturesView:
    """What is on the page.

    Attributes:
        dataset: polythetic MNIST, ``"clean"``, ``"colourless"`` or ``"full"``; or ``"omniglot"``: which alphabet?
        features: ``"attributes"``, what is in each quadrant, known for certain (digits alone); ``"pixels"``; or
            ``"network"``, what a trained one sees, if its weights come along.
        shots: examples a group.
        query: the one that is looked at.
        seed: fixes the task.
    """

    dataset: str = "full"
    features: str = "attributes"
    shots: int = 6
    query: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        one_of("dataset", self.dataset, DATASETS)
        one_of("features", self.features, FEATURES)
        whole_number("shots", self.shots, least=2, most=12)
        whole_number("seed", self.seed, least=0, most=2**31)
        whole_number("query", self.query, least=0, most=15, meaning="there are no more")
        if self.dataset == "omniglot" and self.features == "attributes":
            raise InputError("features", "'attributes'", "pixels or network: nobody knows the attributes of a drawing")


def pictures(view: PicturesView, progress: Progress) -> Mapping[str, Any]:
    """Say what the page shows."""
    import torch

    from polythetic.classifiers import method_named

    collection = collection_of(view.dataset)
    tasks = tasks_on(view, collection)
    episode = tasks.batch(view.seed, 0, 1)
    support, query, words = features_of(view.features, view.dataset, tasks, episode)
    labels, truth = episode.support_labels[0], episode.query_labels[0]
    progress.start("answering", len(METHODS))
    methods, attention = [], {}
    for name in METHODS:
        method = method_named(name)
        with torch.no_grad():
            p = method(support, labels, query).exp()
            if name in ATTENDING:
                attention[name] = _strongest(attended(method, support, labels, query))
        answers = p.argmax(1)  # labels are 0 to K − 1
        methods.append(
            {
                "name": name,
                "answers": answers.tolist(),
                "sure": _rounded(p.max(1).values),
                "right": int((answers == truth).sum()),
            }
        )
        progress.advance()
    return {
        "source": collection.source,
        "classes": _classes(view, episode, collection),
        "features": words,
        "network": network_for(view.dataset),
        "support": _shown(episode.support[0], labels),
        "queries": _shown(episode.query[0], truth),
        "methods": methods,
        "attention": attention,
        "code": pictures_lines(view),
    }


@lru_cache
def collection_of(dataset: str) -> Collection:
    """Load what tasks are made from: digits that come along, or Omniglot if it is on this machine; fetch nothing."""
    from polythetic.datasets import mnist, omniglot
    from polythetic.datasets.releases.omniglot_archives import ARCHIVES
    from polythetic.datasets.storage.places import look_for

    if dataset != "omniglot":
        return mnist("evaluation", source="embedded")
    if look_for("omniglot", [archive.file for archive in ARCHIVES]) is None:
        raise MissingDataError("Omniglot is not on this machine: polythetic data fetch omniglot gets it")
    return omniglot("evaluation")


def tasks_on(view: PicturesView, collection: Collection) -> DigitTasks | GroupedTasks:
    """Make the suite that the task is drawn from."""
    from polythetic.episodes import DigitTasks, alphabet_tasks

    if view.dataset == "omniglot":
        return alphabet_tasks(collection, ways=3, characters=4, shots=view.shots, queries=1)
    return DigitTasks(collection, view.dataset, polythetic=1, shots=view.shots, queries=4)


def attended(method: Method, support: Tensor, labels: Tensor, query: Tensor) -> Tensor:
    """Return how far each query attends to each example, [q, n], after the method's selection if it has one."""
    from polythetic.attention import log_attention
    from polythetic.classifiers import Matching
    from polythetic.classifiers.options import temperature_on

    matching = method.classifier
    assert isinstance(matching, Matching)
    if method.selection is not None:
        support, query = method.selection(support, labels, query)
    T = temperature_on(support, None, matching.similarity, matching.temperature, matching.sharpness)
    return log_attention(query, support, similarity=matching.similarity, temperature=T).exp()


def _strongest(weights: Tensor) -> list[list[list[float]]]:
    found = weights.topk(min(MOST_ATTENDED, weights.shape[1]), dim=1)
    return [
        [[row, round(weight, DIGITS)] for row, weight in zip(rows, values, strict=True)]
        for rows, values in zip(found.indices.tolist(), found.values.tolist(), strict=True)
    ]


def _classes(view: PicturesView, episode: Episode, collection: Collection) -> list[str]:
    """Say what makes each class."""
    from polythetic.report.digit_groups import groups_of

    if view.dataset == "omniglot":
        return [collection.category_names[number] for number in episode.attributes["categories"][0].tolist()]
    groups = groups_of(episode)
    labels = sorted({group.label for group in groups})
    return [" or ".join(f"“{group.words}”" for group in groups if group.label == label) for label in labels]


def _shown(examples: Tensor, labels: Tensor) -> list[dict[str, Any]]:
    return [
        {"picture": _png(example), "label": label} for example, label in zip(examples, labels.tolist(), strict=True)
    ]


def _png(example: Tensor) -> str:
    from PIL import Image

    values = (example.clamp(0, 1) * 255).round().byte().permute(1, 2, 0).numpy()
    file = BytesIO()
    Image.fromarray(values[:, :, 0] if values.shape[2] == 1 else values).save(file, "PNG")
    return b64encode(file.getvalue()).decode()


def _rounded(values: Tensor) -> Any:
    return (values.double() * 10**DIGITS).round().div(10**DIGITS).tolist()
