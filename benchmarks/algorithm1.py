"""Speed and memory of Algorithm 1: batched against a plain loop, one large task, and cost as sizes double.

Timings are noisy; what is compared is measured in the same run, alternately, and reported as a ratio of medians.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

import torch
from matplotlib.figure import Figure
from torch import Tensor

from polythetic import score_features
from polythetic.report import style
from polythetic.report.pictures import save_picture
from polythetic.results import Result, Row, row, save

OUT = Path("results/benchmarks")
COMMAND = "python -m benchmarks.algorithm1"
LARGE = 20_000, 64  # rows and features of one large task


def plain_loop(support: Tensor, labels: Tensor, *, repeats: int) -> Tensor:
    """Algorithm 1 as one would first write it: a loop over tasks, and over classes."""
    scores = []
    for x, y in zip(support, labels, strict=True):
        x = (x - x.mean(0)) / (x.std(0, correction=0) + 1e-7)
        parts = []
        for k in y.unique():
            X = x[y == k]
            for _ in range(repeats):
                X = torch.softmax(2 * X @ X.T, dim=-1) @ X
            parts.append(X)
        scores.append(torch.cat(parts).std(0, correction=0))
    return torch.stack(scores)


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def tasks(count: int, rows: int, features: int) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    x = torch.randint(0, 2, (count, rows, features), generator=generator) * 2.0 - 1
    return x, (torch.arange(rows) % 2).expand(count, rows)


def batched_against_loop(repetitions: int = 5) -> list[Row]:
    x, y = tasks(1000, 80, 10)
    threads = torch.get_num_threads()
    loops, single, batches = [], [], []
    for _ in range(repetitions):
        loops.append(seconds(lambda: plain_loop(x, y, repeats=5)))
        torch.set_num_threads(1)  # matrices this small lose by being shared out: the loop at its best
        single.append(seconds(lambda: plain_loop(x, y, repeats=5)))
        torch.set_num_threads(threads)
        for _ in range(5):
            batches.append(seconds(lambda: score_features(x, y, temperature=0.5, repeats=5)))
    difference = (plain_loop(x, y, repeats=5) - score_features(x, y, temperature=0.5, repeats=5)).abs().max()
    assert difference < 1e-5, difference
    setting = {"tasks": 1000, "rows": 80, "features": 10, "R": 5}
    return [
        row("loop", setting, "seconds", median(loops), threads=threads),
        row("loop, one thread", setting, "seconds", median(single), threads=1),
        row("batched", setting, "seconds", median(batches)),
        row("batched", setting, "times faster than the loop", median(loops) / median(batches)),
        row("batched", setting, "times faster than the loop on one thread", median(single) / median(batches)),
    ]


def one_large_task() -> None:
    """Measure one large task in this process, which has done nothing else, and print it as JSON."""
    rows, features = LARGE
    x = torch.randn(rows, features, generator=torch.Generator().manual_seed(0))
    y = torch.arange(rows) % 2
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    ours = [seconds(lambda: score_features(x, y, repeats=5)) for _ in range(3)]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    half = x[::2]

    def products() -> None:
        for _ in range(10):  # two classes, five rounds
            for block in half.split(1000):
                (block @ half.T) @ half

    bare = [seconds(products) for _ in range(3)]
    print(json.dumps({"ours": median(ours), "bare": median(bare), "before": before / 2**20, "peak": peak / 2**20}))


def large_task() -> list[Row]:
    worker = [sys.executable, "-m", "benchmarks.algorithm1", "--large"]
    found = json.loads(subprocess.run(worker, check=True, capture_output=True, text=True).stdout)
    setting = {"tasks": 1, "rows": LARGE[0], "features": LARGE[1], "classes": 2, "R": 5}
    return [
        row("one task", setting, "seconds", found["ours"]),
        row("matrix products alone", setting, "seconds", found["bare"]),
        row("one task", setting, "times the matrix products", found["ours"] / found["bare"]),
        row("one task", setting, "peak memory (GiB)", found["peak"], before=found["before"]),
    ]


DOUBLINGS = {
    "rows": [(1, n, 64) for n in (500, 1000, 2000, 4000, 8000, 16000)],
    "features": [(1, 2000, f) for f in (16, 32, 64, 128, 256, 512)],
    "tasks": [(t, 80, 10) for t in (125, 250, 500, 1000, 2000, 4000)],
}


def cost_as_sizes_double() -> list[Row]:
    found = []
    for what, sizes in DOUBLINGS.items():
        for count, rows, features in sizes:
            x, y = tasks(count, rows, features)
            score_features(x, y, repeats=5)  # the first call pays for memory
            took = median(seconds(lambda x=x, y=y: score_features(x, y, repeats=5)) for _ in range(3))  # type: ignore[misc]
            setting = {"doubling": what, "tasks": count, "rows": rows, "features": features, "R": 5}
            found.append(row("batched", setting, "seconds", took))
    return found


def draw(rows: list[Row]) -> Figure:
    figure, axes = style.figure(1, 3, size=(7.4, 2.5))
    titles = ("1 task, 64 features", "1 task, 2,000 rows", "80 rows, 10 features")
    for ax, what, title, power in zip(axes, DOUBLINGS, titles, (2, 1, 1), strict=True):
        line = [entry for entry in rows if entry["setting"].get("doubling") == what]
        sizes, took = [entry["setting"][what] for entry in line], [entry["mean"] for entry in line]
        ax.loglog(sizes, took, "o-", color=style.BLUE, markersize=4, label="measured")
        guide = [took[-1] * (size / sizes[-1]) ** power for size in sizes]
        ax.loglog(sizes, guide, "--", color="0.6", label=f"∝ {what}" + ("²" if power == 2 else ""))
        ax.minorticks_off()
        ax.set_xticks(sizes[::2], [f"{size:,}" for size in sizes[::2]])
        ax.set(xlabel=what, title=title)
        ax.legend(frameon=False, loc="upper left")
    axes[0].set_ylabel("seconds (R = 5)")
    return figure


def main() -> None:
    rows = [*batched_against_loop(), *large_task(), *cost_as_sizes_double()]
    for entry in rows:
        print(f"{entry['method']:24} {entry['metric']:42} {entry['mean']:9.3f}   {entry['setting']}")
    save(Result("algorithm1", "standard", COMMAND, seed=0, rows=rows), OUT, force=True)
    save_picture(partial(draw, rows), OUT, "algorithm1")


if __name__ == "__main__":
    one_large_task() if "--large" in sys.argv else main()
