"""What a report is made of: sections of words, a picture and a table."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple


class Table(NamedTuple):
    """A table as people read it."""

    header: Sequence[str]
    body: Sequence[Sequence[str]]


class Section(NamedTuple):
    """One experiment, as people read it."""

    name: str
    title: str
    where: str  # the paper has it
    command: str  # made it
    text: Sequence[str]  # a paragraph each
    table: Table | None
    picture: Path | None
