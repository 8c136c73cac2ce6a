"""Tables on disk, for others' documents: ``NAME.md`` and ``NAME.tex`` for every experiment that has one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from polythetic.files import write_atomically
from polythetic.report.findings import Found
from polythetic.report.formats import latex, markdown
from polythetic.report.ledger import Entry, tally
from polythetic.report.section import Section, Table, comparison_table

LEDGER_WIDTHS = (0.36, 0.12, 0.36, 0.12)
FINDINGS_WIDTHS = (0.22, 0.37, 0.37)


def write_tables(sections: Sequence[Section], entries: Sequence[Entry], found: Sequence[Found], folder: Path) -> None:
    """Write the tables of all sections, the ledger, and what we found."""
    for section in sections:
        tables = list(_tables(section))
        if tables:
            head = f"# {section.where}: {section.title}\n\n{section.question}\n\n`{section.command}`"
            body = [f"{caption}.\n\n{markdown(table)}" for table, caption, _ in tables]
            _write(folder / f"{section.name}.md", [head, *body])
            _write(
                folder / f"{section.name}.tex", [latex(table, f"{caption}.", label) for table, caption, label in tables]
            )
    ledger = Table(
        ["the paper", "where", "ours", "verdict"], [[e.quote, e.where, e.ours, str(e.standing)] for e in entries]
    )
    findings = Table(["what", "how", "number"], [[f.title, f.words, f.number] for f in found])
    beside = (
        ("ledger", f"What the paper says in numbers, and what we found. {tally(entries)}", ledger, LEDGER_WIDTHS),
        ("findings", "What we found in the paper and its code", findings, FINDINGS_WIDTHS),
    )
    for name, caption, table, widths in beside:
        _write(folder / f"{name}.md", [f"# {caption}", markdown(table)])
        _write(folder / f"{name}.tex", [latex(table, f"{caption}.", f"tab:{name}", widths)])


def _tables(section: Section) -> Iterator[tuple[Table, str, str]]:
    """Yield table, caption and label: the experiment's own, then the comparison with the paper."""
    budget = f" {section.effort}" if section.effort else ""
    if section.table is not None:
        yield section.table, f"{section.title}.{budget}".removesuffix("."), f"tab:{section.name}"
    if section.comparison:
        caption = f"{section.where}, the paper beside ours: {'; '.join(section.verdicts)}"
        yield comparison_table(section), caption, f"tab:{section.name}-compared"


def _write(path: Path, parts: Sequence[str]) -> None:
    write_atomically(path, ("\n\n".join(parts) + "\n").encode())
