"""Running a page: its blocks from the first to the last in one folder, as a reader would who follows it."""

import re
import runpy
import shlex
import warnings
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

import numpy as np
import typer
from typer.testing import CliRunner

from polythetic import cli
from polythetic.cli.friendly import _said
from tests.cli.classifying import plants, write
from tests.docs.pages import Block, blocks
from tests.drawn import encoded, picture, put_all

# The commands without `--version`: typer gives it None where it is not asked for, and types are checked here.
app = typer.Typer(pretty_exceptions_enable=False)
app.registered_commands, app.registered_groups = cli.app.registered_commands, cli.app.registered_groups

# Lines that are not run, and why; those of polythetic are parsed nevertheless.
NOT_RUN = {
    r"make .*": "makes an environment of its own; CI begins by `make test`",
    r"python -m venv .*|\. .*/activate|pip install .*": "asks a package index; `make smoke` does it, out of CI",
    r"dask .*": "listens until it is ended; tests/jobs/test_cluster.py starts a scheduler and workers",
    r"polythetic explore": "serves until Ctrl-C; tests/cli/test_explore.py and tests/explore do so",
    r"polythetic reproduce( .*)? --budget (standard|paper).*": "hours; what it finds is in results/, which is tested",
    r"polythetic reproduce": "every experiment in turn; `make reproduce` is the same",
    r"polythetic reproduce( .*)? --from-weights": "many minutes; tests/experiments/test_from_weights.py does less",
    r"polythetic reproduce --report-only": "of results that a reader has; tests/experiments/test_reproduce.py does it",
}

# Lines that take long: run by `make test-all` alone, some with less to do.
SLOW = {
    r"polythetic train .*": ["--tasks", "2", "--validation-tasks", "2"],
    r"polythetic evaluate .*": ["--tasks", "2"],
    r"polythetic reproduce table1": ["--jobs", "1"],
}

READERS_OWN = {"README.md", "docs/tutorial.md", "docs/how-to/encoder.md"}  # pages that speak of the reader's files


def of_kind(line: str, kinds) -> str | None:
    """Which of the kinds a line is of, if it is of one."""
    return next((kind for kind in kinds if re.fullmatch(kind, line)), None)


def run_page(page: str, folder: Path, slow: bool = False) -> None:
    """Run a page in a folder that is the working directory and where modules are looked for."""
    if page in READERS_OWN:
        put_readers_own(folder)
    names: dict[str, object] = {"__name__": "page"}
    said, saved = None, set()
    for block in blocks(page):
        if block.language == "text":
            assert said is not None, f"{page}: quotes what no command printed:\n{block.text}"
            printed = [line.rstrip() for line in said.splitlines()]
            assert printed == block.text.splitlines(), f"{page}: the command prints\n{said}"
        elif block.file:
            (folder / block.file).write_text(block.text, encoding="utf-8")
            saved.add(block.file)
        elif block.language == "python":
            run_python(page, block, names)
        else:
            ran = [run_line(line, slow) for line in block.commands]
            said = None if None in ran else "".join(ran)
            saved -= {file for file in saved for line in block.commands if used(file, line)}
    assert not saved, f"{page}: nothing runs {saved}"


def used(file: str, line: str) -> bool:
    return file in line or f"{Path(file).stem}:" in line


def run_python(page: str, block: Block, names: dict[str, object]) -> None:
    """Run a block; what it prints is what its comments say."""
    with redirect_stdout(StringIO()) as printed:
        exec(compile(block.text, page, "exec"), names)
    expected = re.findall(r"print\(.*\) +# (.*)", block.text)
    assert printed.getvalue().splitlines() == expected, f"{page}: {block.text}\nprints\n{printed.getvalue()}"


def run_line(line: str, slow: bool) -> str | None:
    """Run a line of the shell in this process and return what it prints; nothing if it is not for now."""
    program, *words = shlex.split(line)
    if of_kind(line, NOT_RUN) or (of_kind(line, SLOW) and not slow):
        return None
    if program == "python":
        with redirect_stdout(StringIO()) as printed:
            runpy.run_path(words[0], run_name="__main__")
        return printed.getvalue()
    assert program == "polythetic", f"run it here, or say in NOT_RUN why not: {line}"
    return polythetic([*words, *SLOW.get(of_kind(line, SLOW), [])])


def polythetic(words: list[str]) -> str:
    """Run the command; its notes are printed, and no errors as in other tests."""
    _said.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.simplefilter("ignore", DeprecationWarning)  # as for a reader, whom they do not concern
        done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, (words, done.stderr, done.exception)
    return done.stderr + done.stdout


def put_readers_own(folder: Path) -> None:
    """Write the tables and pictures that a reader has."""
    for seed, (name, rows) in enumerate({"genes.csv": 60, "labelled.csv": 60, "others.csv": 20}.items()):
        table = plants(rows, seed)
        table["ill"] = table.pop("kind")
        write(folder / name, table)
    table = plants(60, seed=3)
    table["COLUMN"] = [kind if row < 40 else "" for row, kind in enumerate(table.pop("kind"))]
    write(folder / "mine.csv", table)
    for name, count in (("known", 4), ("unknown", 2)):
        shades = {
            f"{kind}/{i}.png": picture(i, channels=1) // 3 + base
            for kind, base in (("day", 160), ("night", 0))
            for i in range(count)
        }
        put_all(folder / name, {file: encoded(array.astype(np.uint8)) for file, array in shades.items()})
