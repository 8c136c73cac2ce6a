"""Results on the terminal: tables for people, JSON for machines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from json import dumps

from polythetic.experiments.experiment import Experiment
from polythetic.results import Result


def print_results(found: Sequence[tuple[Experiment, Result]], *, json: bool) -> None:
    """Print tables and words, or one object ``{"results": […]}`` of results as in their files."""
    if json:
        print(dumps({"results": [asdict(result) for _, result in found]}, ensure_ascii=False))
        return
    from rich.console import Console
    from rich.table import Table

    console = Console()
    if not console.is_terminal:
        console.width = 120
    for experiment, result in found:
        console.print(f"\n[bold]{experiment.where}[/bold]: {experiment.title}", highlight=False)
        if experiment.table is not None:
            laid_out = experiment.table(result.rows)
            table = Table()
            for i, name in enumerate(laid_out.header):
                table.add_column(name, justify="left" if i == 0 else "right", overflow="fold")
            for line in laid_out.body:
                table.add_row(*line)
            console.print(table)
        for paragraph in experiment.text(result):
            console.print(paragraph, highlight=False, markup=False)
