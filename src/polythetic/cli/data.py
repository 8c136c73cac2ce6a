"""``polythetic data``: which datasets there are, getting them, checking them, looking at them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from polythetic.cli.friendly import friendly
from polythetic.cli.options import Data, Json, check_seed
from polythetic.cli.places import ensure_file
from polythetic.cli.printing import print_json

app = typer.Typer(
    help="Datasets: list them, fetch them, check them, look at them.",
    no_args_is_help=True,
    rich_markup_mode=None,  # square brackets in help are lists, not markup
)

# Binary strings are no pictures, and pictures without a class in mind no task to look at.
NOT_SHOWN = ("boolean", "pictures")

Names = Annotated[
    list[str] | None, typer.Argument(metavar="NAME", help="As in `polythetic data list`; all unless given.")
]


@app.command("list")
@friendly
def list_(data: Data = None, json: Json = False) -> None:
    """List the datasets and the task suites made from them, and say which are on this machine.

    With --json: {"datasets": {name: {title, licence, here, error}}, "suites": {name: title}}; error is null
    unless the dataset is seen to be damaged; `verify` looks closely.
    """
    from polythetic.datasets.catalogue import CATALOGUE
    from polythetic.datasets.storage.places import check_data_folder
    from polythetic.episodes.suites import SUITES
    from polythetic.errors import DataError

    check_data_folder(data)
    found: dict[str, Any] = {}
    for name, entry in CATALOGUE.items():
        here, wrong = False, None
        try:
            here = entry.is_here(data)
        except DataError as error:
            wrong = str(error)
            typer.echo(f"polythetic: {error}", err=True)
        found[name] = {
            "title": entry.title,
            "licence": entry.licence,
            "here": here,
            "error": wrong,
        }
    if json:
        print_json({"datasets": found, "suites": {n: s.title for n, s in SUITES.items()}})
        return
    for name, facts in found.items():
        state = "damaged" if facts["error"] else "here" if facts["here"] else "not here"
        typer.echo(f"{name:20} {state:9} {facts['title']}; {facts['licence']}")
    typer.echo("\nTask suites (polythetic data show SUITE):")
    for name, suite in SUITES.items():
        typer.echo(f"{name:20} {suite.title}{' (cannot be shown)' if name in NOT_SHOWN else ''}")


@app.command()
@partial(friendly, keeps=True)
def fetch(
    names: Annotated[list[str], typer.Argument(metavar="NAME", help="As in `polythetic data list`.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """Fetch datasets into the cache from their official sources; every file is verified before it gets its name.

    Nothing is fetched of a dataset whose files are in the data folder. With --json: {"datasets": {name: where it is}}.
    """
    from polythetic.datasets.catalogue import entry_named
    from polythetic.errors import MissingDataError
    from polythetic.progress import on_terminal

    where: dict[str, str] = {}
    for entry in [entry_named(name) for name in names]:
        with on_terminal() as progress:
            folder = entry.place(progress, data)
        if folder is None:
            parts = entry.collections(data)
            if parts is None:  # loading it says how it is had
                for load in entry.parts.values():
                    load(data)
                raise MissingDataError(f"{entry.name} cannot be fetched")
            where[entry.name] = next(iter(parts.values())).source
        else:
            where[entry.name] = str(folder)
        if not json:
            typer.echo(f"{entry.name}: {where[entry.name] if folder is None else f'in {folder}'}")
    if json:
        print_json({"datasets": where})


@app.command()
@friendly
def verify(names: Names = None, data: Data = None, json: Json = False) -> None:
    """Read every example of the datasets that are here, and count them. Exit code 2 if one is damaged or missing.

    Without names, datasets that are not here are passed over. With --json: {"datasets": {name: null if it is not
    here, {"error": …} if it is damaged, or {part: {categories, classes, examples, examples_per_class, shape,
    source}}}}.
    """
    from polythetic.datasets.catalogue import CATALOGUE, entry_named
    from polythetic.datasets.catalogue import verify as verify_entry
    from polythetic.errors import DataError
    from polythetic.progress import on_terminal

    found: dict[str, Any] = {}
    failed = False
    for entry in [entry_named(name) for name in names or CATALOGUE]:
        try:
            with on_terminal() as progress:
                counts = found[entry.name] = verify_entry(entry, data, progress=progress)
        except DataError as error:
            failed = True
            found[entry.name] = {"error": str(error)}
            typer.echo(f"polythetic: {error}", err=True)
            continue
        if counts is None:
            failed |= bool(names)
            typer.echo(f"{entry.name}: not on this machine", err=True)
        elif not json:
            for part, facts in counts.items():
                each = facts["examples_per_class"]
                each = f"{each} each" if isinstance(each, int) else f"{each[0]} to {each[1]} each"
                kinds = f" in {facts['categories']} categories" if facts["categories"] != facts["classes"] else ""
                typer.echo(
                    f"{entry.name}, {part}: {facts['examples']:,} examples, {facts['classes']} classes ({each}){kinds}"
                )
    if json:
        print_json({"datasets": found})
    if failed:
        raise typer.Exit(2)


@app.command()
@friendly
def show(
    name: Annotated[str, typer.Argument(help="A task suite, as in `polythetic data list`.")],
    out: Annotated[Path | None, typer.Option(help="The PNG to write; NAME.png unless given.")] = None,
    split: Annotated[str, typer.Option(help="training, validation or evaluation.")] = "evaluation",
    polythetic: Annotated[float, typer.Option(min=0, max=1, help="MNIST: the share of polythetic tasks.")] = 1.0,
    task: Annotated[int, typer.Option(min=0, help="Which task of the seed.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Fixes the task.")] = 0,
    data: Data = None,
    json: Json = False,
) -> None:
    """Draw one task of a suite: its support, and its queries where there is room.

    With --json: {"suite", "source", "picture", "seed", "task", "support", "query"}.
    """
    from polythetic.arguments import one_of
    from polythetic.episodes import DigitTasks, GroupedTasks
    from polythetic.episodes.suites import SUITES, suite_named
    from polythetic.report.pictures import write_png
    from polythetic.report.sheets import sheet_of

    check_seed(seed)
    one_of("suite", name, [suite for suite in SUITES if suite not in NOT_SHOWN])
    path = out or Path(f"{name}.png")
    ensure_file("--out", path)
    options = {"polythetic": polythetic} if name.startswith("mnist-") else {}
    suite = suite_named(name, split=split, data=data, options=options)
    assert isinstance(suite, DigitTasks | GroupedTasks)
    write_png(lambda: sheet_of(suite, seed=seed, task=task), path)
    facts = {
        "suite": name,
        "source": suite.source,
        "picture": str(path),
        "seed": seed,
        "task": task,
        "support": suite.rows.support,
        "query": suite.rows.query,
    }
    if json:
        print_json(facts)
    else:
        typer.echo(f"{name}, task {task} of seed {seed} ({suite.source}): {path}")
