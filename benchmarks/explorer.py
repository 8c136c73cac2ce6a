"""Speed of the explorer: first paint after the server is up, and the answer to a slider's change, in a browser."""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import threading
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from polythetic.errors import MissingDataError
from polythetic.explore.server import Server
from polythetic.results import Result, Row, row, save
from tests.explore.browser import CHROMIUM, Tab, chromium

OUT = Path("results/benchmarks")
COMMAND = "python -m benchmarks.explorer"
TASK = "boolean?bits=3&irrelevant=17&rows=100&design=iid"  # 100 rows × 20 features
CHANGES = 20
FIRST_PAINT, SLIDER = 1.5, 0.2  # seconds at most

PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
# A temperature is set as a person would drag it; then the answer comes, is drawn, and painted.
CHANGED = """(async () => {
  const range = document.querySelector('.heat [type=range]'), main = document.getElementById('main');
  range.value = VALUE;
  const start = performance.now();
  range.dispatchEvent(new Event('input', {bubbles: true}));
  while (main.getAttribute('aria-busy') !== 'false') await new Promise((go) => setTimeout(go, 1));
  await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  return performance.now() - start;
})()"""


def first_paint(tab: Tab) -> float:
    """Start a server and open its first page; return the seconds to the first paint."""
    with Server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        server.warm_up()
        start = time.perf_counter()
        tab.look(1200)
        asked = time.perf_counter() - start
        tab.visit(f"{server.address}boolean")
        seconds = tab.wait_for(PAINTED) / 1000 + asked
        tab.settle()
        server.shutdown()
    return float(seconds)


def slider(tab: Tab, query: str) -> list[float]:
    """Return the seconds that each of some changes of a slider takes."""
    with Server() as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        server.warm_up().join()
        tab.open(f"{server.address}{query}")
        # Temperatures from 0.5, where rows keep to themselves, to 6, where they hardly tell each other apart.
        taken = [tab.run(CHANGED.replace("VALUE", f"{-1 + step / 6}")) / 1000 for step in range(CHANGES + 3)]
        server.shutdown()
    return taken[3:]


def main() -> None:
    if CHROMIUM is None:
        raise MissingDataError("no Chromium on this machine: install it to measure the pages")
    rows: list[Row] = []
    with TemporaryDirectory(ignore_cleanup_errors=True) as profile, chromium(profile) as tab:
        rows.append(row("first page", {}, "seconds to the first paint", first_paint(tab), most=FIRST_PAINT))
        for scorer in ("none", "FS", "R"):
            taken = slider(tab, f"{TASK}&scorer={scorer}")
            setting = {"rows": 100, "features": 20, "scorer": scorer}
            rows.append(row("slider", setting, "median seconds", median(taken), most=SLIDER, worst=max(taken)))
    for entry in rows:
        scorer = entry["setting"].get("scorer", "")
        worst = f", the worst {entry['worst']:.3f}" if "worst" in entry else ""
        print(
            f"{entry['method']:12} {scorer:6} {entry['metric']:28} {entry['mean']:.3f} (at most {entry['most']}){worst}"
        )
    save(Result("explorer", "standard", COMMAND, seed=0, rows=rows), OUT, force=True)


if __name__ == "__main__":
    main()
