"""The command line: one module a command."""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from typing import Annotated

import typer

from polythetic.cli import data
from polythetic.cli.classify import classify
from polythetic.cli.evaluate import evaluate
from polythetic.cli.explore import explore
from polythetic.cli.friendly import friendly
from polythetic.cli.reproduce import reproduce
from polythetic.cli.score import score
from polythetic.cli.train import train

# Before torch is imported: its threads must sleep at their barriers, not spin, or a busy machine crawls.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

app = typer.Typer(
    name="polythetic",
    help="Few-shot classification by patterns of features, and which features matter.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,  # square brackets in help are lists, not markup
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from polythetic._version import __version__

        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Few-shot classification by patterns of features, and which features matter."""


app.command()(friendly(reproduce, keeps=True))
app.command()(friendly(train, keeps=True))
app.command()(friendly(evaluate))
app.command()(friendly(score))
app.command()(friendly(classify))
app.command()(friendly(explore))
app.add_typer(data.app, name="data")


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without α is no reason to fail
    app()
