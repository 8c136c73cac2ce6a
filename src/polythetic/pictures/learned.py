"""Features by a network that was learned from tasks: one that comes with polythetic, or one of the user's runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from polythetic.errors import InputError, PolytheticError

if TYPE_CHECKING:
    from torch import Tensor

    from polythetic.encoders import Encoder
    from polythetic.runs import RunSettings

# What the weights that come along were learned from, and which of them are taken first: of characters those that the
# paper freezes, of digits those that were learned with selection.
SHIPPED = {
    "drawings": ("omniglot-characters", ("PN", "FS+MN", "MN")),
    "digits": ("mnist-colourless", ("FS+MN", "PN", "MN")),
}
# The shape of an example, by how the suite is called: runs do not note it, and their data need not be here.
EXAMPLES = {"omniglot": (1, 28, 28), "mnist-colourless": (1, 56, 56), "mnist": (3, 56, 56), "pictures": (3, 56, 56)}
AT_ONCE = 256  # queries that are encoded beside the labelled pictures


def is_run(name: str) -> bool:
    """Tell the folder of a run from other words."""
    return (Path(name) / "settings.json").is_file()


def shipped_for(encoder: str) -> str | None:
    """Return the name of the weights that come along for drawings or digits; None if there are none."""
    from polythetic.weights import shipped

    suite, methods = SHIPPED[encoder]
    plain = [card for card in shipped() if card.settings.suite == suite and not card.settings.method_options]
    there = {card.settings.method: card.name for card in plain}
    return next((there[method] for method in methods if method in there), None)


def network(encoder: str) -> tuple[Encoder, tuple[int, ...]]:
    """Return a network, and the shape of the pictures that it takes.

    Raises:
        PolytheticError: there are no such weights, or the run has none yet, or they are damaged.
        InputError: the run is not one on pictures.
    """
    from polythetic.encoders import encoder_for

    settings, weights = _weights(encoder)
    shape = next((shape for suite, shape in EXAMPLES.items() if settings.suite.startswith(suite)), None)
    own = {name.removeprefix("encoder."): part for name, part in weights.items() if name.startswith("encoder.")}
    if shape is None or not own:
        expected = f"an encoder of pictures, learned from {', '.join(EXAMPLES)}"
        raise InputError("--encoder", f"{encoder!r}, a run of {settings.method} on {settings.suite}", expected)
    made = encoder_for(shape, name=settings.encoder, embedding=settings.embedding)
    made.load_state_dict(own)
    return made.eval().requires_grad_(False), shape


def encode(made: Encoder, support: Tensor, query: Callable[[range], Tensor], queries: int) -> tuple[Tensor, Tensor]:
    """Encode labelled pictures and others, by which they are normalised; ``query`` decodes some of the others."""
    import torch

    found: list[Tensor] = []
    for start in range(0, queries, AT_ONCE):
        features, more = made(support, query(range(start, min(start + AT_ONCE, queries))))
        found.append(more)
    return features, torch.cat(found)


def bright_on_black(pictures: Tensor) -> Tensor:
    """Turn grey pictures [n, 1, h, w] that are dark on paper into bright on black, which is what was learned from.

    >>> import torch
    >>> bright_on_black(torch.tensor([[[[0.0, 1.0, 1.0]]], [[[0.0, 0.0, 1.0]]]])).flatten(1).tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    paper = pictures.flatten(1).median(1).values > 0.5
    return pictures.where(~paper[:, None, None, None], 1 - pictures)


def _weights(encoder: str) -> tuple[RunSettings, dict[str, Tensor]]:
    from polythetic.checkpoints import CheckpointError, last_checkpoint
    from polythetic.runs import read_settings
    from polythetic.weights import shipped_weights

    if encoder not in SHIPPED:
        settings, checkpoint = read_settings(Path(encoder)), last_checkpoint(Path(encoder))
        if checkpoint is None:
            raise CheckpointError(f"{encoder}: has no checkpoint yet; `polythetic train` goes on with it")
        return settings, checkpoint.part("weights")
    name = shipped_for(encoder)
    if name is None:
        suite, methods = SHIPPED[encoder]
        raise PolytheticError(
            f"--encoder {encoder}: its weights do not come with this polythetic: `polythetic train {suite} "
            f"{methods[0]} --out runs/{encoder}` trains them, to be given as --encoder runs/{encoder}; or give "
            "--encoder pixels"
        )
    return shipped_weights(name)
