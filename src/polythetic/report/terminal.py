"""The report on the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from polythetic.report.section import Section


def print_sections(sections: Sequence[Section]) -> None:
    """Print the questions, the tables, the words and the verdicts."""
    console = Console()
    if not console.is_terminal:
        console.width = 120
    for section in sections:
        console.print(f"\n[bold]{section.where}[/bold]: {section.title}", highlight=False)
        console.print(section.question, style="italic", highlight=False, markup=False)
        if section.table is not None:
            table = Table()
            for i, name in enumerate(section.table.header):
                table.add_column(name, justify="left" if i == 0 else "right", overflow="fold")
            for line in section.table.body:
                table.add_row(*line)
            console.print(table)
        for paragraph in section.text:
            console.print(paragraph, highlight=False, markup=False)
        for words in section.verdicts:
            console.print(f"The paper's figures, {words}.", highlight=False, markup=False)
