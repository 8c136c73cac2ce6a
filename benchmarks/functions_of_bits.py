"""What else may the class be of bits? Accuracy of R+MN where it is no XOR, or not that alone.

``python -m benchmarks.functions_of_bits`` → ``results/benchmarks/functions_of_bits.json``, a minute or two. What is
tried on R is compared on these 192 kinds of tasks, which no table reports, and on other seeds: what finds XORs faster
must not spoil them.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ["OMP_NUM_THREADS"] = "1"

import sys
import time
from collections.abc import Callable
from itertools import product
from pathlib import Path
from statistics import mean
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from rich.progress import track

from polythetic import speed
from polythetic.classifiers import method_named
from polythetic.results import Result, Row, row, save

Bits: TypeAlias = NDArray[np.int64]  # [m, 6], 0 or 1
Function: TypeAlias = Callable[[Bits], Any]  # a bool for each row

OUT = Path("results/benchmarks")
COMMAND = "python -m benchmarks.functions_of_bits"
SEED = 11
TASKS, QUERIES = 60, 100
SIZES = ((40, 10), (60, 20), (100, 20), (60, 50), (100, 50), (200, 50))  # rows × features
NOISE = (0, 10)  # % of the support's labels that are wrong
NAMED: dict[str, Function] = {
    "one bit": lambda x: x[:, 0] == 1,
    "and of 2": lambda x: x[:, :2].all(1),
    "and of 3": lambda x: x[:, :3].all(1),
    "majority of 3": lambda x: x[:, :3].sum(1) > 1,
    "majority of 5": lambda x: x[:, :5].sum(1) > 2,
    "switch": lambda x: np.where(x[:, 0], x[:, 1], x[:, 2]) == 1,
    "xor of 2": lambda x: x[:, :2].sum(1) % 2 == 1,
    "xor of 3": lambda x: x[:, :3].sum(1) % 2 == 1,
    "xor of 3, overruled": lambda x: (x[:, :3].sum(1) % 2 == 1) | (x[:, 3] == 1),
    "xor of 3, switched on": lambda x: (x[:, :3].sum(1) % 2 == 1) & (x[:, 3] == 1),
    "xor of 2 or another": lambda x: (x[:, 0] != x[:, 1]) | (x[:, 2] != x[:, 3]),
    "xor of 2 or and of 2": lambda x: (x[:, 0] != x[:, 1]) | x[:, 2:4].all(1),
    "and of 2 or another": lambda x: x[:, :2].all(1) | x[:, 2:4].all(1),
}


def at_random(chance: np.random.Generator, size: int) -> Function:
    """Draw a function of so many bits, half of whose values are 1."""
    values = chance.permutation(2**size) < 2 ** (size - 1)
    return lambda x: values[x[:, :size] @ 2 ** np.arange(size)]


def of_weights(chance: np.random.Generator) -> Function:
    """Draw a weighted vote of six bits."""
    weights = chance.standard_normal(6)
    return lambda x: (2 * x - 1) @ weights > 0


def drawn(kind: str, rows: int, n: int, noise: int, number: int) -> tuple[Bits, NDArray[np.bool_]]:
    """Draw a task: rows and queries, their classes, some of the rows' wrong; both classes are there."""
    chance = np.random.default_rng([SEED, number, rows, n, noise, *kind.encode()])
    while True:
        if kind.startswith("random"):
            function = at_random(chance, int(kind[-1]))
        else:
            function = of_weights(chance) if kind == "weighted vote" else NAMED[kind]
        x = chance.integers(2, size=(rows + QUERIES, n))
        y = function(x[:, chance.permutation(n)[:6]])
        y[:rows] ^= chance.random(rows) < noise / 100
        if 1 < y[:rows].sum() < rows - 1:
            return x, y


def measured(kind: str, rows: int, n: int, noise: int) -> Row:
    """Put R+MN to tasks of a kind, and the time beside."""
    x, y = (np.stack(part) for part in zip(*(drawn(kind, rows, n, noise, t) for t in range(TASKS)), strict=True))
    features, labels = torch.from_numpy(x).to(torch.get_default_dtype()), torch.from_numpy(y).long()
    began = time.process_time()
    with torch.no_grad():
        told = method_named("R+MN").predict(features[:, :rows], labels[:, :rows], features[:, rows:])
    seconds = (time.process_time() - began) / TASKS
    right = 100 * (told == labels[:, rows:]).double().mean(1).numpy()
    setting = {"function": kind, "rows": rows, "n": n, "noise": noise}
    stderr = float(right.std(ddof=1) / TASKS**0.5)
    return row("R+MN", setting, "accuracy", float(right.mean()), stderr=stderr, tasks=TASKS, seconds=seconds)


def main() -> None:
    speed.on(threads=1)
    kinds = [*NAMED, "random 3", "random 4", "weighted vote"]
    places = list(product(kinds, SIZES, NOISE))
    rows = [measured(kind, *size, noise) for kind, size, noise in track(places, "kinds of tasks")]
    save(Result("functions_of_bits", "standard", COMMAND, SEED, rows), OUT, force=True)
    for kind in kinds:
        values = [entry["mean"] for entry in rows if entry["setting"]["function"] == kind]
        print(f"{kind:24} {mean(values):6.2f}", file=sys.stderr)
    print(f"{'all':24} {mean(e['mean'] for e in rows):6.2f} {1e3 * mean(e['seconds'] for e in rows):.2f} ms a task")


if __name__ == "__main__":
    main()
