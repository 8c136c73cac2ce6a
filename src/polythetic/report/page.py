"""The report: tables, pictures and words in one HTML file that needs nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader

from polythetic._version import __version__
from polythetic.files import write_atomically
from polythetic.report.section import Section


def write_page(sections: Sequence[Section], path: Path, *, budget: str) -> None:
    """Write the page, with the pictures inside it."""
    environment = Environment(
        loader=PackageLoader("polythetic.report", "."), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["base64"] = lambda picture: b64encode(picture.read_bytes()).decode()
    page = environment.get_template("page.html").render(sections=sections, budget=budget, version=__version__)
    write_atomically(path, page.encode())
