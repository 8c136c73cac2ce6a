import json
import os
import signal
import subprocess
import sys
import time
import warnings

import pytest

COMMAND = [sys.executable, "-c", "from polythetic.cli import main; main()"]


def polythetic(*arguments, **options):
    return subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, timeout=120, **options)


def test__help__lists_the_commands():
    done = polythetic("--help")
    assert done.returncode == 0
    assert "reproduce" in done.stdout


@pytest.mark.parametrize("statement", ["import polythetic", "import polythetic.cli"])
def test__import__is_light(statement):
    """torch, SciPy and Matplotlib take seconds: they are imported only when something needs them."""
    heavy = {"torch", "scipy", "matplotlib", "numpy", "jaxtyping"}
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not heavy & set(done.stdout.split())


def test__public_names__are_all_there():
    import polythetic

    for name in polythetic.__all__:
        assert getattr(polythetic, name) is not None
    assert set(polythetic.__all__) <= set(dir(polythetic))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = polythetic.nothing


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["table99"], "experiment = 'table99': expected one of table1"),
        (["--budget", "huge"], "--budget = 'huge': expected one of quick"),
        (["figure3", "--out", os.devnull], os.devnull),
    ],
)
def test__user_error__is_one_line_and_exit_code_2(arguments, said):
    done = polythetic("reproduce", *arguments)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test__reproduce__json__is_one_object_on_standard_output(tmp_path):
    done = polythetic("reproduce", "figure5", "figure13", "--json", cwd=tmp_path)
    assert done.returncode == 0
    results = json.loads(done.stdout)["results"]
    assert [result["experiment"] for result in results] == ["figure5", "figure13"]
    written = tmp_path / "results" / "quick"
    assert json.loads((written / "figure5.json").read_text()) == results[0]
    names = {path.name for path in (written / "figures").iterdir()}
    assert names == {"figure5.png", "figure5.pdf", "figure13.png", "figure13.pdf"}
    page = (written / "report.html").read_text()
    assert page.count("data:image/png;base64,") == 2
    assert "http" not in page.replace("https://www.w3.org", "")  # nothing is fetched


def test__reproduce__interrupted__says_how_to_go_on_and_does(tmp_path):
    arguments = [*COMMAND, "reproduce", "figure13", "figure6", "--out", str(tmp_path)]
    process = subprocess.Popen(arguments, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    while not (tmp_path / "quick" / "figure13.json").exists():
        assert process.poll() is None
        time.sleep(0.02)
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "the same command goes on from there" in stderr
    assert "Traceback" not in stderr
    again = polythetic("reproduce", "figure13", "--out", str(tmp_path))
    assert "figure13: already" in again.stderr
    assert "Figure 13" in again.stdout


def test__reproduce__list__names_every_experiment():
    from polythetic.experiments import EXPERIMENTS

    assert [line.split()[0] for line in polythetic("reproduce", "--list").stdout.splitlines()] == list(EXPERIMENTS)
    assert list(json.loads(polythetic("reproduce", "--list", "--json").stdout)["experiments"]) == list(EXPERIMENTS)


def test__warning__said_again__is_one_note(capsys):
    from polythetic.cli.friendly import friendly

    def twice():
        for _ in range(2):
            with warnings.catch_warnings():
                warnings.simplefilter("always")
                warnings.warn("the only one of its kind", UserWarning, stacklevel=1)

    shown = warnings.showwarning
    try:
        friendly(twice)()
    finally:
        warnings.showwarning = shown
    assert capsys.readouterr().err == "polythetic: note: the only one of its kind\n"
