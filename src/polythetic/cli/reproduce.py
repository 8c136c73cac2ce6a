"""``polythetic reproduce``: the paper's tables and figures, with one report."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated

import typer


def reproduce(
    experiments: Annotated[
        list[str] | None, typer.Argument(metavar="EXPERIMENT", help="table1, figure2, … theory")
    ] = None,
    budget: Annotated[
        str, typer.Option(help="quick: minutes; standard: what is committed; paper: the paper's counts.")
    ] = "quick",
    seed: Annotated[int, typer.Option(min=0, help="Fixes every task.")] = 0,
    out: Annotated[Path, typer.Option(help="Where results go; quick ones into a folder of their own there.")] = Path(
        "results"
    ),
    force: Annotated[bool, typer.Option("--force", help="Run again, and replace, what is already there.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="Print one object, {results: [as in the result files]}.")
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="List the experiments and stop.")] = False,
) -> None:
    """Reproduce the paper: run experiments (all by default), write results, pictures and one HTML report.

    Each finished experiment is kept at once; after an interruption the same command goes on where it was.
    """
    from polythetic.arguments import one_of
    from polythetic.experiments import BUDGETS, EXPERIMENTS, experiments_named

    if list_:
        if json:
            listed = {name: {"where": e.where, "title": e.title} for name, e in EXPERIMENTS.items()}
            typer.echo(dumps({"experiments": listed}, ensure_ascii=False))
            return
        for experiment in EXPERIMENTS.values():
            typer.echo(f"{experiment.name:10} {experiment.where}: {experiment.title}")
        return
    one_of("--budget", budget, BUDGETS)
    chosen = experiments_named(experiments or [])

    from dataclasses import asdict

    from polythetic.experiments.reproduce import reproduce as run
    from polythetic.progress import on_terminal
    from polythetic.report.terminal import print_sections

    with on_terminal() as progress:
        done = run(
            chosen,
            budget=BUDGETS[budget],
            seed=seed,
            out=out,
            force=force,
            progress=progress,
            say=lambda line: typer.echo(line, err=True),
        )
    if json:
        typer.echo(dumps({"results": [asdict(result) for result in done.results]}, ensure_ascii=False))
    else:
        print_sections(done.sections)
    typer.echo(f"Report: {done.page}", err=True)
