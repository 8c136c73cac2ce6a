import subprocess
import sys
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


@pytest.mark.parametrize(("keeps", "said"), [(True, "goes on from there"), (False, "nothing is kept")])
def test__ctrl_c__says_what_is_kept(capsys, keeps, said):
    import typer

    from polythetic.cli.friendly import friendly

    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(typer.Exit) as left:
        friendly(interrupted, keeps=keeps)()
    assert left.value.exit_code == 130
    assert said in capsys.readouterr().err


def test__memory_that_is_not_there__is_one_line_and_exit_code_2(capsys):
    import typer

    from polythetic.cli.friendly import friendly

    def greedy():
        raise MemoryError("Unable to allocate 745. GiB")

    with pytest.raises(typer.Exit) as left:
        friendly(greedy)()
    assert left.value.exit_code == 2
    assert capsys.readouterr().err.startswith("polythetic: not enough memory: ask for less")


@pytest.mark.parametrize(
    "command",
    [
        ("train", "boolean", "PN", "--tasks", "5", "--out", "there"),
        ("reproduce", "theory", "--out", "there"),
        ("reproduce", "theory", "--runs", "there"),
        ("data", "show", "mnist-full", "--out", "there/x.png"),
    ],
)
def test__place_that_cannot_be_written__is_named_with_its_option_before_the_work(command, tmp_path):
    (tmp_path / "there").write_text("a file")
    done = polythetic(*command, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert f"{command[-2]} = {command[-1]}: expected a " in done.stderr
    assert done.stderr.endswith(": give another name\n" if command[-1] == "there" else ": give another\n")
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


@pytest.mark.parametrize(
    "command",
    [
        ("train", "boolean", "PN", "--tasks", "5"),
        ("evaluate", "run"),
        ("reproduce", "theory"),
        ("data", "show", "mnist-full"),
    ],
)
def test__seed__that_no_generator_takes__is_refused_before_anything_is_done(command, tmp_path):
    done = polythetic(*command, "--seed", "99999999999999999999999", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "--seed = 99999999999999999999999: expected a whole number from 0 to" in done.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["reproduce"], '{"results": [as in the result files, …]}'),
        (["reproduce"], '{"experiments": {name: {"where" in the paper, "title", "question"}}}'),
        (["score"], '"words": [sentence, …], "left_out"'),
    ],
)
def test__help__has_what_stands_in_square_brackets(command, said):
    assert said in " ".join(polythetic(*command, "--help").stdout.split())
