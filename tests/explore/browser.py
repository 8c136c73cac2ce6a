"""A real browser: headless Chromium, driven by its DevTools protocol through a pipe; nothing to install for it."""

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PATIENCE = 120  # seconds; the machine may be busy


class Tab:
    """One page of the browser."""

    def __init__(self, to: int, answers: int):
        self._to, self._from, self._rest, self._number = to, answers, b"", 0
        self._session: str | None = None
        self.problems: list[Any] = []
        target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._session = self._call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log", "DOM"):
            self._call(f"{domain}.enable")

    def _call(self, method: str, parameters: dict[str, Any] | None = None) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters or {}}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            said = self._next()
            if said.get("id") == self._number:
                assert "error" not in said, said["error"]
                return said["result"]
            if said.get("method") == "Runtime.exceptionThrown":
                self.problems.append(said["params"]["exceptionDetails"])
            if said.get("method") == "Log.entryAdded" and said["params"]["entry"]["level"] == "error":
                self.problems.append(said["params"]["entry"]["text"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            self._rest += os.read(self._from, 2**20)
        first, _, self._rest = self._rest.partition(b"\0")
        return json.loads(first)

    def run(self, script: str) -> Any:
        """Return what some JavaScript returns."""
        found = self._call(
            "Runtime.evaluate", {"expression": script, "returnByValue": True, "awaitPromise": True, "userGesture": True}
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def wait_for(self, script: str) -> Any:
        """Wait until some JavaScript says something true, and return it."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := self.run(script):
                return found
            time.sleep(0.03)
        raise AssertionError(f"never true: {script}; {self.problems}; {self.run('document.body.innerText')[:500]}")

    def visit(self, address: str) -> None:
        self._call("Page.navigate", {"url": address})

    def open(self, address: str) -> None:
        """Visit a page, and wait until it has its answer."""
        self.visit(address)
        self.wait_for("document.readyState === 'complete'")
        self.settle()

    def settle(self) -> None:
        """Wait until nothing is being computed."""
        self.wait_for("document.getElementById('main')?.getAttribute('aria-busy') === 'false'")

    def query(self) -> Any:
        """Return what is after the ? of the address, once it is what the page's settings are."""
        settings = "new URLSearchParams(new FormData(document.getElementById('settings'))).toString()"
        self.wait_for(f"location.search.slice(1) === {settings}")
        return self.run(settings)

    def texts(self, selector: str) -> Any:
        return self.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(each => each.textContent)")

    def text(self, selector: str) -> Any:
        return self.run(f"document.querySelector({json.dumps(selector)}).textContent")

    def click(self, selector: str) -> None:
        self.run(f"document.querySelector({json.dumps(selector)}).click()")

    def set(self, selector: str, value: str) -> None:
        """Give a control a value, as a person does."""
        self.run(
            f"(c => {{ c.value = {json.dumps(value)}; c.dispatchEvent(new Event('input', {{bubbles: true}})); "
            f"c.dispatchEvent(new Event('change', {{bubbles: true}})); }})"
            f"(document.querySelector({json.dumps(selector)}))"
        )
        self.settle()

    def give_file(self, selector: str, path: Path) -> None:
        """Choose a file."""
        root = self._call("DOM.getDocument")["root"]["nodeId"]
        node = self._call("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        self._call("DOM.setFileInputFiles", {"files": [str(path)], "nodeId": node})

    def drop_file(self, selector: str, path: Path) -> None:
        """Drop a file on the middle of something, as from a file manager."""
        x, y = self.run(
            f"(r => [r.x + r.width / 2, r.y + r.height / 2])"
            f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
        )
        data = {"items": [], "files": [str(path)], "dragOperationsMask": 1}
        for kind in ("dragEnter", "dragOver", "drop"):
            self._call("Input.dispatchDragEvent", {"type": kind, "x": x, "y": y, "data": data})

    def press(self, key: str) -> None:
        code = {"Tab": 9, "ArrowRight": 39}[key]
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code})

    def look(self, width: int, *, dark: bool = False) -> None:
        """Be so wide, and light or dark."""
        size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
        self._call("Emulation.setDeviceMetricsOverride", size)
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self._call("Emulation.setEmulatedMedia", {"features": scheme})

    def picture(self, path: Path | str) -> None:
        """Save the whole page as a PNG."""
        shot = self._call("Page.captureScreenshot", {"captureBeyondViewport": True})
        Path(path).write_bytes(base64.b64decode(shot["data"]))


@contextmanager
def chromium(folder: Path | str) -> Iterator[Tab]:
    """Start Chromium with a profile of its own in a folder."""
    assert CHROMIUM is not None
    (hear, to), (answers, say) = os.pipe(), os.pipe()
    options = [
        "--headless=new",
        "--remote-debugging-pipe",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
    ]
    quiet = ["--disable-extensions", "--disable-background-networking", "--disable-component-update", "--mute-audio"]
    at_three_and_four = f'exec "$0" "$@" 3</dev/fd/{hear} 4>/dev/fd/{say}'  # where Chromium looks for the pipe
    process = subprocess.Popen(
        ["sh", "-c", at_three_and_four, CHROMIUM, *options, *quiet, f"--user-data-dir={folder}", "about:blank"],
        pass_fds=(hear, say),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(hear)
    os.close(say)
    try:
        yield Tab(to, answers)
    finally:
        os.close(to)  # Chromium ends when the pipe does
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(answers)
