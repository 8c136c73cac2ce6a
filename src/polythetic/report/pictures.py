"""Pictures on disk: PNG to look at, PDF to print."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib as mpl

from polythetic.files import write_atomically
from polythetic.report import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# No date and no software name: the same picture is the same file.
METADATA = {"png": {"Software": None}, "pdf": {"CreationDate": None, "Producer": None, "Creator": None}}


def save_picture(draw: Callable[[], Figure], folder: Path, name: str) -> None:
    """Draw a figure in our style, without touching anybody else's, and write it as PNG and PDF."""
    with mpl.rc_context(style.RC):
        figure = draw()
        for kind in METADATA:
            _write(figure, folder / f"{name}.{kind}", kind)


def write_png(draw: Callable[[], Figure], path: Path) -> None:
    """Draw a figure in our style and write it as PNG alone."""
    with mpl.rc_context(style.RC):
        _write(draw(), path, "png")


def _write(figure: Figure, path: Path, kind: str) -> None:
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, metadata=METADATA[kind])
    write_atomically(path, buffer.getvalue())
