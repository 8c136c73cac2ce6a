"""Trained weights that come with polythetic, each with a card that says how it was made and how good it is.

    polythetic evaluate mnist-colourless-fs-mn --set polythetic=1     # on new tasks, no training
    polythetic reproduce --from-weights                               # Tables 2 and 3 again

``python -m polythetic.weights.make`` makes them from finished runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load
from torch import Tensor

from polythetic.arguments import one_of
from polythetic.episodes.suites import Suite
from polythetic.errors import DataError, PolytheticError
from polythetic.learners import Learner
from polythetic.runs import RunSettings, load_learner, read_settings, taught

HERE: Traversable = files("polythetic.weights")


@dataclass(frozen=True)
class Card:
    """What is to be known of some weights.

    Attributes:
        name: as in ``polythetic evaluate NAME``.
        settings: of the run that they come from.
        sha256: of the file.
        facts: all that the card says: data and licence, budget, command, accuracy.
    """

    name: str
    settings: RunSettings
    sha256: str
    facts: dict[str, Any]


def shipped(folder: Traversable | None = None) -> list[Card]:
    """List the weights that come along, or those in another folder, by name."""
    cards = [_read_card(path) for path in (folder or HERE).iterdir() if path.name.endswith(".json")]
    return sorted(cards, key=lambda card: card.name)


def shipped_weights(name: str, folder: Traversable | None = None) -> tuple[RunSettings, dict[str, Tensor]]:
    """Return the settings of a learner and its weights, in single precision, after a look at their checksum.

    Raises:
        InputError: no weights of that name come along.
        DataError: the file is damaged.
    """
    cards = {card.name: card for card in shipped(folder)}
    one_of("weights", name, cards)
    content = ((folder or HERE) / f"{name}.safetensors").read_bytes()
    if sha256(content).hexdigest() != cards[name].sha256:
        raise DataError(f"{name}.safetensors: not the file that its card describes: install polythetic again")
    try:
        return cards[name].settings, {part: tensor.float() for part, tensor in load(content).items()}
    except SafetensorError as error:
        raise DataError(f"{name}.safetensors: damaged ({error}): install polythetic again") from None


def weights_of(name: str, sha256: str) -> dict[str, Tensor]:
    """Return the weights alone, as the work of a job; the checksum makes it another job when the file is another."""
    return shipped_weights(name)[1]


def opened(run: Path) -> tuple[RunSettings, Callable[[Suite], Learner]]:
    """Open what was trained, in the folder of a run or shipped by that name: its settings, and what loads it.

    Raises:
        PolytheticError: it is neither.
    """
    names = [card.name for card in shipped()]
    if run.exists() or str(run) not in names:
        try:
            return read_settings(run), lambda suite: load_learner(run, suite)
        except PolytheticError as error:
            come = f"and no weights of that name come along ({', '.join(names) or 'none do'})"
            raise PolytheticError(f"{error}, {come}") from None
    settings, weights = shipped_weights(str(run))

    def loaded(suite: Suite) -> Learner:
        return taught(settings.learner(suite), weights, str(run))

    return settings, loaded


def _read_card(path: Traversable) -> Card:
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        settings = RunSettings.from_json(json.dumps(facts["settings"]))
        return Card(path.name.removesuffix(".json"), settings, str(facts["sha256"]), facts)
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path.name}: not a card of weights ({error}): install polythetic again") from None
