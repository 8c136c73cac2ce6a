"""What tests of ``polythetic classify`` share: the command in this process, and files to give it."""

import warnings

import numpy as np
import typer
from typer.testing import CliRunner

from polythetic.cli.classify import classify as command
from polythetic.cli.friendly import _said, friendly

app = typer.Typer(pretty_exceptions_enable=False)
app.command()(friendly(command))


def classify(*arguments):
    """Run the command as a person would; what it warns of is said, and not an error as in other tests."""
    _said.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        return CliRunner().invoke(app, [str(argument) for argument in arguments])


def answered(*arguments):
    done = classify(*arguments)
    assert done.exit_code == 0, done.stderr
    return done


def refused(*arguments):
    """Run it with a mistake, and return the one line that says so."""
    done = classify(*arguments)
    assert done.exit_code == 2, (done.exit_code, done.exception)
    assert isinstance(done.exception, SystemExit)
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    lines = [line for line in done.stderr.splitlines() if "note:" not in line]
    assert len(lines) == 1, done.stderr
    return lines[0]


def plants(rows, seed):
    """Columns of which b and e decide together; a category, and the label."""
    x = np.random.default_rng(seed).integers(0, 2, (rows, 5))
    table = {name: [str(value) for value in column] for name, column in zip("abcde", x.T, strict=True)}
    table["soil"] = [("clay", "sand", "loam")[i % 3] for i in range(rows)]
    table["kind"] = ["same" if b == e else "other" for _, b, _, _, e in x]
    return table


def write(path, table):
    """Write columns as CSV, or as TSV if the file is called so."""
    separator = "\t" if path.suffix == ".tsv" else ","
    lines = [separator.join(map(str, line)) for line in (list(table), *zip(*table.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path
