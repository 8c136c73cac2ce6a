"""``polythetic evaluate NAME`` and ``polythetic reproduce --from-weights``."""

import json
from pathlib import Path

import pytest

from polythetic.cli.evaluate import evaluate
from tests.cli.test_cli import polythetic
from tests.weights.tiny import NAME, runs, weights  # noqa: F401 - fixtures


def test__evaluate__weights_by_name__with_their_own_head_and_another(weights, capsys):  # noqa: F811
    evaluate(Path(NAME), set_=["polythetic=1"], tasks=2, json=True)
    answer = json.loads(capsys.readouterr().out)
    assert (answer["run"], answer["suite"]) == (NAME, "mnist-clean")
    assert answer["accuracy"].keys() == {"FS+MN"}
    evaluate(Path(NAME), method=["NN"], tasks=2, json=True)
    assert json.loads(capsys.readouterr().out)["accuracy"].keys() == {"NN"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["evaluate", "no-such-run"], "no weights of that name come along"),
        (
            ["reproduce", "table1", "--from-weights"],
            "with --from-weights = 'table1': expected one of table2",
        ),
        (
            ["reproduce", "--from-weights", "--budget", "paper"],
            "--budget with --from-weights = 'paper': expected one of",
        ),
    ],
)
def test__user_error__is_one_line_and_exit_code_2(arguments, said, tmp_path):
    done = polythetic(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
