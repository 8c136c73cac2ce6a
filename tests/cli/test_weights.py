"""``polythetic evaluate NAME`` and ``polythetic reproduce --from-weights``."""

import json

import pytest
from typer.testing import CliRunner

from polythetic.cli import app
from tests.cli.test_cli import polythetic
from tests.weights.tiny import NAME, runs, weights  # noqa: F401 - fixtures


def test__evaluate__weights_by_name__with_their_own_head_and_another(weights):  # noqa: F811
    words = ["evaluate", NAME, "--set", "polythetic=1", "--tasks", "2", "--json"]
    own = CliRunner().invoke(app, words)
    assert own.exit_code == 0, own.output
    answer = json.loads(own.stdout)
    assert (answer["run"], answer["suite"]) == (NAME, "mnist-clean")
    assert answer["accuracy"].keys() == {"FS+MN"}
    other = CliRunner().invoke(app, [*words, "--method", "NN"])
    assert json.loads(other.stdout)["accuracy"].keys() == {"NN"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", "no-such-run"], "no weights of that name come along"),
        (
            ["reproduce", "table1", "--from-weights"],
            "experiment with --from-weights = 'table1': expected one of table2",
        ),
        (["reproduce", "--from-weights", "--budget", "paper"], "--budget = paper: expected none with --from-weights"),
    ],
)
def test__user_error__is_one_line_and_exit_code_2(arguments, said, tmp_path):
    done = polythetic(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
