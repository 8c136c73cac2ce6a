"""Build wheel and sdist, install each alone in an empty environment, and try there what people try first.

    python tools/smoke.py

The environments have the Python that runs this; all is in a temporary folder, and removed.
"""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
STEPS = ROOT / "tools" / "smoke_steps.py"


def main() -> int:
    """Try both files; say what is wrong with each, and return how many problems there are."""
    with TemporaryDirectory(prefix="polythetic-smoke-") as name:
        folder = Path(name)
        wheel, sdist = build(folder)
        problems = [*differences("the wheel", in_wheel(wheel), packaged())]
        problems += differences("the sdist", in_sdist(sdist), kept())
        for line in problems:
            print(f"FAILED  {line}")
        tried = [try_out(file, folder / kind) for kind, file in (("of-the-wheel", wheel), ("of-the-sdist", sdist))]
    return len(problems) + tried.count(False)


def environment(folder: Path) -> Path:
    """Make an empty environment, and return its Python."""
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    return folder / "bin" / "python"


def install(python: Path, *what: str | Path) -> bool:
    """Install something with what it depends on; say why if that cannot be done."""
    command = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *what]
    return subprocess.run(command, cwd=python.parents[2]).returncode == 0


def build(folder: Path) -> tuple[Path, Path]:
    """Build both files with what pyproject.toml says that it takes."""
    needed = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    python = environment(folder / "builder")
    if not install(python, *needed):
        sys.exit(f"smoke: could not install {' '.join(needed)}; is a package index reachable?")
    command = [python, "-m", "hatchling", "build", "--directory", folder / "built"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (wheel,), (sdist,) = (list((folder / "built").glob(f"*.{kind}")) for kind in ("whl", "tar.gz"))
    return wheel, sdist


def try_out(file: Path, folder: Path) -> bool:
    """Install a file alone, and take the first steps away from the repository."""
    print(f"\n{file.name}, {file.stat().st_size / 2**20:.1f} MB, by Python {sys.version.split()[0]}", flush=True)
    python = environment(folder)
    if not install(python, "-c", ROOT / "constraints.txt", file):
        print(f"FAILED  installing {file.name}")
        return False
    home = folder / "home"
    home.mkdir()
    # Nothing of this machine's: no data, no settings of Python's, no programs but the system's.
    clean = {"HOME": str(home), "PATH": f"{python.parent}:/usr/bin:/bin", "LANG": "C.UTF-8"}
    passed_on = {name: value for name, value in os.environ.items() if name.startswith("OMP_")}
    return subprocess.run([python, "-I", STEPS], cwd=home, env={**passed_on, **clean}).returncode == 0


def in_wheel(wheel: Path) -> set[str]:
    """List what a wheel holds, but for its metadata."""
    with zipfile.ZipFile(wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def packaged() -> set[str]:
    """List the files of the package, and of the results that go with it."""
    files = (path for path in (ROOT / "src").rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    results = (path for pattern in ("*.json", "figures/*.png") for path in (ROOT / "results").glob(pattern))
    return {path.relative_to(ROOT / "src").as_posix() for path in files} | {
        f"polythetic/committed/{path.relative_to(ROOT / 'results').as_posix()}" for path in results
    }


def in_sdist(sdist: Path) -> set[str]:
    """List what an sdist holds, but for its metadata."""
    with tarfile.open(sdist) as archive:
        return {member.name.partition("/")[2] for member in archive if member.isfile()} - {"PKG-INFO"}


def kept() -> set[str]:
    """List the files that git keeps, or would if they were added: what the tests have, here."""
    listed = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")
    return {name for name in names if name and (ROOT / name).exists()}


def differences(what: str, found: set[str], expected: set[str]) -> list[str]:
    """Say what is missing, and what is too much."""
    lines = [f"{what} lacks {name}" for name in sorted(expected - found)]
    return lines + [f"{what} has {name}, which does not belong there" for name in sorted(found - expected)]


if __name__ == "__main__":
    problems = main()
    print(f"\nsmoke: {problems} problems" if problems else "\nsmoke: wheel and sdist are well")
    sys.exit(problems > 0)
