"""Pictures on disk: PNG to look at, PDF to print."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

from polythetic.report import style
from polythetic.files import write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# No date and no software name: the same picture is the same file.
METADATA = {"png": {"Software": None}, "pdf": {"CreationDate": None, "Producer": None, "Creator": None}}


def save_picture(draw: Callable[[], Figure], folder: Path, name: str) -> None:
    """Draw a figure in our style, without touching anybody else's, and write it as PNG and PDF."""
    with mpl.rc_context(style.RC):
        figure = draw()
        for kind, metadata in METADATA.items():
            buffer = io.BytesIO()
            figure.savefig(buffer, format=kind, metadata=metadata)
            write_atomically(folder / f"{name}.{kind}", buffer.getvalue())
