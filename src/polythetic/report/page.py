"""The report: tables, pictures and words in one HTML file that needs nothing else."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader

from polythetic._version import __version__
from polythetic.experiments.experiment import Experiment
from polythetic.results import Result, write_atomically


def write_page(found: Sequence[tuple[Experiment, Result]], place: Path) -> Path:
    """Write ``report.html`` beside the results, with the pictures inside it."""
    environment = Environment(
        loader=PackageLoader("polythetic.report", "."), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    sections = [_section(experiment, result, place) for experiment, result in found]
    page = environment.get_template("page.html").render(
        sections=sections, budget=found[0][1].budget, seed=found[0][1].seed, version=__version__
    )
    path = place / "report.html"
    write_atomically(path, page.encode())
    return path


def _section(experiment: Experiment, result: Result, place: Path) -> dict[str, Any]:
    picture = place / "figures" / f"{experiment.name}.png"
    return {
        "name": experiment.name,
        "title": experiment.title,
        "where": experiment.where,
        "text": experiment.text(result),
        "table": experiment.table(result.rows) if experiment.table else None,
        "picture": b64encode(picture.read_bytes()).decode() if experiment.draw else None,
        "command": result.command,
    }
