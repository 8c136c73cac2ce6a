"""Features of pictures for the page: what they are known to show, their pixels, or what a trained network sees."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from polythetic.errors import MissingDataError

if TYPE_CHECKING:
    from torch import Tensor

    from polythetic.episodes import DigitTasks, Episode, GroupedTasks

FEATURES = ("attributes", "pixels", "network")
LEARNED = ("FS+MN", "PN", "MN")  # of the weights that come along these first
KNOWN = (
    "Features: what each quadrant shows, known for certain, as {} indicators; no network had to see it. Two attributes "
    "matter, the others are noise."
)
LEFT = 14  # pixels a side after averaging


def features_of(
    kind: str, dataset: str, tasks: DigitTasks | GroupedTasks, episode: Episode
) -> tuple[Tensor, Tensor, str]:
    """Return the features of support and queries of one task, and what they are in words."""
    import torch

    if kind == "attributes":
        support, query = (attributes(episode.attributes[f"{side}_traits"][0]) for side in ("support", "query"))
        return support, query, KNOWN.format(support.shape[1])
    if kind == "pixels":
        support, query = averaged(episode.support[0]), averaged(episode.query[0])
        return support, query, f"Features: {support.shape[1]} pixels, means of larger squares; no network was trained."
    from polythetic.weights import opened

    if (name := network_for(dataset)) is None:
        raise MissingDataError(
            f"no trained weights for {dataset} come with this polythetic: choose the features pixels"
            + ("" if dataset == "omniglot" else " or attributes")
        )
    encoder: Any = opened(Path(name))[1](tasks).encoder
    with torch.no_grad():
        support, query = encoder(episode.support, episode.query)
    return support[0], query[0], f"Features: {support.shape[-1]}, by the network {name} that comes with polythetic."


def network_for(dataset: str) -> str | None:
    """Return the name of the weights that come along for such pictures; None if there are none."""
    from polythetic.weights import shipped

    suite = "omniglot-characters" if dataset == "omniglot" else f"mnist-{dataset}"
    there = {
        card.settings.method: card.name
        for card in shipped()
        if card.settings.suite == suite and not card.settings.method_options
    }
    return next((there[method] for method in LEARNED if method in there), None)


def attributes(traits: Tensor) -> Tensor:
    """Write traits [n, 8] as indicators [n, 52]: the digit in each quadrant, then its colour; zeros for none.

    >>> import torch
    >>> attributes(torch.tensor([[3, -1, -1, -1, 0, -1, -1, -1]])).nonzero().tolist()
    [[0, 3], [0, 40]]
    """
    import torch
    from torch.nn.functional import one_hot

    from polythetic.episodes.quadrants import VALUES

    known = zip(traits.T, VALUES.tolist(), strict=True)
    return torch.cat([one_hot(t.clamp(min=0), v) * (t >= 0)[:, None] for t, v in known], 1).float()


def averaged(pictures: Tensor) -> Tensor:
    """Average pixels [n, channels, side, side] over squares, so that 14 a side are left: [n, channels · 196].

    >>> import torch
    >>> averaged(torch.rand(5, 3, 56, 56)).shape
    torch.Size([5, 588])
    """
    from torch.nn.functional import avg_pool2d

    return avg_pool2d(pictures, pictures.shape[-1] // LEFT).flatten(1)
