"""Lines of ``polythetic`` that are not run: the command and its options are there, and so is what they name."""

import shlex

from typer.main import get_command

from polythetic.cli import app
from polythetic.experiments import BUDGETS, experiments_named

POLYTHETIC = get_command(app)


def command_of(line: str):
    """Return the command that a line is for, and the words after it."""
    command, words = POLYTHETIC, shlex.split(line)[1:]
    while hasattr(command, "commands") and words and not words[0].startswith("-"):
        assert words[0] in command.commands, f"no such command: {line}"
        command = command.commands[words.pop(0)]
    return command, words


def parse(line: str) -> None:
    """Parse a whole line, as running it would do first."""
    command, words = command_of(line)
    given = command.make_context(command.name, words).params
    if command.name == "reproduce":
        experiments_named(given["experiments"] or [])
        assert given["budget"] in BUDGETS


def options_are_there(line: str) -> None:
    """See that a command that is only mentioned exists, with the options that are mentioned with it."""
    command, words = command_of(line)
    there = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= there | {"--help"}, line
    if command.name == "reproduce":
        experiments_named(command.make_context(command.name, words, resilient_parsing=True).params["experiments"] or [])
