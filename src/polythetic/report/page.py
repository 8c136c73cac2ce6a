"""The page: everything in one HTML file that needs nothing else."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader
from markupsafe import Markup, escape

from polythetic._version import __version__
from polythetic.files import write_atomically
from polythetic.report.claims import CLAIMS
from polythetic.report.credited import ELSEWHERE, credited
from polythetic.report.duration import all_together
from polythetic.report.evidence import Evidence
from polythetic.report.findings import Found, all_found
from polythetic.report.formats import aligned_right
from polythetic.report.ledger import Entry, ledger, standings, tally
from polythetic.report.section import Section
from polythetic.report.tables import write_tables
from polythetic.report.traps import FINDINGS

BOLD = re.compile(r"\*\*(.+?)\*\*")


def write_report(sections: Sequence[Section], folder: Path, *, budget: str) -> Path:
    """Judge the paper's sentences by the sections' rows; write the page, and the tables beside it."""
    evidence = Evidence({section.name: section.rows for section in sections if section.rows})
    entries, found = ledger(CLAIMS, evidence), all_found(FINDINGS, evidence)
    page = folder / "report.html"
    write_page(sections, page, budget=budget, entries=entries, found=found)
    write_tables(sections, entries, found, folder / "tables", budget=budget)
    return page


def _whole(words: str) -> Markup:
    """Keep per cents with their numbers, and show ``**words**`` in bold; everything else is escaped."""
    return Markup(BOLD.sub(r"<b>\1</b>", str(escape(words.replace(" %", "\u00a0%")))))


def write_page(
    sections: Sequence[Section],
    path: Path,
    *,
    budget: str,
    entries: Sequence[Entry] = (),
    found: Sequence[Found] = (),
) -> None:
    """Write the page, with the pictures inside it."""
    environment = Environment(
        loader=PackageLoader("polythetic.report", "."), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["base64"] = lambda picture: b64encode(picture.read_bytes()).decode()
    environment.filters["aligned_right"] = aligned_right
    environment.filters["whole"] = _whole
    from polythetic.experiments import EXPERIMENTS  # which import the report

    said = credited(sections, entries, {name: experiment.where for name, experiment in EXPERIMENTS.items()})
    page = environment.get_template("page.html").render(
        sections=sections,
        budget=budget,
        version=__version__,
        entries=entries,
        said={name: standings(found) for name, found in said.items()},
        elsewhere=standings(said[ELSEWHERE]),
        tally=tally(entries),
        takes=all_together(sections),
        found=found,
    )
    write_atomically(path, page.encode())
