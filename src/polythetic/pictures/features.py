"""Features of pictures: by networks that are frozen, by pixels, or by a function of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from polythetic.errors import InputError
from polythetic.pictures.folders import Pictures
from polythetic.pictures.function import imported
from polythetic.pictures.learned import SHIPPED, bright_on_black, encode, is_run, network, shipped_for
from polythetic.progress import Progress, Silent

Array: TypeAlias = NDArray[np.float64]

ENCODERS = ("photographs", *SHIPPED, "pixels")
AT_ONCE = 64  # pictures decoded, or handed to a function
PIXELS = 28  # a side, of "pixels"
PHOTOGRAPH = 160  # pixels a side


def encoder_for_pictures(name: str | None, pictures: Pictures) -> str:
    """Return the name of the encoder to use: if none is given, one that suits the pictures.

    Photographs, which are in colour or large, go through the network that was trained on photographs; small grey
    pictures through that of drawings if its weights come along, and else their pixels are taken as they are.

    Raises:
        InputError: there is no such encoder.
    """
    if name is None:
        if pictures.are_photographs:
            return "photographs"
        return "drawings" if shipped_for("drawings") is not None else "pixels"
    if name not in ENCODERS and ":" not in name and not is_run(name):
        expected = f"one of {', '.join(ENCODERS)}, the folder of a run, or module:function"
        raise InputError("--encoder", repr(name), expected)
    return name


def features_of(
    encoder: str, support: Pictures, query: Pictures, *, progress: Progress | None = None
) -> tuple[Array, Array]:
    """Return the features of labelled pictures and of others, [n, F] each.

    Args:
        encoder: ``"photographs"``, ``"drawings"``, ``"digits"``, ``"pixels"``, the folder of a run, or
            ``"module:function"``: a function that is given a list of Pillow's images, in colour, and returns [n, F].
        support: the labelled pictures.
        query: the others.
        progress: is told how far it is.

    Raises:
        DataError: a picture cannot be read.
        InputError: the encoder cannot be used.
    """
    progress = progress or Silent()
    if encoder in SHIPPED or is_run(encoder):
        return _by_learned_network(encoder, support, query, progress)
    by_chunk = _chunk_encoder(encoder)
    progress.start("encoding pictures", len(support) + len(query))
    features = [_in_chunks(by_chunk, pictures, progress) for pictures in (support, query)]
    if features[0].shape[1] != features[1].shape[1]:
        raise _uneven(features)
    return features[0], features[1]


def decoded(pictures: Pictures, numbers: range, shape: tuple[int, ...]) -> NDArray[np.float32]:
    """Decode some pictures to one shape, [n, channels, height, width], from 0 to 1."""
    from polythetic.datasets.storage.picture_files import Files

    return Files(pictures.files, pictures.names, shape).take(np.asarray(numbers))


def _chunk_encoder(encoder: str) -> Callable[[Pictures, range], Array]:
    """Return what encodes some pictures, each by itself."""
    if ":" in encoder:
        function = imported(encoder)
        return lambda pictures, numbers: function([pictures.opened(number) for number in numbers])
    if encoder == "pixels":
        return lambda pictures, numbers: (
            decoded(pictures, numbers, (1, PIXELS, PIXELS)).reshape(len(numbers), -1).astype(np.float64)
        )
    import torch

    from polythetic.encoders import EfficientNetLite0

    try:
        frozen = EfficientNetLite0(size=PHOTOGRAPH)
    except InputError as error:
        raise InputError("--encoder", repr(encoder), f"{error.args[2]}; or give --encoder pixels") from error

    def embed(pictures: Pictures, numbers: range) -> Array:
        x = torch.from_numpy(decoded(pictures, numbers, (3, PHOTOGRAPH, PHOTOGRAPH)))
        return frozen(x, x[:0])[0].double().numpy()

    return embed


def _in_chunks(encode: Callable[[Pictures, range], Array], pictures: Pictures, progress: Progress) -> Array:
    found: list[Array] = []
    for start in range(0, len(pictures), AT_ONCE):
        numbers = range(start, min(start + AT_ONCE, len(pictures)))
        found.append(encode(pictures, numbers))
        progress.advance(len(numbers))
    if len({features.shape[1] for features in found}) > 1:
        raise _uneven(found)
    return np.concatenate(found)


def _uneven(features: Sequence[Array]) -> InputError:
    widths = " and ".join(str(width) for width in sorted({found.shape[1] for found in features}))
    return InputError("--encoder", f"{widths} features of different pictures", "as many of each")


def _by_learned_network(encoder: str, support: Pictures, query: Pictures, progress: Progress) -> tuple[Array, Array]:
    import torch

    made, shape = network(encoder)
    progress.start("encoding pictures", len(support) + len(query))

    def taken(pictures: Pictures, numbers: range) -> torch.Tensor:
        x = torch.from_numpy(decoded(pictures, numbers, shape))
        progress.advance(len(numbers))
        return bright_on_black(x) if shape[0] == 1 else x

    shown = taken(support, range(len(support)))
    features, more = encode(made, shown, lambda numbers: taken(query, numbers), len(query))
    return features.double().numpy(), more.double().numpy()
