"""``polythetic reproduce``: the paper's tables and figures, with one report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from polythetic.cli.options import Data, Json, check_seed, look_in
from polythetic.cli.places import ensure_folder
from polythetic.cli.printing import print_json

if TYPE_CHECKING:
    from polythetic.experiments.reproduce import Reproduced


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
    from_weights: Annotated[
        bool,
        typer.Option(
            "--from-weights",
            help="Tables 2 and 3 with the trained weights that come along, on 100 tasks: minutes. With --budget "
            "standard train only what does not come along.",
        ),
    ] = False,
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes to share the work; as many as there are cores unless given.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(help="The address of a Dask scheduler, whose workers share the work (an extra).")
    ] = None,
    runs: Annotated[Path, typer.Option(help="Where trained learners and finished parts are kept.")] = Path("runs"),
    data: Data = None,
    json: Json = False,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Run nothing: tables, figures and report of what is in --out itself.")
    ] = False,
    list_: Annotated[bool, typer.Option("--list", help="List the experiments and stop.")] = False,
) -> None:
    """Reproduce the paper: run experiments (all by default), write results, pictures and one HTML report.

    Each finished part is kept at once; after an interruption the same command goes on where it was. The results are
    the same, to the bit, whatever the number of processes. Unless experiments are named, those whose data are not on
    this machine are left out, and that is said.

    With --json: {"results": [as in the result files, …]}. With --list --json: {"experiments": {name: {"where" in the
    paper, "title", "question"}}}.
    """
    from polythetic.arguments import one_of
    from polythetic.experiments import BUDGETS, EXPERIMENTS, experiments_named
    from polythetic.experiments.reproduce import report
    from polythetic.experiments.reproduce import reproduce as run

    if list_:
        if json:
            listed = {
                name: {"where": e.where, "title": e.title, "question": e.question} for name, e in EXPERIMENTS.items()
            }
            print_json({"experiments": listed})
            return
        for experiment in EXPERIMENTS.values():
            typer.echo(f"{experiment.name:10} {experiment.where}: {experiment.title}")
        return
    one_of("--budget", budget, BUDGETS)
    check_seed(seed)
    look_in(data)
    ensure_folder("--out", out)
    if report_only:
        _finish(report(experiments_named(experiments or []), out=out, say=_say), json=json)
        return
    ensure_folder("--runs", runs)
    if from_weights:
        from dataclasses import replace

        from polythetic.experiments.from_weights import BUDGET, PARTLY, TABLES

        one_of("--budget with --from-weights", budget, ("quick", "standard"))  # no weights are of longer trainings
        effort, able = (BUDGET, TABLES) if budget == "quick" else (replace(BUDGETS[budget], shipped=True), PARTLY)
        for name in experiments or []:
            one_of("experiment with --from-weights", name, able)
        chosen = experiments_named(experiments or able)
    else:
        chosen, effort = experiments_named(experiments or []), BUDGETS[budget]

    from polythetic.jobs import crew_of
    from polythetic.progress import on_terminal

    with on_terminal() as progress:
        done = run(
            chosen,
            budget=effort,
            seed=seed,
            out=out,
            force=force,
            lenient=not experiments,
            runs=runs,
            crew=crew_of(jobs, cluster),
            progress=progress,
            say=_say,
        )
    _finish(done, json=json)


def _say(line: str) -> None:
    typer.echo(line, err=True)


def _finish(done: Reproduced, *, json: bool) -> None:
    """Print what there is now, and where the report is."""
    from dataclasses import asdict

    from polythetic.report.terminal import print_sections

    if json:
        print_json({"results": [asdict(result) for result in done.results]})
    else:
        print_sections(done.sections)
    _say(f"Report: {done.page}")
