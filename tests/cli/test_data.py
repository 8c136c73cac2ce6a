"""``polythetic data``, as people and machines use it."""

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.test_cli import polythetic
from tests.episodes.named import DATA, needs_data


def answer(*arguments, **options):
    done = polythetic("data", *arguments, **options)
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture
def nowhere(tmp_path, monkeypatch):
    """A machine with no data but the embedded digits."""
    monkeypatch.delenv("POLYTHETIC_DATA", raising=False)
    monkeypatch.setenv("POLYTHETIC_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test__list__on_a_fresh_machine__has_the_embedded_digits_alone(nowhere):
    found = json.loads(answer("list", "--json").stdout)
    assert {name for name, facts in found["datasets"].items() if facts["here"]} == {"mnist-embedded"}
    assert "mnist-full" in found["suites"]
    said = answer("list").stdout
    assert "omniglot             not here" in said
    assert [line.split()[0] for line in said.splitlines() if line.endswith("(cannot be shown)")] == [
        "boolean",
        "pictures",
    ]


def test__verify__on_a_fresh_machine__counts_the_embedded_digits(nowhere):
    found = json.loads(answer("verify", "--json").stdout)["datasets"]
    assert found["mnist"] is None
    assert found["mnist-embedded"]["evaluation"] == {
        "categories": 10,
        "classes": 10,
        "examples": 1000,
        "examples_per_class": 100,
        "shape": [1, 28, 28],
        "source": "MNIST, 5,000 embedded digits, evaluation",
    }


@needs_data
def test__verify__real_data__has_the_published_counts():
    found = json.loads(answer("verify", "--json").stdout)["datasets"]
    assert [found["mnist"][part]["examples"] for part in ("train", "test")] == [60_000, 10_000]
    for part, alphabets, characters in (("background", 30, 964), ("evaluation", 20, 659)):
        facts = found["omniglot"][part]
        assert (facts["categories"], facts["classes"], facts["examples_per_class"]) == (alphabets, characters, 20)
    stand_in = found["tiered-imagenet-64"].values()
    assert sum(facts["classes"] for facts in stand_in) == 123
    assert {facts["examples_per_class"] for facts in stand_in} == {100}


@needs_data
def test__verify__a_damaged_file__is_named_with_exit_code_2_and_the_rest_is_counted(tmp_path):
    shutil.copytree(Path(DATA, "mnist"), tmp_path / "mnist")
    path = tmp_path / "mnist" / "t10k-images-idx3-ubyte.gz"
    path.chmod(0o644)
    path.write_bytes(path.read_bytes()[:5000])
    done = polythetic("data", "verify", "--json", "--data", str(tmp_path))
    assert done.returncode == 2
    found = json.loads(done.stdout)["datasets"]
    assert "t10k-images-idx3-ubyte.gz" in found["mnist"]["error"]
    assert found["mnist-embedded"]["training"]["examples"] == 4000
    assert "Traceback" not in done.stderr


def test__verify__a_named_dataset_that_is_not_here__is_exit_code_2(nowhere):
    done = polythetic("data", "verify", "omniglot")
    assert done.returncode == 2
    assert done.stderr == "omniglot: not on this machine\n"


@needs_data
@pytest.mark.parametrize("how", ["option", "variable"])
def test__fetch__what_is_in_the_data_folder__is_not_downloaded(nowhere, monkeypatch, how):
    if how == "variable":
        monkeypatch.setenv("POLYTHETIC_DATA", DATA)
    given = ["--data", DATA] if how == "option" else []
    found = json.loads(answer("fetch", "mnist", "omniglot", "--json", *given).stdout)
    assert found == {"datasets": {name: str(Path(DATA, name).absolute()) for name in ("mnist", "omniglot")}}
    assert not (nowhere / "cache").exists()


def test__list__a_damaged_dataset__is_said_and_the_rest_is_listed(nowhere):
    folder = nowhere / "tiered-imagenet-64"
    folder.mkdir()
    (folder / "classes.csv").write_text("split,category,category_name,class,class_name\ntrain,a,a,b,b\n")
    (folder / "tiered_imagenet_64.zip").write_text("<html>")
    done = answer("list", "--json", "--data", str(nowhere))
    found = json.loads(done.stdout)["datasets"]
    assert "HTML page" in found["tiered-imagenet-64"]["error"]
    assert found["mnist-embedded"]["here"]
    assert found["mnist-embedded"]["error"] is None
    assert "tiered-imagenet-64   damaged" in answer("list", "--data", str(nowhere)).stdout


def test__fetch__what_cannot_be_fetched__says_how_it_is_had(nowhere):
    done = polythetic("data", "fetch", "tiered-imagenet")
    assert done.returncode == 2
    assert "few-shot-ssl-public" in done.stderr
    assert done.stderr.count("\n") == 1


def test__show__a_task_of_embedded_digits__is_a_picture(nowhere):
    found = json.loads(answer("show", "mnist-colourless", "--json", cwd=nowhere).stdout)
    assert found["source"] == "MNIST, 5,000 embedded digits, evaluation"
    assert (nowhere / "mnist-colourless.png").read_bytes().startswith(b"\x89PNG")


@needs_data
@pytest.mark.parametrize("suite", ["omniglot-alphabets", "tiered"])
def test__show__a_task_of_real_data__is_a_picture(suite, tmp_path):
    answer("show", suite, "--out", str(tmp_path / "task.png"))
    assert (tmp_path / "task.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["show", "nonsense"], "suite = 'nonsense': expected one of mnist-clean"),
        (["verify", "nonsense"], "dataset = 'nonsense': expected one of mnist"),
        (["show", "mnist-full", "--split", "half"], "split = 'half': expected one of"),
        (["list", "--data", "/no/such/folder"], "/no/such/folder"),
        (["list", "--data", "~nobody-of-this-name/data"], "no such home folder"),
    ],
)
def test__user_error__is_one_line_and_exit_code_2(arguments, said):
    done = polythetic("data", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""
