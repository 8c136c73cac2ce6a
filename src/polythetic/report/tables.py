"""Tables on disk, for others' documents: ``NAME.md`` and ``NAME.tex`` for every experiment that has one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from polythetic.files import write_atomically
from polythetic.report.findings import Found
from polythetic.report.formats import PACKAGES, latex, markdown
from polythetic.report.ledger import Entry, tally
from polythetic.report.section import Section, Table, comparison_table

LEDGER_WIDTHS = (0.34, 0.11, 0.36, 0.11)
FINDINGS_WIDTHS = (0.21, 0.36, 0.36)


def write_tables(
    sections: Sequence[Section], entries: Sequence[Entry], found: Sequence[Found], folder: Path, *, budget: str
) -> None:
    """Write the tables of all sections, the ledger, and what we found."""
    for section in sections:
        tables = list(_tables(section))
        if tables:
            made_by = f"`{section.command}`" + (f" ({section.made_with})" if section.made_with else "")
            head = f"# {section.where}: {section.title}\n\n{section.question}\n\n{made_by}"
            _write(
                folder / f"{section.name}.md", [head, *(f"{said}\n\n{markdown(table)}" for table, said, _ in tables)]
            )
            _write(folder / f"{section.name}.tex", [PACKAGES, *(latex(*each) for each in tables)])
    ledger = Table(
        ["the paper", "where", "ours", "verdict"], [[e.quote, e.where, e.ours, str(e.standing)] for e in entries]
    )
    findings = Table(["what", "how", "number"], [[f.title, f.words, f.number] for f in found])
    said = f"{budget.capitalize()} budget; the tables and figures say on how many tasks."
    beside = (
        (
            "ledger",
            "What the paper says in numbers, and what we found",
            f"{tally(entries)}. {said}",
            ledger,
            LEDGER_WIDTHS,
        ),
        ("findings", "What we found in the paper and its code", said, findings, FINDINGS_WIDTHS),
    )
    for name, title, caption, table, widths in beside:
        _write(folder / f"{name}.md", [f"# {title}", caption, markdown(table)])
        _write(folder / f"{name}.tex", [PACKAGES, latex(table, f"{title}. {caption}", f"tab:{name}", widths)])


def _tables(section: Section) -> Iterator[tuple[Table, str, str]]:
    """Yield table, caption and label: the experiment's own, then the comparison with the paper."""
    if section.table is not None:
        yield section.table, section.caption, f"tab:{section.name}"
    if section.comparison:
        caption = f"{section.where}. {section.caption_compared}"
        yield comparison_table(section), caption, f"tab:{section.name}-compared"


def _write(path: Path, parts: Sequence[str]) -> None:
    write_atomically(path, ("\n\n".join(parts) + "\n").encode())
