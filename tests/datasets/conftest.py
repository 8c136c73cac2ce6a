"""For tests of data: caches of their own, a server on loopback, processes of their own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.serving import serving

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def _no_proxy(request, monkeypatch):
    """Hosts are asked directly, whatever proxy the machine uses: they are on loopback or nowhere, but for a few."""
    if request.node.get_closest_marker("network") is None:
        monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture
def own_cache(tmp_path, monkeypatch) -> Path:
    """An empty cache, and no folder of data. Tests that do not ask for it share the machine's, for speed."""
    monkeypatch.setenv("POLYTHETIC_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("POLYTHETIC_DATA", raising=False)
    return tmp_path / "cache"


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of real datasets, if there is one."""
    folder = os.environ.get("POLYTHETIC_DATA")
    if not folder:
        pytest.skip("POLYTHETIC_DATA names no folder of real data")
    return Path(folder)


@pytest.fixture
def server():
    with serving() as made:
        yield made


@pytest.fixture
def start():
    """Return a function that starts Python code in a process of its own."""
    started = []

    def begin(code: str, *arguments: object) -> subprocess.Popen:
        environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
        command = [sys.executable, "-W", "error", "-c", code, *map(str, arguments)]
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


@pytest.fixture
def run(start):
    """Return a function that runs Python code in a process of its own and returns what it printed."""

    def finish(code: str, *arguments: object) -> str:
        process = start(code, *arguments)
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, err
        return out.strip()

    return finish
