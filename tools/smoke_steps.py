"""The first steps with an installed polythetic that has no extras, in a folder of one's own: do they lead somewhere?

    python -I tools/smoke_steps.py

``tools/smoke.py`` runs it in an empty environment. It takes nothing but polythetic itself.
"""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from itertools import product
from pathlib import Path
from urllib.request import urlopen

POLYTHETIC = Path(sys.executable).with_name("polythetic")
PATIENCE = 900  # seconds for a command; the machine may be busy
XOR = [(a, b, (7 * i) % 3, a ^ b) for i, (a, b) in enumerate(list(product((0, 1), repeat=2)) * 10)]


def polythetic(*arguments: str, code: int = 0) -> str:
    """Run the command and return what it says: the answer or, where it must fail, the error."""
    done = subprocess.run([POLYTHETIC, *arguments], capture_output=True, text=True, timeout=PATIENCE)
    said = f"polythetic {' '.join(arguments)}: exit code {done.returncode}, {(done.stderr or done.stdout)[-2000:]}"
    assert done.returncode == code, said
    return done.stderr if code else done.stdout


def ensure_absent(extra: str, *arguments: str) -> None:
    """See that a command says in one line which extra it misses."""
    ensure_one_line(extra, polythetic(*arguments, code=2))


def ensure_one_line(extra: str, error: str) -> None:
    """See that an error is one line, and says what to do."""
    line = error.strip()
    assert "\n" not in line, f"expected one line on the extra {extra}, got {line}"
    assert re.search(rf"pip install .polythetic\[{extra}\]", line), f"expected a remedy for {extra}, got {line}"


def version_in_one_place() -> None:
    from polythetic import __version__

    said = polythetic("--version").strip()
    assert said == __version__ == version("polythetic"), f"{said}, {__version__} and {version('polythetic')}"


def help_lists_commands() -> None:
    said = polythetic("--help")
    for command in ("reproduce", "train", "evaluate", "score", "classify", "explore", "data"):
        assert re.search(rf"\b{command}\b", said), f"no {command} in the help: {said}"
        polythetic(command, "--help")


def import_is_light() -> None:
    code = "import polythetic, sys; print(polythetic.__file__, *sys.modules)"
    home, *modules = subprocess.check_output([sys.executable, "-I", "-c", code], text=True).split()
    assert Path(home).is_relative_to(sys.prefix), f"{home} is not the installed one, in {sys.prefix}"
    heavy = {"torch", "sklearn", "scipy", "numpy", "polars", "matplotlib"} & set(modules)
    assert not heavy, f"importing polythetic imports {', '.join(heavy)}"


def every_module_imports() -> None:
    from importlib import import_module
    from pkgutil import walk_packages

    import polythetic as package

    for module in walk_packages(package.__path__, "polythetic."):
        if not module.name.endswith("__main__"):
            import_module(module.name)


def classifier_learns_xor() -> None:
    from polythetic import PolytheticClassifier

    rows, labels = [row[:3] for row in XOR], [row[3] for row in XOR]
    fitted = PolytheticClassifier().fit(rows, labels)
    assert list(fitted.predict([[0, 0, 1], [0, 1, 1], [1, 0, 2], [1, 1, 0]])) == [0, 1, 1, 0], "XOR is not learned"
    try:
        fitted.export_onnx("xor.onnx")
    except Exception as error:
        ensure_one_line("onnx", str(error))
    else:
        raise AssertionError("an ONNX file was written without the extra onnx")


def table(name: str) -> str:
    lines = ["a,b,other,label", *(f"{a},{b},{other},{'odd' if odd else 'even'}" for a, b, other, odd in XOR)]
    Path(name).write_text("\n".join(lines), encoding="utf-8")
    return name


def score_finds_the_pair() -> None:
    facts = json.loads(polythetic("score", table("xor.csv"), "--label", "label", "--out", "scores", "--json"))
    found = [set(effect["columns"]) for effect in facts["together"] if effect["found"]]
    assert {"a", "b"} in found, f"a and b are not found together: {facts['together']}"
    for name in ("scores.csv", "scores.json", "scores.png"):
        assert Path("scores", name).stat().st_size, f"{name} is empty"


def classify_tables() -> None:
    facts = json.loads(polythetic("classify", table("known.csv"), table("asked.csv"), "--label", "label", "--json"))
    assert facts["accuracy"]["share"] == 1, f"wrong answers: {facts['accuracy']}"
    assert "</html>" in Path("classified", "answers.html").read_text(encoding="utf-8"), "answers.html is cut short"


def classify_pictures_by_shipped_weights() -> None:
    from PIL import Image, ImageDraw

    for label, box in {"low": (2, 18, 26, 24), "high": (2, 4, 26, 10)}.items():
        for folder, shifts in {Path("shown", label): (0, 1, 2), Path("unlabelled"): (3,)}.items():
            folder.mkdir(parents=True, exist_ok=True)
            for shift in shifts:
                picture = Image.new("L", (28, 28))
                ImageDraw.Draw(picture).rectangle((box[0] + shift, *box[1:]), fill=255)
                picture.save(folder / f"{label}-{shift}.png")
    facts = json.loads(polythetic("classify", "shown", "unlabelled", "--encoder", "digits", "--json"))
    for answer in facts["answers"]:
        assert Path(answer["file"]).name.startswith(answer["label"]), f"a wrong answer: {answer}"


def shipped_weights_are_whole() -> None:
    from polythetic.weights import shipped, shipped_weights

    names = [card.name for card in shipped()]
    assert names, "no weights come along"
    for name in names:
        shipped_weights(name)  # raises if the file is not as its card says


def train_and_evaluate() -> None:
    polythetic("train", "boolean", "PN", "--tasks", "2", "--validation-tasks", "0", "--out", "run")
    facts = json.loads(polythetic("evaluate", "run", "--tasks", "3", "--json"))
    assert 0 <= facts["accuracy"]["PN"]["mean"] <= 100, f"no accuracy: {facts}"


def reproduce_a_figure() -> None:
    polythetic("reproduce", "figure5", "--budget", "quick", "--jobs", "1")
    for name in ("figure5.json", "figures/figure5.png", "report.html"):
        assert Path("results", "quick", name).stat().st_size, f"{name} is empty"


def explore_serves_its_pages() -> None:
    command = [POLYTHETIC, "explore", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as server:
        try:
            said = server.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+/", said)
            assert address, f"no address: {said}{'' if server.poll() is None else server.stdout.read()}"
            for page in ("", "boolean", "pictures", "table", "results"):
                with urlopen(address[0] + page, timeout=60) as answer:
                    text = answer.read().decode()
                    assert answer.status == 200, f"/{page}: {answer.status}"
                for file in re.findall(r'(?:src|href)="/?([\w.-]+\.(?:js|css))"', text):
                    urlopen(address[0] + file, timeout=60).close()  # raises if it is not there
        finally:
            server.terminate()


def missing_extras_are_named() -> None:
    ensure_absent("digits", "evaluate", "mnist-clean-fs-mn", "--tasks", "1")
    ensure_absent("pretrained", "classify", "shown", "unlabelled", "--encoder", "photographs")
    ensure_absent("cluster", "reproduce", "figure5", "--cluster", "tcp://127.0.0.1:1", "--force")
    ensure_absent("tensorboard", "train", "boolean", "PN", "--tasks", "2", "--tensorboard", "--out", "watched")


STEPS: tuple[Callable[[], None], ...] = (
    version_in_one_place,
    help_lists_commands,
    import_is_light,
    every_module_imports,
    classifier_learns_xor,
    score_finds_the_pair,
    classify_tables,
    classify_pictures_by_shipped_weights,
    shipped_weights_are_whole,
    train_and_evaluate,
    reproduce_a_figure,
    explore_serves_its_pages,
    missing_extras_are_named,
)


def taken(step: Callable[[], None]) -> bool:
    """Take a step and say how it went."""
    name, began = step.__name__.replace("_", " "), time.monotonic()
    try:
        step()
    except Exception as error:  # whatever it is, the next step is to be tried too
        print(f"FAILED  {name}: {type(error).__name__}: {error}", flush=True)
        return False
    print(f"ok      {name} ({time.monotonic() - began:.0f} s)", flush=True)
    return True


if __name__ == "__main__":
    sys.exit([taken(step) for step in STEPS].count(False) > 0)
