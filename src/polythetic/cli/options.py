"""Options that several commands have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from polythetic.errors import InputError

Data = Annotated[Path | None, typer.Option("--data", help="The folder of data; $POLYTHETIC_DATA unless given.")]
Json = Annotated[bool, typer.Option("--json", help="Print one object, as described above.")]

LARGEST_SEED = 2**62  # half of what generators take: there is room for what is added, so that no two uses share a seed


def check_seed(seed: int, *, most: int = LARGEST_SEED) -> None:
    """Refuse a seed that generators of random numbers would not take."""
    from polythetic.arguments import whole_number

    whole_number("--seed", seed, least=0, most=most)


def look_in(data: Path | None) -> None:
    """Have all that follows, other processes of this machine too, look for data in a folder, if one is given."""
    if data is not None:
        import os

        from polythetic.datasets.storage.places import DATA_VARIABLE

        if not data.is_dir():
            raise InputError("--data", data, "a folder")
        os.environ[DATA_VARIABLE] = str(data.resolve())


def suite_options(pairs: Sequence[str]) -> dict[str, Any]:
    """Read ``name=value`` pairs; values are numbers, spans such as 2-5, true, false, or words.

    >>> suite_options(["ways=5", "shots=1-3", "replacement=true"])
    {'ways': 5, 'shots': (1, 3), 'replacement': True}
    """
    found: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name.isidentifier() and equals and value):
            raise InputError("--set", repr(pair), "name=value, such as ways=5 or shots=1-3")
        found[name] = _value(value)
    return found


def _value(text: str) -> Any:
    if text in ("true", "false"):
        return text == "true"
    low, dash, high = text.partition("-")
    if dash and low.isdigit() and high.isdigit():
        return int(low), int(high)
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
