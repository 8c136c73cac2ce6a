"""The command line: one module a command."""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

# Before torch is imported: its threads must sleep at their barriers, not spin, or a busy machine crawls.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

app = typer.Typer(
    name="polythetic",
    help="Few-shot classification by patterns of features, and which features matter.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
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


from polythetic.cli import reproduce as _reproduce  # noqa: E402, F401  (registers its command)


def main() -> None:
    """Run the command line; a user's mistake ends in one clear line and exit code 2."""
    from polythetic.errors import PolytheticError

    try:
        app()
    except PolytheticError as error:
        sys.exit(_fail(str(error), code=2))
    except OSError as error:
        sys.exit(_fail(f"{error.filename or 'system'}: {error.strerror or error}", code=2))
    except KeyboardInterrupt:
        sys.exit(_fail("stopped; what was finished is kept, and the same command goes on from there", code=130))


def _fail(message: str, *, code: int) -> int:
    print(f"polythetic: {message}", file=sys.stderr)
    return code
